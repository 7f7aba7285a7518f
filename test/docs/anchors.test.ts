// Links into the middle of a page find the heading that they name.
import { existsSync } from 'node:fs';
import { join, posix } from 'node:path';
import { expect, test } from 'vitest';
import { repositoryRoot } from '../architecture/support/source-files.ts';
import { pageNames, read } from './blocks.ts';

/** As GitHub makes it of a heading. */
function anchorOf(heading: string): string {
  const plain = heading.toLowerCase().replace(/[^\p{L}\p{N} _-]/gu, '');
  return plain.replaceAll(' ', '-');
}

function headingsOf(page: string): string[] {
  const text = read(page).replace(/^(`{3,}).*?^\1$/gms, '');
  return [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => anchorOf(heading));
}

test.each(pageNames())('%s', (page) => {
  const links = [...read(page).matchAll(/\]\(([\w./-]*\.md)?#([^)\s]+)\)/g)];
  const lost = links.filter(([, file, anchor = '']) => {
    const target = file === undefined ? page : posix.join(posix.dirname(page), file);
    return !headingsOf(target).includes(anchor);
  });
  expect(lost.map(([link]) => link)).toEqual([]);
});

test.each(pageNames())('the pages that %s links to are there', (page) => {
  const links = [...read(page).matchAll(/\]\(([\w./-]+\.md)[#)]/g)].map(([, file = '']) => file);
  const lost = links.filter((file) => !existsSync(join(repositoryRoot, posix.dirname(page), file)));
  expect(lost).toEqual([]);
});
