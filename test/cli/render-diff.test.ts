// A comparison as Markdown for a pull request: short at the top, the same change once, and never longer than a comment may be.
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

test('the same change of several tools is one row', () => {
  const text = renderMarkdown(
    diffOf(gone('a'), gone('b'), fresh('c', 'x'), fresh('d', 'x'), fresh('d', 'y')),
  );
  expect(text).toBe(`**2 breaking changes, 3 compatible changes**

| | added | removed | renamed | changed |
| --- | --: | --: | --: | --: |
| tools | 0 | 2 | 0 | 2 |

### Breaking

| Kind | Name | Change |
| --- | --- | --- |
| tool | \`a\`, \`b\` | removed |

### Compatible

| Kind | Name | Change |
| --- | --- | --- |
| tool | \`c\`, \`d\` | argument x: added |
| tool | \`d\` | argument y: added |
`);
});

test.each([
  ['breaking ones', 5000, 0],
  ['compatible ones', 0, 5000],
  ['both', 5000, 5000],
])('it fits into a comment, and says what is left out: %s', (_, breaking, compatible) => {
  const lost = many(breaking, (name) => ({ ...gone(name), text: `removed, since ${name} is old` }));
  const text = renderMarkdown(diffOf(...lost, ...many(compatible, (name) => fresh(name, name))));
  expect(text.length).toBeLessThan(65_536);
  const left = [...text.matchAll(/^… and ([\d,]+) more changes: `mcpgen diff --json` tells all\.$/gm)];
  const told = text.match(/^\| tool \|/gm)?.length ?? 0;
  const untold = left.reduce((sum, [, count = '']) => sum + Number(count.replaceAll(',', '')), 0);
  expect(told + untold).toBe(breaking + compatible);
  for (const title of [...(breaking > 0 ? ['Breaking'] : []), ...(compatible > 0 ? ['Compatible'] : [])])
    expect(text).toMatch(new RegExp(`### ${title}\\n\\n.*\\n.*\\n\\| tool \\| \`tool_0\``));
});

test('names and words of a document are no markup', () => {
  const text = renderMarkdown(diffOf({ ...gone('a`|b\n'), text: 'renamed from <b>*x*|' }));
  expect(text).toContain('| tool | ``a`\\|b\\n`` | renamed from \\<b\\>\\*x\\*\\| |\n');
});
