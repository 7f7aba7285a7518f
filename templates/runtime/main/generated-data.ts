import { readFileSync } from 'node:fs';

/** @throws {Error} in words for the one who starts the server, when the file can't be read. */
export function readGenerated(folder: URL, name: 'catalog.json' | 'bindings.json'): string {
  try {
    return readFileSync(new URL(name, folder), 'utf8');
  } catch (thrown) {
    const reason = thrown instanceof Error ? thrown.message : String(thrown);
    throw new Error(`The server's data can't be read, so there is nothing to serve. ${reason}`, {
      cause: thrown,
    });
  }
}
