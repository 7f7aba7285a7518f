// Patterns of JSONPath queries run in linear time.
import { expect, test } from 'vitest';
import { document, queries } from '../../../../scripts/lib/hostile/queries.mjs';
import { OverlayMisfit } from '../../../../src/frontends/openapi/overlay/read-overlay.ts';
import { openPlaceSelector } from '../../../../src/frontends/openapi/overlay/select-places.ts';

test.each(queries)('$what', async ({ target, told }) => {
  const selectPlaces = await openPlaceSelector(50);
  if (told === 'MCPG126') expect(selectPlaces(target, document)).toEqual([]);
  else expect(() => selectPlaces(target, document)).toThrow(OverlayMisfit);
});

test.each([
  ["$[?match(@,'a.c')]", ['abc', 'xabc', 'a\nc'], ['abc']],
  ["$[?search(@,'a.c')]", ['abc', 'xabc', 'a\nc'], ['abc', 'xabc']],
  ["$[?match(@,'a|bc')]", ['a', 'bc', 'ac', 'abc'], ['a', 'bc']],
  ["$[?match(@,'[a-c]{2,3}\\\\.')]", ['ab.', 'a.', 'abca.'], ['ab.']],
  ["$[?match(@,'\\\\p{Lu}+')]", ['ÄB', 'äb'], ['ÄB']],
  ['$[?search(@.t, @.p)]', [{ t: 'abc', p: 'b' }, { t: 'abc', p: 1 }, { p: 'b' }], [{ t: 'abc', p: 'b' }]],
])('%s of %j', async (query, value, want) => {
  const selectPlaces = await openPlaceSelector(50);
  expect(selectPlaces(query, value).map((place) => place.value)).toEqual(want);
});
