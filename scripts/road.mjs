/**
 * `npm run road`: which functions of the runtime run for one warm `tools/call` over stdio to an API over http.
 * `npm run road -- compile [form]`: which functions of the compiler work more for one more `deepObject` parameter, or beside style `form`.
 * Fails when they are in more files, or a call needs more functions, than a reader can follow.
 */
import { LIMITS, readCallRoad } from './lib/road/call-road.mjs';
import { MOST_FILES, readCompileRoad } from './lib/road/compile-road.mjs';
import { misused, readOptions } from './lib/usage.mjs';

const usage = 'npm run road [-- compile [form]]';
const [road = 'call', beside = 'without'] = readOptions(usage, { allowPositionals: true }).positionals;
if (road === 'call') printRoad(await readCallRoad(), LIMITS);
else if (road === 'compile')
  printRoad(await readCompileRoad(beside === 'form' ? 'form' : 'without'), {
    functions: Infinity,
    files: MOST_FILES,
  });
else misused(usage, `There is no road ${road}.`);

function printRoad(files, limits) {
  for (const { file, names } of files) console.log(`${file} (${names.length}): ${names.join(', ')}`);
  const functions = files.flatMap(({ names }) => names).length;
  const most = Number.isFinite(limits.functions) ? ` (at most ${limits.functions})` : '';
  console.log(`${functions} functions${most} in ${files.length} files (at most ${limits.files})`);
  process.exitCode = functions > limits.functions || files.length > limits.files ? 1 : 0;
}
