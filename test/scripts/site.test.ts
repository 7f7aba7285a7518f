// The documentation as a site: every page has its links and the search, and a lost link is found.
import MiniSearch from 'minisearch';
import { expect, test } from 'vitest';
import { buildSite } from '../../scripts/lib/site.mjs';

const { files, pictures, lost } = buildSite();
const page = (name: string): string => files.get(name) ?? '';

test('all links lead somewhere', () => {
  expect(lost).toEqual([]);
});

test('pictures are of the site', () => {
  expect(pictures).toContain('docs/images/preview-surface-dark.png');
  expect(pictures).toContain('docs/images/preview-surface-light.png');
});

test('each page loads nothing from elsewhere', () => {
  for (const [name, text] of files) {
    if (!name.endsWith('.html')) continue;
    expect(text, name).toContain(`content="default-src 'self'"`);
    expect(text, name).not.toMatch(/<(?:script|link|img)[^>]+(?:src|href)="(?:https?:)?\/\//);
  }
});

test('links between pages lead to pages of the site, and files of the repository are words', () => {
  expect(page('index.html')).toContain('<a href="docs/getting-started.html">Getting started</a>');
  expect(page('docs/reference/commands.html')).toContain(
    '<a href="../publishing.html#what-a-registry-misses">registry</a>',
  );
  expect(page('docs/adr/0001-the-runtime-is-shipped-source.html')).toContain('href="../../site.css"');
});

test('the search finds headings and words', () => {
  const [, json = ''] = /^globalThis\.searchIndex = (.*);\n$/.exec(page('search-index.js')) ?? [];
  const index = MiniSearch.loadJSON<{ page: string }>(json, { fields: ['title', 'text'] });
  const found = (words: string): string[] =>
    index.search(words, { prefix: true }).map((hit) => String(hit['page']));
  expect(found('completion powershell')).toContain('docs/reference/commands.html#completion');
  expect(found('pinned tools')[0]).toBe('docs/large-apis.html#pinned-tools');
});

test.each([
  '[a](docs/none.md)',
  '[a](#none)',
  '[a](docs/README.md#none)',
  '![a](none.png)',
  '<img src="none.png">',
  '<source srcset="none.png">',
])('%s is reported as lost', (link) => {
  const read = (name: string): string => (name === 'README.md' ? `# Title\n\n${link}\n` : '# Docs\n');
  const broken = buildSite(read, ['README.md', 'docs/README.md']);
  expect(broken.lost).toEqual([{ page: 'README.md', link: /[("]([^)"]+)[)"]/.exec(link)?.[1] }]);
});

test('words of a page are no script', () => {
  const read = (): string => '# </script><img src=x>\n';
  const { files: made } = buildSite(read, ['README.md', 'docs/README.md']);
  expect(made.get('search-index.js')).not.toContain('</script>');
});
