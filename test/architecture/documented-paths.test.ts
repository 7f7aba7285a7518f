// Every path that the documentation names exists: the best architecture page drifts otherwise.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { expect, test } from 'vitest';
import { repositoryRoot } from './support/source-files.ts';

const PAGES = [
  ...['ARCHITECTURE.md', 'CONTEXT.md', 'CONTRIBUTING.md', 'README.md', 'SECURITY.md'],
  ...readdirSync(join(repositoryRoot, 'docs/adr')).map((name) => `docs/adr/${name}`),
];
const TOP_LEVEL =
  /^(src|templates|test|fixtures|generated-examples|scripts|docs|schema|\.ci|transports|core|protocol|upstream)(\/|$)/;

function linksIn(page: string): string[] {
  const text = readFileSync(join(repositoryRoot, page), 'utf8');
  return [...text.matchAll(/\]\((?!https?:|#)([^)#]+)[^)]*\)/g)].map(([, path]) => path ?? '');
}

/** Paths between backticks that start at a top-level folder, and relative links. */
function pathsIn(page: string): string[] {
  const text = readFileSync(join(repositoryRoot, page), 'utf8');
  const quoted = [...text.matchAll(/`([^`\s]+)`/g)]
    .map(([, path]) => path ?? '')
    .filter((path) => TOP_LEVEL.test(path));
  return [...quoted, ...linksIn(page).map((link) => posix.join(posix.dirname(page), link))];
}

test.each(PAGES)('%s names only paths that exist', (page) => {
  expect(pathsIn(page).filter((path) => !stands(path))).toEqual([]);
});

/** Here, in an emitted project, which has a `src` too, or in the runtime. */
function stands(path: string): boolean {
  const folders = ['', 'generated-examples/petstore', 'generated-examples/trip', 'templates/runtime'];
  const files = [...folders.map((folder) => join(folder, path)), `templates/project/${path}.hbs`];
  return files.some((file) => existsSync(join(repositoryRoot, file)));
}

test('pages that are packed link to packed files alone', () => {
  const { files } = JSON.parse(readFileSync(join(repositoryRoot, 'package.json'), 'utf8')) as {
    files: string[];
  };
  // npm packs it in any case.
  const packed = [...files, 'README.md'];
  const isPacked = (path: string): boolean =>
    packed.some((entry) => path === entry || path.startsWith(`${entry}/`));
  const docs = readdirSync(join(repositoryRoot, 'docs'), { recursive: true, encoding: 'utf8' });
  const links = [...packed, ...docs.map((path) => `docs/${path.replaceAll('\\', '/')}`)]
    .filter((path) => path.endsWith('.md'))
    .flatMap((page) => linksIn(page).map((link) => posix.join(posix.dirname(page), link)));
  expect(links).toContain('CONTEXT.md');
  expect(links.filter((path) => !isPacked(path) || !existsSync(join(repositoryRoot, path)))).toEqual([]);
});
