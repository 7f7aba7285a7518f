// Every path that the documentation names exists: the best architecture page drifts otherwise.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { repositoryRoot } from './support/source-files.ts';

const PAGES = ['ARCHITECTURE.md', 'CONTRIBUTING.md', 'README.md'];
const TOP_LEVEL = /^(src|templates|test|fixtures|generated-examples|scripts|docs|schema|\.ci)(\/|$)/;

/** Paths between backticks that start at a top-level folder, and relative links. */
function pathsIn(page: string): string[] {
  const text = readFileSync(join(repositoryRoot, page), 'utf8');
  const quoted = [...text.matchAll(/`([^`\s]+)`/g)]
    .map(([, path]) => path ?? '')
    .filter((path) => TOP_LEVEL.test(path));
  const linked = [...text.matchAll(/\]\((?!https?:|#)([^)#]+)\)/g)].map(([, path]) => path ?? '');
  return [...quoted, ...linked];
}

test.each(PAGES)('%s names only paths that exist', (page) => {
  const paths = pathsIn(page);
  expect(paths.length).toBeGreaterThan(0);
  expect(paths.filter((path) => !stands(path))).toEqual([]);
});

/** Here, or in an emitted project: both have a `src`. */
function stands(path: string): boolean {
  return ['', 'generated-examples/petstore'].some((folder) => existsSync(join(repositoryRoot, folder, path)));
}
