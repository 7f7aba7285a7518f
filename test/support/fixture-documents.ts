/** The documents of `fixtures/` and of two of its folders, which compile by themselves. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const fixtures = fileURLToPath(new URL('../../fixtures/', import.meta.url));

/** From `fixtures`. */
export const documents = ['.', 'features', 'hostile'].flatMap((folder) =>
  readdirSync(join(fixtures, folder))
    .filter((name) => /\.(json|ya?ml)$/.test(name))
    .map((name) => join(folder, name)),
);
