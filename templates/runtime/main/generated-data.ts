/** The data that a project was compiled to. */
import { readFileSync } from 'node:fs';

/** @throws {Error} in words, where a file is missing */
export function readGenerated(
  folder: URL,
  name: 'catalog.json' | 'bindings.json' | 'features.json' | 'mock.json',
): string {
  try {
    return readFileSync(new URL(name, folder), 'utf8');
  } catch (thrown) {
    const reason = thrown instanceof Error ? thrown.message : String(thrown);
    throw new Error(`The server's data can't be read, so there is nothing to serve. ${reason}`, {
      cause: thrown,
    });
  }
}
