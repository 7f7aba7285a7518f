// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** The process of a server, the files it reads and the errors it reports, for all modules of `main`. */
import { readFileSync } from 'node:fs';
import type { LiveServer, ServerInstance } from '../core/server-instance.ts';
import type { ServerDefinition } from '../definition.ts';
import type { LineWriter } from '../transports/stdio.ts';

/**
 * Gets the server before its first message is read. `open` makes the instance that replaces `predecessor`, and rejects if
 * the definition can't be served.
 */
export type Watch = (
  live: LiveServer,
  open: (definition: ServerDefinition, predecessor: ServerInstance) => Promise<ServerInstance>,
) => void;

export interface ProcessContext {
  host: NodeJS.Process;
  writer: LineWriter;
  tell: (words: string) => void;
  report: (thrown: unknown) => void;
  watch: Watch | undefined;
  /** Warns if the working folder has a `.env` that was not read. */
  tellUnread: () => Promise<void>;
}

/** @throws {Error} if the file is missing */
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

/** The stack names the place in the user's code, for the log alone. */
export function readStack(thrown: unknown): string {
  try {
    return String(thrown instanceof Error ? (thrown.stack ?? thrown.message) : thrown);
  } catch {
    return 'Something was thrown that has no text.';
  }
}
