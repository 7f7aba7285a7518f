import type { Origin } from '../model/origin.ts';
import type { DiagnosticName } from './registry.ts';
import type { Severity } from './severity.ts';

/** A problem of the user's input, as a value. Bugs of mcpgen are thrown instead. */
export interface Diagnostic {
  /** Permanent: `MCPG101`. */
  code: string;
  /** Permanent and readable: `unreadable-file`. */
  name: DiagnosticName;
  severity: Severity;
  /** The problem and its effect, in full sentences. */
  message: string;
  /** The next step for the user. */
  hint?: string;
  /** Absent if the problem has no place in a source (a flag, the target folder). */
  origin?: Origin;
  related?: RelatedPlace[];
  /** The server, of a configuration with several. */
  server?: string;
}

/** The message, with the server's name if there are several. */
export function messageOf({ server, message }: Pick<Diagnostic, 'message' | 'server'>): string {
  return server === undefined ? message : `[${server}] ${message}`;
}

export interface RelatedPlace {
  message: string;
  origin: Origin;
}
