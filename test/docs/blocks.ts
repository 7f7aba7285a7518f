/** The fenced blocks of the documentation. */
import { readFileSync } from 'node:fs';
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

/** In order. */
export function blocksOf(page: string): Block[] {
  return [...read(page).matchAll(/^```(\w+[^\n]*)\n(.*?)^```$/gms)].map(([, info = '', text = '']) => ({
    info,
    text,
  }));
}

/** What stands behind `title=`: the file a block is. */
export function fileOf({ info }: Block): string | undefined {
  return / title=(\S+)/.exec(info)?.[1];
}
