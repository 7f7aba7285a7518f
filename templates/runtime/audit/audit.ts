// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Writes a line for each tool call: caller, tool, duration and outcome. */
import { createHash } from 'node:crypto';
import { isRecord } from '../contract/json-value.ts';
import { RawJson } from '../core/answer.ts';
import type { Audit, AuditedCall, RequestContext } from '../core/call.ts';
import { type Params } from '../protocol/json-rpc.ts';
import { INTERNAL_ERROR, ProtocolError, ScopeError } from '../protocol/protocol-error.ts';
import { type Redact, redactNothing } from '../redact.ts';
import type { AuditLog } from './open-audit.ts';

/** A client may send a name of any length. */
const LONGEST_TOOL = 128;

export interface AuditOptions {
  server: string;
  log: Pick<AuditLog, 'add'>;
  /** Makes the `arguments` of the line; `withoutToken` removes the caller's token. */
  show: (args: unknown, withoutToken: Redact) => unknown;
  /** Milliseconds since 1970. */
  now?: () => number;
}

type Outcome = 'ok' | 'tool-error' | 'input-required' | 'task' | 'refused' | 'error' | 'cancelled';

interface AuditLine {
  time: string;
  server: string;
  tool: string;
  /** The beginning of the SHA-256 of the task's id, in base64url: on the lines of its start and of its end. */
  task?: string;
  /** The beginning of the SHA-256 of the session's id, in base64url. */
  session?: string;
  subject?: string;
  issuer?: string;
  client?: string;
  /** The address of a client without a session. */
  address?: string;
  /** The security schemes whose credentials were the caller's own. */
  onBehalf?: readonly string[];
  ms: number;
  outcome: Outcome;
  /** The code of the JSON-RPC error. */
  code?: number;
  arguments?: unknown;
}

export function createAudit(options: AuditOptions): Audit {
  return { begin: (params, context) => auditedCall(params, context, options) };
}

/** @param begun the call that became a task, whose end this is */
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
      ...describeCaller(context),
      tool: readToolName(params, withoutToken),
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
    done: (result) => end(readOutcome(result)),
    failed: (thrown) =>
      end(
        thrown instanceof ScopeError ? 'refused' : 'error',
        thrown instanceof ProtocolError ? thrown.code : INTERNAL_ERROR,
      ),
    cancelled: () => end('cancelled'),
    onBehalf: (names) => names.forEach((name) => schemes.add(name)),
    becomes: (taskId) => {
      task = hashTaskId(taskId);
      return auditedCall(params, context, options, { task, start });
    },
  };
}

/** The log must not contain the id itself, since everyone who knows it may use the task. */
function hashTaskId(taskId: string): string {
  return createHash('sha256').update(taskId).digest('base64url').slice(0, 16);
}

/** The name may contain the caller's token. */
function readToolName({ name }: Params, withoutToken: Redact): string {
  return typeof name === 'string' ? withoutToken(name).slice(0, LONGEST_TOOL) : '';
}

function describeCaller({ caller, session, address }: RequestContext): Partial<AuditLine> {
  const auth = caller?.auth;
  return {
    ...(session?.hash === undefined ? {} : { session: session.hash }),
    ...(auth === undefined ? {} : { subject: auth.subject, issuer: auth.issuer }),
    ...(auth?.clientId === undefined ? {} : { client: auth.clientId }),
    ...(address === undefined ? {} : { address }),
  };
}

function readOutcome(result: object | RawJson): Outcome {
  if (result instanceof RawJson) {
    // Results can be long, so only those that may be an error are parsed.
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
