// Patterns of JSONPath queries run in linear time.
import { expect, test } from 'vitest';
import { OverlayMisfit } from '../../../../src/frontends/openapi/overlay/read-overlay.ts';
import { openPlaceSelector } from '../../../../src/frontends/openapi/overlay/select-places.ts';

/** With a text that patterns nearly match. */
const document = { 'x-text': `${'a'.repeat(60)}!` };

const patterns: [pattern: string, end: string][] = [
  ['(a+)+', 'b'],
  ['(a|a)*', 'b'],
  ['(a|aa)+', 'b'],
  ['(a*)*', 'b'],
  ['(a+){20}', 'b'],
  ['((a+)+)+', 'b'],
  ['([a-z]+)*', '#'],
  [String.raw`(\\p{L}+)*`, '#'],
];

test.each(patterns)('%s takes no time that doubles', async (pattern, end) => {
  const selectPlaces = await openPlaceSelector(50);
  expect(selectPlaces(`$[?search(@,'${pattern}${end}')]`, document)).toEqual([]);
  expect(selectPlaces(`$[?match(@,'${pattern}')]`, document)).toEqual([]);
});

test('a pattern that is written out is refused', async () => {
  const selectPlaces = await openPlaceSelector(50);
  const query = "$[?search(@,'((a{1,100}){1,100}){1,100}b')]";
  expect(() => selectPlaces(query, document)).toThrow(OverlayMisfit);
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
