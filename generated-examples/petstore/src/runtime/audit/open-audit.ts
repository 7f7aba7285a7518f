// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** The audit log: its settings, what it shows of arguments, and the file that it is written to. */
import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import type { Writable } from 'node:stream';

import { cutToWellFormedText } from '../contract/http-syntax.ts';
import { isRecord } from '../contract/json-value.ts';
import { type Audit, type AuditedCall, type OpenAudit, RawJson, type RequestContext } from '../core/call.ts';
import type { TraceIds } from '../feature-loaders.ts';
import type { FlagValues } from '../main/command-line.ts';
import {
  type AuditSettings,
  type Environment,
  parseChoice,
  getSetting,
  resolveFromWorkingFolder,
} from '../main/settings.ts';
import { UsageError } from '../contract/feature.ts';
import { INTERNAL_ERROR, type Params, ProtocolError, ScopeError } from '../protocol/json-rpc.ts';
import { type Redact, redactNothing, createRedactor, listSecrets } from '../redact.ts';

const BUFFER_CHARACTERS = 4 * 1024 * 1024;
const FLUSH_MS = 200;

export async function openAudit(
  { to, full }: AuditSettings,
  server: string,
  { env, stderr, report }: { env: Environment; stderr: Writable; report: (thrown: unknown) => void },
): Promise<OpenAudit> {
  const log = new AuditLog(to === 'stderr' ? stderr : await openAppendStream(to), {
    bufferCharacters: BUFFER_CHARACTERS,
    flushMs: FLUSH_MS,
    report: (thrown) => report(new Error('The audit log can no longer be written.', { cause: thrown })),
    droppedLine: (dropped) => JSON.stringify({ time: new Date().toISOString(), server, dropped }),
  });
  const redact = createRedactor(listSecrets(env));
  const shown = full ? printArgumentValues : mapArgumentTypes;
  const show: AuditOptions['show'] = (args, withoutToken) =>
    shown(args, (text) => redact(withoutToken(text)));
  return { audit: createAudit({ server, log, show }), flush: async () => log.flush() };
}

/** The file is readable for the operator alone, since lines show who calls what. */
async function openAppendStream(path: string): Promise<Writable> {
  try {
    return (await open(path, 'a', 0o600)).createWriteStream();
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new UsageError(
      `The audit log ${path} can't be written to: ${reason}. --audit names a file, or stderr.`,
      { cause },
    );
  }
}

export function readAuditSettings(flags: FlagValues, env: Environment): AuditSettings | undefined {
  const [place, to] = getSetting(flags, env, 'audit', 'MCP_AUDIT');
  const [name, value = 'types'] = getSetting(flags, env, 'audit-arguments', 'MCP_AUDIT_ARGUMENTS');
  const shown = parseChoice(name, value, ['types', 'full']);
  if (to === undefined && flags.has('audit-arguments'))
    throw new UsageError(
      '--audit-arguments goes with an audit log: give --audit stderr, or a file, as well.',
    );
  if (to === undefined) return undefined;
  return { to: to === 'stderr' ? to : resolveFromWorkingFolder(place, to), full: shown === 'full' };
}

/** A client may send any number of arguments, with names of any length. */
const MOST_NAMES = 50;
const LONGEST_NAME = 64;
const LONGEST_TEXT = 4_096;
const MOST_DEPTH = 8;

const SECRET_NAME = /key|token|secret|passw|passphrase|^pin$|sig|auth|credential|cookie|session|code/i;

export function mapArgumentTypes(args: unknown, redact: Redact): Record<string, string> {
  if (!isRecord(args)) return {};
  const shown = Object.entries(args).slice(0, MOST_NAMES);
  return Object.fromEntries(
    shown.map(([name, value]) => [cutToWellFormedText(redact(name), LONGEST_NAME), describeType(value)]),
  );
}

function describeType(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return `array of ${value.length}`;
  return typeof value === 'bigint' ? 'number' : typeof value;
}

/**
 * A long text is cut and is no JSON any more, so the result is always a text.
 * @param redact removes known secrets under any name
 */
export function printArgumentValues(args: unknown, redact: Redact): string {
  const text = redact(JSON.stringify(redactSecretMembers(args, 0)) ?? '');
  return text.length > LONGEST_TEXT ? `${cutToWellFormedText(text, LONGEST_TEXT)}…` : text;
}

function redactSecretMembers(value: unknown, depth: number): unknown {
  if (typeof value === 'bigint') return String(value);
  if (typeof value !== 'object' || value === null) return value;
  if (depth > MOST_DEPTH) return '…';
  if (Array.isArray(value)) return value.map((each) => redactSecretMembers(each, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [
      name,
      SECRET_NAME.test(name) ? '[redacted]' : redactSecretMembers(each, depth + 1),
    ]),
  );
}

export interface AuditLogOptions {
  /** While the buffer is full, lines are dropped and counted. */
  bufferCharacters: number;
  flushMs: number;
  report: (thrown: unknown) => void;
  droppedLine: (count: number) => string;
}

export class AuditLog {
  readonly #to: Writable;
  readonly #options: AuditLogOptions;
  #waiting: string[] = [];
  #characters = 0;
  #dropped = 0;
  #isWriting = false;
  #hasFailed = false;
  #timer: NodeJS.Timeout | undefined;
  #flushed: (() => void)[] = [];

