import { mkdirSync, symlinkSync } from 'node:fs';
import path from 'node:path';

import { inRepository } from './repository.mjs';

/**
 * Gives a project the packages that it is built with, from this repository and without a registry. Its TypeScript is
 * the version that emitted projects ask for.
 */
export function linkPackages(project) {
  const folder = path.join(project, 'node_modules');
  for (const below of ['@redis', '@types', '.bin']) mkdirSync(path.join(folder, below), { recursive: true });
  const link = (from, to = from) => symlinkSync(inRepository('node_modules', from), path.join(folder, to));
  for (const name of ['@redis/client', '@types/node', 'undici-types', 'jose']) link(name);
  link('typescript-7', 'typescript');
  link('typescript-7/bin/tsc', '.bin/tsc');
}
