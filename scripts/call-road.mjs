/**
 * `npm run road`: which functions of the runtime run for one warm `tools/call` over stdio to an API over http, by step.
 * Fails when they are more than a reader can follow.
 */
import { LIMITS, readCallRoad, roadLines } from './lib/road/call-road.mjs';
import { readOptions } from './lib/usage.mjs';

readOptions('npm run road');

const road = await readCallRoad();
console.log(roadLines(road).join('\n'));
console.log(
  `${road.functions} functions (at most ${LIMITS.functions}) in ${road.files} files (at most ${LIMITS.files})`,
);
process.exitCode = road.functions > LIMITS.functions || road.files > LIMITS.files ? 1 : 0;
