/**
 * `npm run road`: which functions of the runtime run for one warm `tools/call` over stdio to an API over http, by step.
 * `npm run road -- compile`: which functions of the compiler work more for one more query parameter in style `deepObject`.
 * Fails when they are in more files, or a call needs more functions, than a reader can follow.
 */
import { LIMITS, readCallRoad, roadLines } from './lib/road/call-road.mjs';
import { MOST_FILES, readCompileRoad } from './lib/road/compile-road.mjs';
import { misused, readOptions } from './lib/usage.mjs';

const usage = 'npm run road [-- compile]';
const [road = 'call'] = readOptions(usage, { allowPositionals: true }).positionals;
if (road === 'call') await printCallRoad();
else if (road === 'compile') await printCompileRoad();
else misused(usage, `There is no road ${road}.`);

async function printCallRoad() {
  const call = await readCallRoad();
  console.log(roadLines(call).join('\n'));
  console.log(
    `${call.functions} functions (at most ${LIMITS.functions}) in ${call.files} files (at most ${LIMITS.files})`,
  );
  process.exitCode = call.functions > LIMITS.functions || call.files > LIMITS.files ? 1 : 0;
}

async function printCompileRoad() {
  const files = await readCompileRoad();
  for (const { file, names } of files) console.log(`${file}: ${names.join(', ')}`);
  const functions = files.flatMap(({ names }) => names).length;
  console.log(`${functions} functions in ${files.length} files (at most ${MOST_FILES})`);
  process.exitCode = files.length > MOST_FILES ? 1 : 0;
}