  constructor(to: Writable, options: AuditLogOptions) {
    this.#to = to;
    this.#options = options;
    to.on('error', (thrown) => {
      if (!this.#hasFailed) options.report(thrown);
      this.#hasFailed = true;
      this.#resolveFlushes();
    });
  }

  /** @param line without a line break */
  add(line: string): void {
    if (this.#characters + line.length > this.#options.bufferCharacters || this.#hasFailed) {
      this.#dropped++;
      return;
    }
    this.#queueLine(line);
    this.#timer ??= setTimeout(() => this.#writeQueue(), this.#options.flushMs).unref();
  }

  async flush(): Promise<void> {
    this.#writeQueue();
    if (!this.#isWriting) return;
    await new Promise<void>((resolve) => this.#flushed.push(resolve));
  }

  #queueLine(line: string): void {
    this.#waiting.push(`${line}\n`);
    this.#characters += line.length + 1;
  }

  #writeQueue(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#isWriting || this.#hasFailed) return;
    if (this.#dropped > 0) this.#queueLine(this.#options.droppedLine(this.#dropped));
    this.#dropped = 0;
    if (this.#waiting.length === 0) return this.#resolveFlushes();
    const text = this.#waiting.join('');
    this.#waiting = [];
    this.#isWriting = true;
    this.#to.write(text, () => {
      this.#characters -= text.length;
      this.#isWriting = false;
      this.#writeQueue();
    });
  }

  #resolveFlushes(): void {
    this.#isWriting = false;
    for (const resolve of this.#flushed.splice(0)) resolve();
  }
}

const LONGEST_TOOL = 128;

export interface AuditOptions {
  server: string;
  log: Pick<AuditLog, 'add'>;
  /** `withoutToken` removes the caller's token. */
  show: (args: unknown, withoutToken: Redact) => unknown;
  now?: () => number;
}

export type Outcome = 'ok' | 'tool-error' | 'input-required' | 'task' | 'refused' | 'error' | 'cancelled';

interface AuditLine {
  time: string;
  server: string;
  tool: string;
  /** Base64url of the beginning of the id's SHA-256: on the lines of a task's start and end. */
  task?: string | undefined;
  session?: string | undefined;
  trace_id?: string | undefined;
  subject?: string | undefined;
  issuer?: string | undefined;
  client?: string | undefined;
  address?: string | undefined;
  onBehalf?: readonly string[] | undefined;
  ms: number;
  outcome: Outcome;
  code?: number | undefined;
  arguments?: unknown;
}

export function createAudit(options: AuditOptions): Audit {
  return {
    begin: ({ method, params }, context, _, trace) =>
      method === 'tools/call' ? createAuditedCall(params, context, { ...options, trace }) : undefined,
  };
}

/** @param begun the call that became a task, whose end this is */
function createAuditedCall(
  params: Params,
  context: RequestContext,
  options: AuditOptions & { trace?: TraceIds | undefined },
  begun?: { task: string; start: number },
): AuditedCall {
  const { server, log, show, now = Date.now, trace } = options;
  const start = begun?.start ?? now();
  const withoutToken = context.caller?.withoutToken ?? redactNothing;
  const schemes = new Set<string>();
  let task = begun?.task;
  let isOver = false;
  const writeAuditLine = (outcome: Outcome, code?: number): void => {
    if (isOver) return;
    isOver = true;
    const line: AuditLine = {
      time: new Date(start).toISOString(),
      server,
      trace_id: trace?.traceId,
      ...describeCaller(context),
      tool: readToolName(params, withoutToken),
      task,
      onBehalf: schemes.size === 0 ? undefined : [...schemes],
      ms: now() - start,
      outcome,
      code,
      arguments: show(params['arguments'], withoutToken),
    };
    log.add(JSON.stringify(line));
  };
  return {
    done: (result) => writeAuditLine(classifyOutcome(result)),
    failed: (thrown) =>
      writeAuditLine(
        thrown instanceof ScopeError ? 'refused' : 'error',
        thrown instanceof ProtocolError ? thrown.code : INTERNAL_ERROR,
      ),
    cancelled: () => writeAuditLine('cancelled'),
    onBehalf: (names) => names.forEach((name) => schemes.add(name)),
    continueAsTask: (taskId) => {
      task = hashTaskId(taskId);
      return createAuditedCall(params, context, options, { task, start });
    },
  };
}

/** The log has a hash of the id, since everyone who knows the id may use the task. */
function hashTaskId(taskId: string): string {
  return createHash('sha256').update(taskId).digest('base64url').slice(0, 16);
}

/** The name may contain the caller's token. */
function readToolName({ name }: Params, withoutToken: Redact): string {
  return typeof name === 'string' ? cutToWellFormedText(withoutToken(name), LONGEST_TOOL) : '';
}

function describeCaller({ caller, session, address }: RequestContext): Partial<AuditLine> {
  const auth = caller?.auth;
  return {
    session: session?.hash,
    subject: auth?.subject,
    issuer: auth?.issuer,
    client: auth?.clientId,
    address,
  };
}

export function classifyOutcome(result: object | RawJson): Outcome {
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
