// The work of a stranger's queries is counted; patterns in them are those of RFC 9485, in linear time.
import { expect, test } from 'vitest';
import { document, overlayWith, queries } from '../../../../scripts/lib/hostile/queries.mjs';
import { DiagnosticCollector } from '../../../../src/diagnostics/collector.ts';
import { defaultDocumentLimits } from '../../../../src/frontends/openapi/load/loaded-document.ts';
import { parseEntry } from '../../../../src/frontends/openapi/load/load-entry.ts';
import { applyOverlays } from '../../../../src/frontends/openapi/overlay/apply-overlays.ts';
import { OverlayTooCostly, readOverlay } from '../../../../src/frontends/openapi/overlay/read-overlay.ts';
import { PlaceSelector } from '../../../../src/frontends/openapi/overlay/select-places.ts';

test.each(queries)('$what', async ({ target, told }) => {
  const diagnostics = new DiagnosticCollector();
  const report = diagnostics.report.bind(diagnostics);
  const entry = (file: string, value: object) => ({
    file,
    uri: `file:///${file}`,
    text: JSON.stringify(value),
  });
  const parsed = parseEntry(entry('api.json', document), defaultDocumentLimits, report);
  const overlay = readOverlay(entry('o.json', overlayWith(target)), defaultDocumentLimits, report);
  if (parsed === undefined || overlay === undefined) throw new Error('not read');
  await applyOverlays(parsed, [overlay], defaultDocumentLimits, report);
  const isTooCostly = diagnostics.found.some(({ name }) => name === 'overlay-too-costly');
  expect(isTooCostly).toBe(told === 'MCPG130');
  expect(diagnostics.found.map(({ code, origin }) => [code, origin])).toEqual([
    [told, { kind: 'document', file: 'o.json', pointer: '/actions/0' }],
  ]);
});

async function selected(
  query: string,
  value: unknown,
  limits = { steps: 1_000_000, held: 1_000 },
): Promise<unknown[]> {
  const selector = await PlaceSelector.createSelector(50, limits);
  return selector.selectPlaces(query, value).map((place) => place.value);
}

test.each([
  ["$[?match(@,'a.c')]", ['abc', 'xabc', 'a\nc'], ['abc']],
  ["$[?search(@,'a.c')]", ['abc', 'xabc', 'a\nc'], ['abc', 'xabc']],
  ["$[?match(@,'^ab.*')]", ['abc', 'axc'], ['abc']],
  ["$[?match(@,'a|bc')]", ['a', 'bc', 'ac', 'abc'], ['a', 'bc']],
  ["$[?match(@,'[a-c]{2,3}\\\\.')]", ['ab.', 'a.', 'abca.'], ['ab.']],
  ["$[?match(@,'\\\\p{Lu}+')]", ['ÄB', 'äb'], ['ÄB']],
  ["$[?match(@,'.')]", ['😀', 'ab'], ['😀']],
  // No I-Regexps: they match nothing.
  ["$[?search(@,'a(?=b)')]", ['ab'], []],
  ["$[?search(@,'(a')]", ['a', '(a'], []],
  ["$[?search(@,'\\\\d')]", ['1'], []],
  ["$[?search(@,'a*?')]", ['a'], []],
  ['$[?search(@.t, @.p)]', [{ t: 'abc', p: 'b' }, { t: 'abc', p: 1 }, { p: 'b' }], [{ t: 'abc', p: 'b' }]],
])('%s of %j', async (query, value, want) => {
  expect(await selected(query, value)).toEqual(want);
});

test('what is looked at is counted for all queries together', async () => {
  const selector = await PlaceSelector.createSelector(50, { steps: 100, held: 1_000 });
  const value = Array.from({ length: 20 }, (_, at) => at);
  expect(selector.selectPlaces('$..*', value)).toHaveLength(20);
  expect(() => {
    for (let times = 0; times < 10; times++) selector.selectPlaces('$..*', value);
  }).toThrow(OverlayTooCostly);
});

test('what a filter holds is counted, and let go', async () => {
  const value = Array.from({ length: 50 }, () => Array.from({ length: 50 }, (_, at) => at));
  expect(await selected('$[?count(@..*) > 1]', value, { steps: 1e6, held: 100 })).toHaveLength(50);
  await expect(selected('$[?count($..*) > 1]', value, { steps: 1e6, held: 100 })).rejects.toThrow(
    OverlayTooCostly,
  );
});
