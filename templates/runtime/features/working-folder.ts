// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Paths that an operator gives, from the folder that a client starts the server in. */
import { lstatSync } from 'node:fs';
import { isAbsolute, resolve } from 'node:path';
import { UsageError } from '../types.ts';

/**
 * Resolves a path from the working folder, whose files may be anyone's: a link there could lead the server elsewhere.
 * @throws {UsageError} if a relative path leads through a link
 */
export function resolveFromWorkingFolder(name: string, value: string): string {
  if (isAbsolute(value)) return resolve(value);
  let path = resolve();
  for (const part of value.split(/[\\/]/)) {
    path = resolve(path, part);
    if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() !== true) continue;
    throw new UsageError(
      `${name} must not lead through a link of the working folder, as ${value} does. Give the whole path of the place.`,
    );
  }
  return path;
}
