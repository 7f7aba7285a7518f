/** The documents of `fixtures/` and of two of its folders, which compile by themselves. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';

export const fixtures = new URL('../../fixtures/', import.meta.url).pathname;

/** From `fixtures`. */
export const documents = ['.', 'features', 'hostile'].flatMap((folder) =>
  readdirSync(join(fixtures, folder))
    .filter((name) => /\.(json|ya?ml)$/.test(name))
    .map((name) => join(folder, name)),
);
