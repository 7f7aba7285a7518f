/** Starts the built server as a client does, and calls one tool that only reads. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { isRecord } from '../../templates/runtime/json-rpc.ts';
import type { BuiltProject } from '../project/built-project.ts';
import { type Check, makeFailedCheck, makePassedCheck, makeSkippedCheck } from './check.ts';
import { SIGN_IN } from './check-login.ts';
import type { Environment } from './check-network.ts';
import { tryParseJson } from '../util/try-parse-json.ts';

const TIMEOUT = 30_000;

interface Start {
  node: string;
  cwd: string;
  tools: readonly string[];
  calls: string | undefined;
  isMock: boolean;
}

/** `calls` is the reason to call no tool. If it is undefined, the first of `tools` that only reads and needs no argument is called. */
export async function checkServer(
  project: BuiltProject,
  env: Environment,
  { node, cwd, tools, calls, isMock }: Start,
): Promise<Check[]> {
  const options = [...(project.hasSearch ? ['--surface', 'tools'] : []), ...(isMock ? ['--mock'] : [])];
  const child = spawn(node, [project.program, ...options], { cwd, env: { ...env } });
  const timer = setTimeout(() => child.kill(), TIMEOUT);
  const stderr = collectStderr(child);
  try {
    const client = new Client(child);
    const started = await client.request('initialize', {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'mcpgen-doctor', version: '1' },
    });
    if (!isRecord(started))
      return [makeFailedStartCheck(stderr()), makeSkippedCheck('credentials', 'the server does not start')];
    client.notify('notifications/initialized');
    const listed = await client.request('tools/list', {});
    const all: unknown[] = isRecord(listed) && Array.isArray(listed['tools']) ? listed['tools'] : [];
    const start = makePassedCheck('start', `lists ${String(all.length)} tools over stdio`);
    const credentials =
      calls === undefined
        ? await checkCredentials(client, tools, all)
        : makeSkippedCheck('credentials', calls);
    // Modules of functions may still be loading: a server that is left waits for them.
    const code = await client.close();
    return [code === 0 || code === null ? start : makeFailedStartCheck(stderr()), credentials];
  } finally {
    clearTimeout(timer);
    child.kill();
  }
}

function collectStderr(child: ChildProcessWithoutNullStreams): () => string {
  let text = '';
  child.stderr.setEncoding('utf8').on('data', (piece: string) => {
    text = (text + piece).slice(-10_000);
  });
  return () => text;
}

/** Makes a check of a failed start. The server's own output may be shown, since it has no secrets. */
function makeFailedStartCheck(stderr: string): Check {
  const lines = stderr
    .trim()
    .split('\n')
    .filter((line) => line.trim() !== '');
  const thrown = lines.find((line) => /^\w*Error\b.*:/.test(line));
  const says = thrown ?? lines[0] ?? 'it ends without a word';
  return makeFailedCheck('start', says, 'start it by hand to see more: `node dist/main.js` in the folder');
}

async function checkCredentials(
  client: Client,
  names: readonly string[],
  listed: readonly unknown[],
): Promise<Check> {
  const harmless = listed.filter(isReadOnlyWithoutArguments);
  const tool = names.flatMap((name) => harmless.filter((each) => each.name === name))[0];
  if (tool === undefined) return makeSkippedCheck('credentials', 'no tool reads without arguments');
  const result = await client.request('tools/call', { name: tool.name, arguments: {} });
  const fail = (says: string, next = 'call it by hand with `npm run inspect`'): Check =>
    makeFailedCheck('credentials', `${tool.name}${says}`, next);
  if (!isRecord(result)) return fail(' was not answered');
  const text = firstTextContent(result);
  // The page that the text names ends with this server.
  const reason = 'the API needs its user to sign in';
  if (text.includes(reason)) return fail(`: ${reason}`, SIGN_IN);
  const status = /answered (\d{3})\b/.exec(text)?.[1];
  const advice = /^(?:Check|Set) .*$/m.exec(text)?.[0];
  if (status === '401' || status === '403')
    return fail(`: the API answers ${status}`, advice ?? 'check the credentials in .env of the project');
  if (result['isError'] !== true) return makePassedCheck('credentials', `${tool.name} is answered`);
  return status === undefined
    ? fail(`: ${text.split('\n')[0] ?? ''}`, advice)
    : makePassedCheck('credentials', `${tool.name} is let in; the API answers ${status}`);
}

function firstTextContent({ content }: Record<string, unknown>): string {
  const [first]: unknown[] = Array.isArray(content) ? content : [];
  return isRecord(first) && typeof first['text'] === 'string' ? first['text'] : '';
}

function isReadOnlyWithoutArguments(tool: unknown): tool is { name: string } {
  if (!isRecord(tool) || typeof tool['name'] !== 'string') return false;
  const { annotations, inputSchema } = tool;
  const required = isRecord(inputSchema) ? inputSchema['required'] : undefined;
  const isFree = !Array.isArray(required) || required.length === 0;
  return isFree && isRecord(annotations) && annotations['readOnlyHint'] === true;
}

/** Requests over stdio, one at a time. An ended server answers `undefined`. */
class Client {
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #waiting = new Map<unknown, (result: unknown) => void>();
  #last = 0;
  #isOver = false;

  constructor(child: ChildProcessWithoutNullStreams) {
    this.#child = child;
    const resolvePendingRequests = (): void => {
      this.#isOver = true;
      for (const resolve of this.#waiting.values()) resolve(undefined);
    };
    child.once('close', resolvePendingRequests).once('error', resolvePendingRequests);
    child.stdin.on('error', () => undefined);
    createInterface({ input: child.stdout }).on('line', (line) => this.#handleMessage(line));
  }

  /** Resolves to the exit code, or to null after a signal. */
  async close(): Promise<number | null> {
    this.#child.stdin.end();
    if (!this.#isOver) await once(this.#child, 'close');
    return this.#child.exitCode;
  }

  notify(method: string): void {
    this.#child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', method })}\n`);
  }

  async request(method: string, params: object): Promise<unknown> {
    this.#last += 1;
    const id = this.#last;
    if (this.#isOver) return undefined;
    return new Promise((resolve) => {
      this.#waiting.set(id, resolve);
      this.#child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
    });
  }

  #handleMessage(line: string): void {
    const message = tryParseJson(line);
    if (!isRecord(message)) return;
    this.#waiting.get(message['id'])?.(message['result']);
    this.#waiting.delete(message['id']);
  }
}
