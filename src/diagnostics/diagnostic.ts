import type { Origin } from '../model/origin.ts';
import type { DiagnosticName } from './registry.ts';
import type { Severity } from './severity.ts';

/** A problem with the user's input, as a value. A bug of ours is thrown instead. */
export interface Diagnostic {
  /** Permanent: `MCPG101`. */
  code: string;
  /** Permanent and readable: `unreadable-file`. */
  name: DiagnosticName;
  severity: Severity;
  /** What happened and why it matters, in full sentences. */
  message: string;
  /** What to do. */
  hint?: string;
  /** Absent when the problem has no place in a source (a flag, the target folder). */
  origin?: Origin;
  /** Other places that belong to the problem. */
  related?: RelatedPlace[];
  /** Whose it is, of a configuration of several servers. */
  server?: string;
}

/** What is said of it: where there are several servers, whose it is. */
export function messageOf({ server, message }: Pick<Diagnostic, 'message' | 'server'>): string {
  return server === undefined ? message : `[${server}] ${message}`;
}

export interface RelatedPlace {
  message: string;
  origin: Origin;
}
