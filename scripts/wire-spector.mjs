/**
 * `npm run wire:spector [-- --openapi 3.1.0] [--only a,b]`: TypeSpec's HTTP scenarios, written as OpenAPI
 * 3.0, 3.1 and 3.2, are compiled, and each is played by calling the emitted tools. Spector, which serves them, says
 * which it saw done rightly. Ends with 1 on a miss that is not in the table, an entry that is not needed any more, or
 * too low a score.
 */
import { readFile } from 'node:fs/promises';

import { inRepository } from './lib/repository.mjs';
import { withTempFolder } from './lib/temp.mjs';
import { Tools } from './lib/tools.mjs';
import { misused, readOptions } from './lib/usage.mjs';
import { compileAll, prepare, startSpector } from './lib/wire/spector/documents.mjs';
import { play } from './lib/wire/spector/play.mjs';
import { printScores, scoreOf } from './lib/wire/spector/score.mjs';
import { freePort } from './lib/free-port.mjs';

const openapiVersions = ['3.0.0', '3.1.0', '3.2.0'];

const usage = 'npm run wire:spector [-- --openapi 3.1.0] [--only a,b]';
const { values } = readOptions(usage, {
  options: { openapi: { type: 'string' }, only: { type: 'string' } },
});
const versions = openapiVersions.filter((one) => values.openapi === undefined || one === values.openapi);
if (versions.length === 0) misused(usage, `--openapi must be one of ${openapiVersions.join(', ')}.`);
const tools = new Tools('test/judges/spector');
await tools.install();
/** The least share of what OpenAPI can express; of a choice only that nothing unknown is missed. */
const wanted = values.only === undefined ? 0.95 : 0;
const [overrides, exclusions] = await Promise.all(['overrides', 'exclusions'].map(readTable));
const scores = await withTempFolder('spector', judge);
printScores(scores);
process.exitCode = scores.every(({ faults }) => faults.length === 0) ? 0 : 1;

async function readTable(name) {
  return JSON.parse(await readFile(inRepository(`test/judges/spector/${name}.json`), 'utf8'));
}

async function judge(folder) {
  const port = await freePort();
  console.error('writing the documents …');
  const choice = { versions, only: values.only };
  const { documents, scenarios } = await prepare(tools, folder, `http://localhost:${port}`, choice);
  if (scenarios.length === 0) misused(usage, `No scenario is in a folder with ${values.only} in its name.`);
  const results = [];
  for (const openapi of versions) {
    console.error(`playing ${scenarios.length} scenarios as OpenAPI ${openapi} …`);
    const compiled = await compileAll(documents.filter((one) => one.openapi === openapi));
    const spector = await startSpector(tools, folder, port);
    const faults = await play({ scenarios, documents: compiled, spector: spector.origin, overrides });
    results.push(scoreOf({ openapi, scenarios, faults, coverage: await spector.stop(), exclusions, wanted }));
  }
  return results;
}
