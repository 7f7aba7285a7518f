/** Where things are in this repository. */
import path from 'node:path';

/** The repository's root, absolute. */
export const root = path.resolve(import.meta.dirname, '../..');

/** The built command line program, absolute. */
export const cli = path.join(root, 'dist/bin/mcpgen.js');

export function inRepository(...parts) {
  return path.join(root, ...parts);
}
