/** Says in one line each what tools were called: who, what, how long, and what came of it. */
import { createHash } from 'node:crypto';
import { isRecord } from '../contract/json-value.ts';
import { RawJson } from '../core/answer.ts';
import type { Audit, AuditedCall, RequestContext } from '../core/call.ts';
import { type Params } from '../protocol/json-rpc.ts';
import { INTERNAL_ERROR, ProtocolError, ScopeError } from '../protocol/protocol-error.ts';
import { type Redact, redactNothing } from '../redact.ts';
import type { AuditLog } from './open-audit.ts';

/** Of what a client says: it may say anything. */
const LONGEST_NAME = 128;

export interface AuditOptions {
  server: string;
  log: Pick<AuditLog, 'add'>;
  /** What is shown of the arguments of a call; `withoutToken` takes the caller's token out. */
  show: (args: unknown, withoutToken: Redact) => unknown;
  /** Milliseconds since 1970. */
  now?: () => number;
}

type Outcome = 'ok' | 'tool-error' | 'input-required' | 'task' | 'refused' | 'error' | 'cancelled';

/** One line each, as JSON; absent members are not known. */
interface AuditLine {
  time: string;
  server: string;
  tool: string;
  /** Of a call that became a task, and of the task's end: the beginning of the SHA-256 of its id, in base64url. */
  task?: string;
  /** The beginning of the SHA-256 of the session's id, in base64url. */
  session?: string;
  subject?: string;
  issuer?: string;
  client?: string;
  /** Of who has no session. */
  address?: string;
  /** Security schemes for which the API was sent credentials of the subject. */
  onBehalf?: readonly string[];
  ms: number;
  outcome: Outcome;
  /** Of the JSON-RPC error. */
  code?: number;
  arguments?: unknown;
}

export function createAudit(options: AuditOptions): Audit {
  return { begin: (params, context) => auditedCall(params, context, options) };
}

/** @param task its mark, where the line is of a task's end */
function auditedCall(
  params: Params,
  context: RequestContext,
  options: AuditOptions,
  begun?: { task: string; start: number },
): AuditedCall {
  const { server, log, show, now = Date.now } = options;
  const start = begun?.start ?? now();
  const withoutToken = context.caller?.withoutToken ?? redactNothing;
  const schemes = new Set<string>();
  let task = begun?.task;
  let isOver = false;
  const end = (outcome: Outcome, code?: number): void => {
    if (isOver) return;
    isOver = true;
    const line: AuditLine = {
      time: new Date(start).toISOString(),
      server,
      ...whoOf(context),
      tool: nameOf(params, withoutToken),
      ...(task === undefined ? {} : { task }),
      ...(schemes.size === 0 ? {} : { onBehalf: [...schemes] }),
      ms: now() - start,
      outcome,
      ...(code === undefined ? {} : { code }),
      arguments: show(params['arguments'], withoutToken),
    };
    log.add(JSON.stringify(line));
  };
  return {
    done: (result) => end(outcomeOf(result)),
    failed: (thrown) => end(thrown instanceof ScopeError ? 'refused' : 'error', codeOf(thrown)),
    cancelled: () => end('cancelled'),
    onBehalf: (names) => names.forEach((name) => schemes.add(name)),
    becomes: (taskId) => {
      task = markOf(taskId);
      return auditedCall(params, context, options, { task, start });
    },
  };
}

/** Whoever knows the id itself may use the task. */
function markOf(taskId: string): string {
  return createHash('sha256').update(taskId).digest('base64url').slice(0, 16);
}

/** A client may say anything, its token too. */
function nameOf({ name }: Params, withoutToken: Redact): string {
  return typeof name === 'string' ? withoutToken(name).slice(0, LONGEST_NAME) : '';
}

function whoOf({ caller, session, address }: RequestContext): Partial<AuditLine> {
  const auth = caller?.auth;
  return {
    ...(session?.hash === undefined ? {} : { session: session.hash }),
    ...(auth === undefined ? {} : { subject: auth.subject, issuer: auth.issuer }),
    ...(auth?.clientId === undefined ? {} : { client: auth.clientId }),
    ...(address === undefined ? {} : { address }),
  };
}

function outcomeOf(result: object | RawJson): Outcome {
  if (result instanceof RawJson) {
    // Read only where it may be one: results can be long.
    const mayBeError = result.text.includes('"isError":true');
    return mayBeError && isToolError(JSON.parse(result.text)) ? 'tool-error' : 'ok';
  }
  if (isToolError(result)) return 'tool-error';
  if (!isRecord(result)) return 'ok';
  if (result['resultType'] === 'input_required') return 'input-required';
  return result['resultType'] === 'task' || 'task' in result ? 'task' : 'ok';
}

function isToolError(result: unknown): boolean {
  return isRecord(result) && result['isError'] === true;
}

function codeOf(thrown: unknown): number {
  return thrown instanceof ProtocolError ? thrown.code : INTERNAL_ERROR;
}
