// Every path that the documentation names exists: the best architecture page drifts otherwise.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { expect, test } from 'vitest';
import { repositoryRoot } from './support/source-files.ts';

const PAGES = ['ARCHITECTURE.md', 'CONTRIBUTING.md', 'README.md', 'SECURITY.md'];
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
  return [...quoted, ...linksIn(page)];
}

test.each(PAGES)('%s names only paths that exist', (page) => {
  const paths = pathsIn(page);
  expect(paths.length).toBeGreaterThan(0);
  expect(paths.filter((path) => !stands(path))).toEqual([]);
});

/** Here, in an emitted project, which has a `src` too, or in the runtime. */
function stands(path: string): boolean {
  return ['', 'generated-examples/petstore', 'templates/runtime'].some((folder) =>
    existsSync(join(repositoryRoot, folder, path)),
  );
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
