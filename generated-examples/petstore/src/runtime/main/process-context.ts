import type { LiveServer, ServerInstance } from '../core/server-instance.ts';
import type { ServerDefinition } from '../definition.ts';
import type { LineWriter } from '../transports/stdio.ts';

/**
 * Told of the server before its first message is read. `open` makes the project that takes the place of `predecessor`;
 * it rejects when the definition can't be served.
 */
export type Watch = (
  live: LiveServer,
  open: (definition: ServerDefinition, predecessor: ServerInstance) => Promise<ServerInstance>,
) => void;

/** What a server has of its process. */
export interface ProcessContext {
  host: NodeJS.Process;
  writer: LineWriter;
  tell: (words: string) => void;
  report: (thrown: unknown) => void;
  watch: Watch | undefined;
  /** Says that `.env` of the working folder is not read, where there is one. */
  tellUnread: () => Promise<void>;
}
