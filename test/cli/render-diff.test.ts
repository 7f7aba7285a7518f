// A comparison as Markdown for a pull request, never longer than a comment may be.
import { expect, test } from 'vitest';
import { renderMarkdown } from '../../src/cli/render-diff.ts';
import type { Change, SurfaceDiff } from '../../src/diff/surface-diff.ts';

const gone = (name: string): Change => ({
  item: 'tool',
  name,
  kind: 'removed',
  effect: 'breaking',
  text: 'removed',
});
const fresh = (name: string, at: string): Change => ({
  item: 'tool',
  name,
  kind: 'member-added',
  effect: 'compatible',
  side: 'input',
  at,
  text: 'added',
});

function diffOf(...changes: Change[]): SurfaceDiff {
  const breaking = changes.filter(({ effect }) => effect === 'breaking').length;
  return { breaking, compatible: changes.length - breaking, changes };
}

/** `count` times, with a number at the end. */
const many = (count: number, change: (name: string) => Change): Change[] =>
  Array.from({ length: count }, (_, at) => change(`tool_${at}`));

test('what breaks comes first', () => {
  expect(renderMarkdown(diffOf(fresh('c', 'x'), gone('a')))).toBe(`**1 breaking change, 1 compatible change**

| Effect | Kind | Name | Change |
| --- | --- | --- | --- |
| Breaking | tool | \`a\` | removed |
| Compatible | tool | \`c\` | argument x: added |
`);
});

test('it fits into a comment, and says what is left out', () => {
  const text = renderMarkdown(diffOf(...many(5000, (name) => fresh(name, name)), ...many(5000, gone)));
  expect(text.length).toBeLessThan(65_536);
  expect(text).toContain('… and 9,900 more changes: `mcpgen diff --json` has all.');
});

test('names and words of a document are no markup', () => {
  const text = renderMarkdown(diffOf({ ...gone('a`|b\n'), text: 'renamed from <b>*x*|' }));
  expect(text).toContain('| Breaking | tool | ``a`\\|b\\n`` | renamed from \\<b\\>\\*x\\*\\| |\n');
});
