// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** The audit log: a line of JSON for each call of a tool, whoever makes it. */
import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import type { Writable } from 'node:stream';
import { createRedactor, type Redact } from '../results.ts';
import type { Feature } from '../feature.ts';
import { isRecord } from '../json-rpc.ts';
import { getSetting, parseChoice, type Setting } from '../settings.ts';
import { type Env, UsageError } from '../types.ts';
import { type End, traceIds, watch, type Watched } from './watch.ts';
import { resolveFromWorkingFolder } from './working-folder.ts';

declare module '../feature.ts' {
  interface Call {
    /** Security schemes for which its request carries the caller's own credentials. */
    onBehalf?: readonly string[];
  }
}

const SETTINGS: readonly Setting[] = [
  { flag: 'audit', value: 'file|stderr', variable: 'MCP_AUDIT', help: 'Gets a JSON line of each tool call.' },
  {
    flag: 'audit-arguments',
    value: 'types|full',
    variable: 'MCP_AUDIT_ARGUMENTS',
    help: 'Arguments in that line: their types, or values without secrets.',
    default: 'types',
  },
];

/** Lines that a slow disk has not taken; more are dropped and counted. */
const WAITING_BYTES = 4 * 1024 * 1024;
const [NAMES, NAME_CHARACTERS, TEXT_CHARACTERS] = [50, 128, 4_096];
const SECRET_NAME = /key|token|secret|passw|passphrase|^pin$|sig|auth|credential|cookie|session|code/i;
const SECRET_VARIABLE = /(?:^|_)(?:KEY|TOKEN|SECRET|PASSWORD|PASSPHRASE|AUTHORIZATION|CREDENTIALS?)(?:_|$)/i;
const URL_PASSWORD = /^[a-z][a-z\d+.-]*:\/\/[^/?#:@]*:([^/?#]+)@/i;

export function audit(): Feature {
  let stream: Writable | undefined;
  let server = '';
  let show = describeTypes;
  let redactSecrets: Redact = String;
  let dropped = 0;
  const schemes = new WeakMap<object, readonly string[]>();
  const write = (line: object): void => void stream?.write(`${JSON.stringify({ ...line })}\n`);
  const begin = (watched: Watched) => {
    const { method, exchange, key, task } = watched;
    const start = task?.start ?? Date.now();
    return ({ outcome, error, taskId = task?.id }: End): void => {
      if (method !== 'tools/call' || stream === undefined) return;
      const time = new Date(start).toISOString();
      if (!stream.writable || stream.writableLength > WAITING_BYTES) return void dropped++;
      if (dropped > 0) write({ time, server, dropped });
      dropped = 0;
      const caller = exchange.caller ?? exchange.session.caller;
      // OAuth redacts parts of it, too.
      const redactToken = createRedactor(/\S{8,}$/.exec(exchange.request?.headers.authorization ?? '') ?? []);
      const redactHeader = (text: string): string => redactToken(redactSecrets(text));
      const redact = (text: string): string => redactHeader(caller?.redact?.(text) ?? text);
      const { name, arguments: args } = watched.params;
      write({
        ...{ time, server, trace_id: traceIds.get(key), ...describeCaller(exchange) },
        tool: typeof name === 'string' ? cut(redact(name), NAME_CHARACTERS) : '',
        task: taskId && hash(taskId),
        onBehalf: schemes.get(key),
        ms: Date.now() - start,
        outcome,
        code: error?.code,
        arguments: show(args, redact),
      });
    };
  };
  return {
    name: 'audit',
    settings: SETTINGS,
    ...watch(begin),
    aroundSend: (call, _, next) => {
      if (call.onBehalf !== undefined)
        schemes.set(call.origin === 'code' ? call : call.request.message, call.onBehalf);
      return next();
    },
    start: async ({ definition, report }, flags, env) => {
      const { name, value: place } = getSetting(flags, env, 'audit', 'MCP_AUDIT');
      const shown = getSetting(flags, env, 'audit-arguments', 'MCP_AUDIT_ARGUMENTS');
      if (parseChoice(shown, ['types', 'full']) === 'full') show = printValues;
      if (place === undefined && flags['audit-arguments'] !== undefined)
        throw new UsageError('--audit-arguments needs an audit log: --audit names its file, or stderr.');
      if (place === undefined) return;
      server = definition.info.name;
      redactSecrets = createRedactor(listSecrets(env));
      stream = place === 'stderr' ? process.stderr : await openFile(resolveFromWorkingFolder(name, place));
      stream.once('error', (cause) => {
        report(new Error('The audit log can no longer be written.', { cause }));
        stream?.on('error', () => undefined);
      });
    },
    stop: () =>
      new Promise<void>((resolve) => {
        if (stream?.writable !== true) resolve();
        else if (stream === process.stderr) stream.write('', () => resolve());
        else stream.end(resolve);
      }),
  };
}

/** The file shows who calls what: only its owner may read it. */
async function openFile(path: string): Promise<Writable> {
  try {
    return (await open(path, 'a', 0o600)).createWriteStream();
  } catch (cause) {
    const reason = (cause as Error).message;
    throw new UsageError(`The audit log ${path} can't be written to: ${reason}. Choose another.`, { cause });
  }
}

function describeCaller({ session, request, ...exchange }: Watched['exchange']): object {
  const { client } = session;
  // Another request of the session may have come with another token.
  const caller = exchange.caller ?? session.caller;
  // OAuth adds it.
  const { auth = {} } = (caller ?? {}) as {
    auth?: { issuer?: string; subject?: string; clientId?: string };
  };
  return {
    session: session.id && hash(session.id),
    ...(caller && { subject: auth.subject ?? caller.subject, issuer: auth.issuer, client: auth.clientId }),
    address: request !== undefined && (session.id ?? caller) === undefined ? client : undefined,
  };
}

/** Whoever knows the id of a session or a task may use it. */
function hash(id: string): string {
  return createHash('sha256').update(id).digest('base64url').slice(0, 16);
}

/** Without half a character at either end, which readers of the log would refuse. */
function cut(text: string, length: number): string {
  return text.slice(0, length).replace(/\p{Surrogate}/gu, '\ufffd');
}

function describeTypes(args: unknown, redact: Redact): unknown {
  const typeOf = (value: unknown): string => {
    if (Array.isArray(value)) return `array of ${value.length}`;
    return value === null ? 'null' : typeof value === 'bigint' ? 'number' : typeof value;
  };
  const members = Object.entries(isRecord(args) ? args : {}).slice(0, NAMES);
  return Object.fromEntries(members.map(([name, value]) => [cut(redact(name), 64), typeOf(value)]));
}

/** A text that was cut is no JSON, so the result is always a text. */
function printValues(args: unknown, redact: Redact): string {
  const hide = (name: string, value: unknown): unknown => {
    if (SECRET_NAME.test(name)) return '[redacted]';
    return typeof value === 'bigint' ? String(value) : value;
  };
  // What lies behind is left out, but a secret that begins before is not cut.
  const text = redact(JSON.stringify(args ?? {}, hide).slice(0, 2 * TEXT_CHARACTERS));
  return text.length > TEXT_CHARACTERS ? `${cut(text, TEXT_CHARACTERS)}…` : text;
}

function listSecrets(env: Env): string[] {
  return Object.entries(env).flatMap(([name, value = '']) => {
    if (name.startsWith('API_HEADERS')) return value.match(/[^\s:]{6,}/g) ?? [];
    return SECRET_VARIABLE.test(name) ? value : (URL_PASSWORD.exec(value)?.[1] ?? []);
  });
}
