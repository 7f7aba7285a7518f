/** The fenced blocks of the documentation. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot } from '../architecture/support/source-files.ts';

export interface Block {
  /** The words after the fence. */
  info: string;
  text: string;
}

export function read(page: string): string {
  return readFileSync(join(repositoryRoot, page), 'utf8');
}

/** The README and every page of docs/, records of decisions apart. */
export function pageNames(): string[] {
  const found = readdirSync(join(repositoryRoot, 'docs'), { recursive: true, encoding: 'utf8' })
    .map((file) => `docs/${file.replaceAll('\\', '/')}`)
    .filter((file) => file.endsWith('.md') && !file.startsWith('docs/adr/'));
  return ['README.md', ...found.sort()];
}

/** In order. */
export function blocksOf(page: string): Block[] {
  return [...read(page).matchAll(/^```(\w+[^\n]*)\n(.*?)^```$/gms)].map(([, info = '', text = '']) => ({
    info,
    text,
  }));
}

/** The file of a block, named after `title=`. */
export function fileOf({ info }: Block): string | undefined {
  return / title=(\S+)/.exec(info)?.[1];
}
