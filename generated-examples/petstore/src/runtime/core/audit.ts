/** What is told of each call of a tool. Types only: few servers keep an audit log. */
import type { Params } from '../protocol/json-rpc.ts';
import type { RawJson } from './answer.ts';
import type { RequestContext } from './call.ts';

export interface Audit {
  begin(params: Params, context: RequestContext): AuditedCall;
}

/** The first of these counts. */
export interface AuditedCall {
  done(result: object | RawJson): void;
  /** With what refused it, or went wrong. */
  failed(thrown: unknown): void;
  cancelled(): void;
  /** The API is called with credentials of the one who calls, for these security schemes. */
  onBehalf(schemes: readonly string[]): void;
  /** It became a task, whose end is told apart. */
  becomes(taskId: string): AuditedCall;
}

export interface OpenAudit {
  audit: Audit;
  /** Resolves when all lines are written. */
  flush: () => Promise<void>;
}
