/** Both directions of one channel: what a server says is judged by what its client said. */
import type { Readable, Writable } from 'node:stream';
import { isRecord } from '../../templates/runtime/json-rpc.ts';
import { judge } from './complaints.ts';
import { MODERN_REVISION } from './message-checks.ts';

interface Asked {
  method: string;
  revision: string | undefined;
}

export class Conversation {
  readonly #asked = new Map<unknown, Asked>();
  /** Revision that `initialize` settled, or that a modern request named. */
  #revision: string | undefined;

  /** A message, or a batch, on its way to the server. */
  fromClient(messages: unknown): void {
    for (const message of [messages].flat()) {
      if (!isRecord(message) || typeof message['method'] !== 'string') continue;
      const isModern = isModernRequest(message);
      if (isModern) this.#revision ??= MODERN_REVISION;
      const revision = isModern ? MODERN_REVISION : undefined;
      this.#asked.set(message['id'], { method: message['method'], revision });
    }
  }

  /** A message, or a batch, of the server. */
  fromServer(messages: unknown): void {
    for (const message of [messages].flat()) this.#hear(message);
  }

  #hear(message: unknown): void {
    const isAnswer = isRecord(message) && !('method' in message);
    const asked = isAnswer ? this.#asked.get(message['id']) : undefined;
    const result = isAnswer && asked?.method === 'initialize' ? message['result'] : undefined;
    if (isRecord(result) && typeof result['protocolVersion'] === 'string')
      this.#revision = result['protocolVersion'];
    judge({ revision: asked?.revision ?? this.#revision, message, requestMethod: asked?.method });
  }
}

/** Whether the metadata of a request names its revision. */
export function isModernRequest(message: unknown): boolean {
  const params = isRecord(message) ? message['params'] : undefined;
  const meta = isRecord(params) ? params['_meta'] : undefined;
  return isRecord(meta) && 'io.modelcontextprotocol/protocolVersion' in meta;
}

interface Transport {
  onmessage?: unknown;
  send: (message: never, ...rest: never[]) => Promise<void>;
}

/** A transport of an official client, before it connects: it passes on to its client what it was told here first. */
export function judged<T extends Transport>(transport: T): T {
  const conversation = new Conversation();
  const send = transport.send.bind(transport);
  transport.send = (message, ...rest) => {
    conversation.fromClient(message);
    return send(message, ...rest);
  };
  transport.onmessage = (message: unknown) => conversation.fromServer(message);
  return transport;
}

/** Judges what a server says on its standard output. What is no JSON is not judged: the help, a version. */
export function judgeLines({ stdin, stdout }: { stdin: Writable; stdout: Readable }): void {
  const conversation = new Conversation();
  const said = new JsonLines((message) => conversation.fromClient(message));
  const heard = new JsonLines((message) => conversation.fromServer(message));
  for (const name of ['write', 'end'] as const) {
    const put = stdin[name].bind(stdin) as (...given: unknown[]) => never;
    stdin[name] = (...given: unknown[]) => {
      if (typeof given[0] === 'string') said.push(given[0]);
      return put(...given);
    };
  }
  stdout.on('data', (chunk: string) => heard.push(chunk)).on('end', () => heard.push('\n'));
}

class JsonLines {
  readonly #receive: (message: unknown) => void;
  #rest = '';

  constructor(receive: (message: unknown) => void) {
    this.#receive = receive;
  }

  push(text: string): void {
    const lines = (this.#rest + text).split('\n');
    this.#rest = lines.pop() ?? '';
    for (const line of lines) {
      const message = parse(line);
      if (message !== undefined) this.#receive(message);
    }
  }
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
