/**
 * `npm run conformance [-- --suite <name>] [--scenario <name>] [--fetch hono|bun|deno]`: the official conformance
 * suites of MCP, in two pinned versions, against the server that is compiled from the annotated functions of
 * `fixtures/everything`. Also what a suite runs and does not score must pass, without warnings. With `--fetch`, a
 * program of docs/fetch.md serves by the handler of the project.
 */
import {
  compileEverything,
  expectedSkips,
  installTools,
  runSuite,
  suites,
  withServer,
} from './conformance/run-suite.mjs';
import { MOUNTS, mountTools } from './lib/mounts.mjs';
import { paint, table } from './lib/table.mjs';
import { withTempFolder } from './lib/temp.mjs';
import { misused, readOptions } from './lib/usage.mjs';

const usage = `npm run conformance [-- --suite <name>] [--scenario <name>] [--fetch <program>]\nSuites: ${suites.map(({ name }) => name).join(', ')}.`;
const { values } = readOptions(usage, {
  options: { suite: { type: 'string' }, scenario: { type: 'string' }, fetch: { type: 'string' } },
});
const chosen = suites.filter(({ name }) => values.suite === undefined || name === values.suite);
if (values.fetch !== undefined && !MOUNTS.includes(values.fetch))
  misused(usage, `There is no program ${values.fetch}: ${MOUNTS.join(', ')}.`);
if (chosen.length === 0) misused(usage, `There is no suite ${values.suite}.`);

await installTools();
if (values.fetch !== undefined) await mountTools.install();
const results = await withTempFolder('conformance', runAll);
print(results);
process.exitCode = results.some(isBad) ? 1 : 0;

/** A server for each suite: none sees what another left behind. */
async function runAll(folder) {
  const main = await compileEverything(folder);
  const all = [];
  for (const suite of chosen) {
    console.error(`running ${suite.name} …`);
    for (const scenario of suite.scenarios?.filter(isChosen) ?? [values.scenario])
      all.push(...(await withServer(main, (url) => runSuite(suite, url, folder, scenario), values.fetch)));
  }
  return all;
}

function isChosen(scenario) {
  return values.scenario === undefined || values.scenario === scenario;
}

function isBad({ failures, warnings }) {
  return failures.length + warnings.length > 0;
}

function print(all) {
  const rows = all.map((result) => {
    const { suite, scenario, passed, skips, failures, warnings } = result;
    const mark = isBad(result) ? paint('red', '✗') : paint('green', '✓');
    return [suite, `${mark} ${scenario}`, passed, failures.length, warnings.length, skips.length];
  });
  console.log(table(['suite', 'scenario', 'passed', 'failed', 'warnings', 'skipped'], rows));
  for (const { suite, scenario, failures, warnings } of all.filter(isBad)) {
    console.log(`\n${suite} ${scenario}`);
    for (const line of [...failures, ...warnings]) console.log(`  ${line}`);
  }
  for (const { suite, skips } of all)
    for (const id of skips) console.log(`\n${suite} skipped ${id}: ${expectedSkips.get(id)}`);
  const good = all.filter((result) => !isBad(result)).length;
  console.log(`\n${good} of ${all.length} scenarios are fine.`);
}
