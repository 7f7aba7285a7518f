// Preloaded: ends the process, or lets the disk be full, at the change of the number in FAIL_AT below the folder FAIL_IN. Without
// a number, the count of changes is written to FAIL_COUNT.
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { sep } from 'node:path';

const { FAIL_AT, FAIL_IN, FAIL_HOW, FAIL_COUNT } = process.env;
const { writeFileSync } = fs;
let changes = 0;

/** A killed process and a full disk leave half of what was being written. */
function failHalfway(name, parameters) {
  if (name === 'writeFileSync') {
    const [file, contents, options] = parameters;
    writeFileSync(file, contents.slice(0, contents.length / 2), options);
  }
  if (FAIL_HOW === 'kill') process.kill(process.pid, 'SIGKILL');
  const error = new Error(`ENOSPC: no space left on device, write '${parameters[0]}'`);
  throw Object.assign(error, { code: 'ENOSPC', errno: -28, syscall: 'write', path: String(parameters[0]) });
}

const NEEDING_SPACE = ['writeFileSync', 'copyFileSync', 'mkdirSync'];

for (const name of [...NEEDING_SPACE, 'renameSync', 'rmSync', 'rmdirSync', 'unlinkSync']) {
  const original = fs[name];
  fs[name] = (...parameters) => {
    if (String(parameters[0]).startsWith(`${FAIL_IN}${sep}`)) {
      changes += 1;
      const isFailing = FAIL_HOW === 'kill' ? changes === Number(FAIL_AT) : changes >= Number(FAIL_AT);
      if (isFailing && (FAIL_HOW === 'kill' || NEEDING_SPACE.includes(name))) failHalfway(name, parameters);
    }
    return original(...parameters);
  };
}
syncBuiltinESMExports();
if (FAIL_COUNT !== undefined) process.on('exit', () => writeFileSync(FAIL_COUNT, String(changes)));
