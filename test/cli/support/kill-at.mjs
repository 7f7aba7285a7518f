// Preloaded: kills the process at the change of the number in KILL_AT below the folder KILL_IN.
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { sep } from 'node:path';

const { KILL_AT, KILL_IN } = process.env;
const { writeFileSync } = fs;
let changes = 0;

for (const name of [
  ...['writeFileSync', 'copyFileSync', 'mkdirSync'],
  ...['renameSync', 'rmSync', 'rmdirSync', 'unlinkSync'],
]) {
  const original = fs[name];
  fs[name] = (...parameters) => {
    const [file, contents, options] = parameters;
    if (String(file).startsWith(`${KILL_IN}${sep}`) && (changes += 1) === Number(KILL_AT)) {
      // A killed process leaves half of what was being written.
      if (name === 'writeFileSync') writeFileSync(file, contents.slice(0, contents.length / 2), options);
      process.kill(process.pid, 'SIGKILL');
    }
    return original(...parameters);
  };
}
syncBuiltinESMExports();
