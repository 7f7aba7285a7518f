/** The official suites through the balancer find what they find of one process. */
import { compileEverything, withServer } from '../../../conformance/everything.mjs';
import { runSuite } from '../../../conformance/run-suite.mjs';
import { suites } from '../../../conformance/suites.mjs';
import { installTools } from '../../../conformance/tools.mjs';
import { withFleet } from '../fleet.mjs';
import { linkRedis } from '../project.mjs';
import { withRedis } from '../redis.mjs';
import { sharedBy } from '../world.mjs';

const NODES = 3;

/** @type {import('../scenarios.mjs').Run} */
export async function conformance({ folder, figures, size }) {
  await installTools();
  await linkRedis(folder);
  const main = await compileEverything(folder, ['--feature', 'redis']);
  for (const suite of suites.filter(({ name }) => size.suites.includes(name))) {
    const alone = await scoreOf(suite, folder, 'alone', (work) => withServer(main, work));
    const many = await scoreOf(suite, folder, 'many', (work) => withNodes(main, folder, work));
    figures.atLeast({
      what: `${suite.name}, ${NODES} nodes`,
      ours: many.faults[0]?.slice(0, 110) ?? '',
      other: `${alone.passed} checks of one process, ${alone.faults.length} failed`,
      figure: many.passed - many.faults.length,
      limit: alone.passed - alone.faults.length,
      unit: (value) => `${value} checks`,
    });
  }
}

function withNodes(main, folder, work) {
  return withRedis(folder, (redis) =>
    withFleet(main, { count: NODES, env: sharedBy(redis, NODES), args: ['--rate-limit', 'off'] }, (fleet) =>
      work(fleet.url.href),
    ),
  );
}

async function scoreOf(suite, folder, name, withUrl) {
  const [passed, faults] = [[], []];
  for (const scenario of suite.scenarios ?? [undefined])
    for (const result of await withUrl((url) =>
      runSuite({ ...suite, name: `${suite.name}-${name}` }, url, folder, scenario),
    )) {
      passed.push(result.passed);
      for (const line of [...result.failures, ...result.warnings]) faults.push(`${result.scenario}: ${line}`);
    }
  return { passed: passed.reduce((sum, each) => sum + each, 0), faults };
}
