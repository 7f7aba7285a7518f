/**
 * `npm run wire:spector [-- --openapi 3.1.0] [--only a,b] [--json]`: TypeSpec's HTTP scenarios, written as OpenAPI 3.0, 3.1
 * and 3.2, are compiled, and each is played by calling the emitted tools. Spector, which serves them, says which it
 * saw done rightly. Ends with 1 on a miss that is not in the table, an entry that is not needed any more, or too low a score.
 */
import { readFile } from 'node:fs/promises';

import { inRepository } from './lib/repository.mjs';
import { withTempFolder } from './lib/temp.mjs';
import { Tools } from './lib/tools.mjs';
import { readOptions } from './lib/usage.mjs';
import { compileAll, prepare } from './lib/wire/spector/documents.mjs';
import { play } from './lib/wire/spector/play.mjs';
import { printScores, scoreOf } from './lib/wire/spector/score.mjs';
import { startSpector } from './lib/wire/spector/server.mjs';
import { freePort } from './lib/wire/local-server.mjs';

const openapiVersions = ['3.0.0', '3.1.0', '3.2.0'];

/** The least share of what OpenAPI can express. */
const wanted = 0.95;

const { values } = readOptions('npm run wire:spector [-- --openapi 3.1.0] [--only a,b] [--json]', {
  options: { openapi: { type: 'string' }, only: { type: 'string' }, json: { type: 'boolean' } },
});
const tools = new Tools('test/judges/spector');
await tools.install();
const [overrides, exclusions] = await Promise.all(['overrides', 'exclusions'].map(readTable));
const scores = await withTempFolder('spector', judge);
if (values.json) console.log(JSON.stringify(scores));
else printScores(scores);
process.exitCode = scores.every(({ faults }) => faults.length === 0) ? 0 : 1;

async function readTable(name) {
  return JSON.parse(await readFile(inRepository(`test/judges/spector/${name}.json`), 'utf8'));
}

async function judge(folder) {
  const port = await freePort();
  console.error('writing the documents …');
  const all = await prepare(tools, folder, `http://localhost:${port}`);
  const only = values.only?.split(',');
  const isChosen = ({ spec }) => only === undefined || only.some((word) => spec.includes(word));
  const scenarios = all.scenarios.filter(isChosen);
  const results = [];
  for (const openapi of openapiVersions.filter(
    (one) => values.openapi === undefined || one === values.openapi,
  )) {
    console.error(`playing ${scenarios.length} scenarios as OpenAPI ${openapi} …`);
    const documents = await compileAll(
      all.documents.filter((one) => one.openapi === openapi && isChosen(one)),
    );
    const spector = await startSpector(tools, folder, port);
    const faults = await play({ scenarios, documents, spector: spector.origin, overrides });
    results.push(scoreOf({ openapi, scenarios, faults, coverage: await spector.stop(), exclusions, wanted }));
  }
  return results;
}
