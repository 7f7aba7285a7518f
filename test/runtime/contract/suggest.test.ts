import { expect, test } from 'vitest';
import { suggestNearest } from '../../../templates/runtime/contract/feature.ts';

test.each([
  ['tag', ['tab', 'tags'], 'tags'],
  ['/pet', ['/pets/{petId}', '/pets'], '/pets'],
  ['Page-Size', ['port', 'page_size'], 'page_size'],
  ['trasnport', ['transport'], 'transport'],
  ['op', ['method', 'tag'], undefined],
  ['y', ['x'], undefined],
  ['x'.repeat(65), ['x'.repeat(64)], undefined],
])('%s, of %j: %s', (word, candidates, want) => {
  expect(suggestNearest(word, candidates)).toBe(want);
});
