/** The audit log: its settings, what it shows of arguments, and the file that it is written to. */
import { createWriteStream } from 'node:fs';
import { open } from 'node:fs/promises';
import type { Writable } from 'node:stream';
import type { OpenAudit } from '../core/call.ts';
import { type AuditSettings, type Environment, UsageError, named, resolveHere } from '../main/settings.ts';
import { secretsOf, redactor, type Redact } from '../redact.ts';
import { type AuditOptions, createAudit } from './audit.ts';
import type { FlagValues } from '../main/flags.ts';
import { isRecord } from '../contract/json-value.ts';

const BUFFER_CHARACTERS = 4 * 1024 * 1024;
const FLUSH_MS = 200;

/** @throws {UsageError} when the file can't be written to */
export async function openAudit(
  { to, full }: AuditSettings,
  server: string,
  { env, stderr, report }: { env: Environment; stderr: Writable; report: (thrown: unknown) => void },
): Promise<OpenAudit> {
  const log = new AuditLog(to === 'stderr' ? stderr : await appendTo(to), {
    bufferCharacters: BUFFER_CHARACTERS,
    flushMs: FLUSH_MS,
    report: (thrown) => report(new Error('The audit log can no longer be written.', { cause: thrown })),
    droppedLine: (dropped) => JSON.stringify({ time: new Date().toISOString(), server, dropped }),
  });
  const redact = redactor(secretsOf(env));
  const shown = full ? valuesOf : typesOf;
  const show: AuditOptions['show'] = (args, withoutToken) =>
    shown(args, (text) => redact(withoutToken(text)));
  return { audit: createAudit({ server, log, show }), flush: async () => log.flush() };
}

/** For the one who runs the server alone: lines say who calls what. */
async function appendTo(path: string): Promise<Writable> {
  try {
    await (await open(path, 'a', 0o600)).close();
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new UsageError(
      `The audit log ${path} can't be written to: ${reason}. --audit names a file, or stderr.`,
      {
        cause,
      },
    );
  }
  return createWriteStream(path, { flags: 'a', mode: 0o600 });
}

/** @throws {UsageError} naming the flag or variable whose value can't be used */
export function readAuditSettings(flags: FlagValues, env: Environment): AuditSettings | undefined {
  const [place, to] = named('--audit', flags.get('audit')?.[0], 'MCP_AUDIT', env['MCP_AUDIT']);
  const [name, shown = 'types'] = named(
    '--audit-arguments',
    flags.get('audit-arguments')?.[0],
    'MCP_AUDIT_ARGUMENTS',
    env['MCP_AUDIT_ARGUMENTS'],
  );
  if (shown !== 'types' && shown !== 'full')
    throw new UsageError(`${name} must be types or full, not ${shown}.`);
  if (to === undefined && name === '--audit-arguments' && flags.has('audit-arguments'))
    throw new UsageError(
      '--audit-arguments goes with an audit log: give --audit stderr, or a file, as well.',
    );
  if (to === undefined) return undefined;
  return { to: to === 'stderr' ? to : resolveHere(place, to), full: shown === 'full' };
}

/** Of arguments: a client may send any number, under names of any length. */
const MOST_NAMES = 50;
const LONGEST_NAME = 64;
/** Characters of the arguments of one line. */
const LONGEST_TEXT = 4_096;
const MOST_DEPTH = 8;

/** Names whose values are not for others. */
const SECRET_NAME = /key|token|secret|passw|passphrase|^pin$|sig|auth|credential|cookie|session|code/i;

/** Each argument's type, by its name, of which `redact` takes out what is known to be secret. */
export function typesOf(args: unknown, redact: Redact): Record<string, string> {
  if (!isRecord(args)) return {};
  const shown = Object.entries(args).slice(0, MOST_NAMES);
  return Object.fromEntries(
    shown.map(([name, value]) => [redact(name).slice(0, LONGEST_NAME), typeOf(value)]),
  );
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return `array of ${value.length}`;
  return typeof value === 'bigint' ? 'number' : typeof value;
}

/**
 * The arguments as JSON, their secrets left out; what is too long is cut, and no JSON any more, so it is a text either way.
 *
 * @param redact takes out what is known to be secret, under whatever name it comes
 */
export function valuesOf(args: unknown, redact: Redact): string {
  const text = redact(JSON.stringify(withoutSecrets(args, 0)) ?? '');
  return text.length > LONGEST_TEXT ? `${text.slice(0, LONGEST_TEXT)}…` : text;
}

function withoutSecrets(value: unknown, depth: number): unknown {
  if (typeof value === 'bigint') return String(value);
  if (typeof value !== 'object' || value === null) return value;
  if (depth > MOST_DEPTH) return '…';
  if (Array.isArray(value)) return value.map((each) => withoutSecrets(each, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [
      name,
      SECRET_NAME.test(name) ? '[redacted]' : withoutSecrets(each, depth + 1),
    ]),
  );
}

export interface AuditLogOptions {
  /** Characters that may wait. What comes when it is full is left out and counted. */
  bufferCharacters: number;
  /** Milliseconds that a line waits for others. */
  flushMs: number;
  /** Told once, when nothing can be written any more. */
  report: (thrown: unknown) => void;
  /** The line that says how many were left out, without its end. */
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
      this.#settle();
    });
  }

  /** @param line without its end */
  add(line: string): void {
    if (this.#characters + line.length > this.#options.bufferCharacters || this.#hasFailed) {
      this.#dropped++;
      return;
    }
    this.#push(line);
    this.#timer ??= setTimeout(() => this.#flush(), this.#options.flushMs).unref();
  }

  /** Resolves when all there is has been written, or can't be. */
  async flush(): Promise<void> {
    this.#flush();
    if (!this.#isWriting) return;
    await new Promise<void>((resolve) => this.#flushed.push(resolve));
  }

  #push(line: string): void {
    this.#waiting.push(`${line}\n`);
    this.#characters += line.length + 1;
  }

  #flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#isWriting || this.#hasFailed) return;
    if (this.#dropped > 0) this.#push(this.#options.droppedLine(this.#dropped));
    this.#dropped = 0;
    if (this.#waiting.length === 0) return this.#settle();
    const text = this.#waiting.join('');
    this.#waiting = [];
    this.#isWriting = true;
    this.#to.write(text, () => {
      this.#characters -= text.length;
      this.#isWriting = false;
      this.#flush();
    });
  }

  #settle(): void {
    this.#isWriting = false;
    for (const resolve of this.#flushed.splice(0)) resolve();
  }
}
