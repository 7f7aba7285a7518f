/** Reads the configurations and commands that docs/deploying.md shows. */
import { readFile } from 'node:fs/promises';

import { inRepository } from '../repository.mjs';

/** @returns {Promise<{ files: Record<string, string>, commands: string[] }>} files by the titles of their blocks; lines of `sh` */
export async function readDeployingPage() {
  const page = await readFile(inRepository('docs/deploying.md'), 'utf8');
  const blocks = [...page.matchAll(/^```(\w+)(?: title=(\S+))?\n(.*?)^```$/gms)];
  const titled = blocks.filter(([, , title]) => title !== undefined);
  return {
    files: Object.fromEntries(titled.map(([, , title, text]) => [title, text])),
    commands: blocks.flatMap(([, info, , text]) => (info === 'sh' ? text.trimEnd().split('\n') : [])),
  };
}
