// Links into the middle of a page find the heading that they name.
import { readdirSync } from 'node:fs';
import { join, posix } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../e2e/support/command.ts';
import { read } from './blocks.ts';

const pages = [
  'README.md',
  ...readdirSync(join(root, 'docs'))
    .filter((file) => file.endsWith('.md'))
    .map((file) => `docs/${file}`),
];

/** As GitHub makes it of a heading. */
function anchorOf(heading: string): string {
  const plain = heading.toLowerCase().replace(/[^\p{L}\p{N} _-]/gu, '');
  return plain.replaceAll(' ', '-');
}

function headingsOf(page: string): string[] {
  const text = read(page).replace(/^(`{3,}).*?^\1$/gms, '');
  return [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => anchorOf(heading));
}

test.each(pages)('%s', (page) => {
  const links = [...read(page).matchAll(/\]\(([\w./-]*\.md)?#([^)\s]+)\)/g)];
  const lost = links.filter(([, file, anchor = '']) => {
    const target = file === undefined ? page : posix.join(posix.dirname(page), file);
    return !headingsOf(target).includes(anchor);
  });
  expect(lost.map(([link]) => link)).toEqual([]);
});
