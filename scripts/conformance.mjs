/**
 * `npm run conformance [-- --suite <name>] [--scenario <name>] [--verbose]`: the official conformance suites of MCP, in two
 * pinned versions, against the server that is compiled from the annotated functions of `fixtures/everything`. Also what a suite runs and does not score must pass,
 * without warnings.
 */
import { compileEverything, withServer } from './conformance/everything.mjs';
import { runSuite } from './conformance/run-suite.mjs';
import { expectedSkips, suites } from './conformance/suites.mjs';
import { installTools } from './conformance/tools.mjs';
import { paint, table } from './lib/table.mjs';
import { withTempFolder } from './lib/temp.mjs';
import { misused, readOptions } from './lib/usage.mjs';

const usage = `npm run conformance [-- --suite <name>] [--scenario <name>]\nSuites: ${suites.map(({ name }) => name).join(', ')}.`;
const { values } = readOptions(usage, {
  options: { suite: { type: 'string' }, scenario: { type: 'string' } },
});
const chosen = suites.filter(({ name }) => values.suite === undefined || name === values.suite);
if (chosen.length === 0) misused(usage, `There is no suite ${values.suite}.`);

await installTools();
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
      all.push(...(await withServer(main, (url) => runSuite(suite, url, folder, scenario))));
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
