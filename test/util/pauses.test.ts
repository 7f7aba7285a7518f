/** Long work pauses between its steps, so that Ctrl-C is heard: the handler of a signal runs only while nothing else does. */
import { expect, test } from 'vitest';
import { DiagnosticCollector } from '../../src/diagnostics/collector.ts';
import { deriveServerWithPauses } from '../../src/derive/index.ts';
import { listingCostWithPauses } from '../../src/derive/listing-cost.ts';
import { makeLintedServer } from '../../src/lint/linted-server.ts';
import { checkRulesWithPauses } from '../../src/lint/rules.ts';
import { mapWithPauses, runWithPauses, runSteps } from '../../src/util/pauses.ts';
import { derive, operation, source } from '../derive/support.ts';

const items = Array.from({ length: 1000 }, (_, index) => index);

test('a signal is heard between two steps, and the rest is not done', async () => {
  const controller = new AbortController();
  let done = 0;
  const work = mapWithPauses(items, (item) => {
    // As the handler of a signal does.
    if (item === 250) setImmediate(() => controller.abort(new Error('Stopped.')));
    return (done += 1);
  });
  await expect(runWithPauses(work, controller.signal)).rejects.toThrow('Stopped.');
  expect(done).toBeGreaterThan(250);
  expect(done).toBeLessThan(500);
});

test('the results are those of the work, with pauses and without', async () => {
  const double = (item: number): number => item * 2;
  expect(await runWithPauses(mapWithPauses(items, double), undefined)).toEqual(items.map(double));
  expect(runSteps(mapWithPauses(items, double))).toEqual(items.map(double));
});

test('1,000 operations are derived, judged and measured in many steps', () => {
  const operations = items.map((index) => operation(`GET /things${index}`));
  const deriving = deriveServerWithPauses([{ source: source(operations) }], {}, new DiagnosticCollector());
  expect([...deriving].length).toBeGreaterThanOrEqual(20);
  const { model } = derive(source(operations));
  expect([...checkRulesWithPauses(makeLintedServer(model, model, [], {}))].length).toBeGreaterThanOrEqual(20);
  expect([...listingCostWithPauses(model)].length).toBeGreaterThanOrEqual(10);
});
