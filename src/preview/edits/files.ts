import { lstatSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';

import { Refusal } from '../problem.ts';

/** Reads a file; `undefined` if there is none. @throws {Refusal} if it could not be restored byte by byte */
export function readEditableFile(path: string): string | undefined {
  const entry = lstatSync(path, { throwIfNoEntry: false });
  if (entry === undefined) return undefined;
  // A repository may have planted a link that leads out of it.
  if (!entry.isFile()) throw new Refusal(409, `${basename(path)} is no plain file, and is not changed.`);
  const bytes = readFileSync(path);
  const text = bytes.toString('utf8');
  if (!Buffer.from(text).equals(bytes))
    throw new Refusal(409, `${basename(path)} is not UTF-8, and is not changed.`);
  return text;
}
