/** Clients that send plain messages, and see what comes back as it is: one for each era. */
import { Agent, request } from 'node:http';

import { initialize, initialized } from '../bench-runtime/messages.mjs';

const MODERN = '2026-07-28';
const LEGACY = '2025-11-25';

/** A session of 2025-11-25. */
export class RawSession {
  #url;
  #id = 0;

  /** `headers`: of each message; throws when no session was opened. */
  static async open(url, headers = {}) {
    const session = new RawSession();
    session.#url = url;
    const opened = await exchange(url, { headers, message: JSON.parse(initialize) });
    const id = opened.headers['mcp-session-id'];
    const ofSession = id !== undefined && { 'mcp-session-id': id };
    session.headers = { ...headers, 'mcp-protocol-version': LEGACY, ...ofSession };
    if (opened.messages[0]?.result === undefined) throw new Error(`initialize got ${describe(opened)}`);
    const ready = await session.exchange({ message: JSON.parse(initialized) });
    if (ready.status !== 202) throw new Error(`notifications/initialized got ${describe(ready)}`);
    return session;
  }

  /** `settings`: `url`: of one node. */
  exchange({ headers, url = this.#url, ...settings }) {
    return exchange(url, { headers: { ...this.headers, ...headers }, ...settings });
  }

  /** The request with an id that the session has not used. */
  request(method, params) {
    return { jsonrpc: '2.0', id: ++this.#id, method, params };
  }

  call(name, args = {}, settings = {}) {
    return this.exchange({ message: this.request('tools/call', { name, arguments: args }), ...settings });
  }

  /** The rest of a stream; without `last`, messages that belong to no request. */
  listen(last, settings = {}) {
    const headers = last === undefined ? {} : { 'last-event-id': last };
    return this.exchange({ method: 'GET', headers, isAlone: true, ...settings });
  }
}

/** A client of 2026-07-28, which can be asked. */
export class RawModern {
  #url;
  #id = 0;

  constructor(url) {
    this.#url = url;
  }

  ask(method, params = {}, { meta, headers, url = this.#url, ...settings } = {}) {
    const name = params.name === undefined ? {} : { 'mcp-name': params.name };
    return exchange(url, {
      headers: { 'mcp-protocol-version': MODERN, 'mcp-method': method, ...name, ...headers },
      message: {
        jsonrpc: '2.0',
        id: ++this.#id,
        method,
        params: { ...params, _meta: { ...envelope, ...meta } },
      },
      ...settings,
    });
  }

  /** `more`: members of `params`. */
  call(name, args = {}, more = {}, settings = {}) {
    return this.ask('tools/call', { name, arguments: args, ...more }, settings);
  }
}

const envelope = {
  'io.modelcontextprotocol/protocolVersion': MODERN,
  'io.modelcontextprotocol/clientCapabilities': { elicitation: { form: {} } },
  'io.modelcontextprotocol/clientInfo': { name: 'nodes', version: '1.0.0' },
};

/** The last message if it is a result that is no tool's error, else undefined. */
export function resultOf({ status, messages }) {
  const result = messages.at(-1)?.result;
  return status === 200 && result?.isError !== true ? result : undefined;
}

/** For messages of errors. */
export function describe({ status, node, isWhole, messages }) {
  const said = JSON.stringify(messages.at(-1) ?? null).slice(0, 300);
  return `${status} from ${node ?? 'the node'}${isWhole ? '' : ', broken off'}: ${said}`;
}

/** Whether a message says that nobody knows what came of the work. */
export function isUnknown(message) {
  return /outcome[^.]*unknown|unknown[^.]*outcome/i.test(message);
}

/** Calls `ask` of one node. Returns members of the call that answers; undefined when it did not ask. */
export async function question(client, id, url) {
  const result = resultOf(await client.call('ask', { id }, {}, { url }));
  if (result?.resultType !== 'input_required') return undefined;
  const inputResponses = { go: { action: 'accept', content: { go: true } } };
  return { inputResponses, requestState: result.requestState };
}

export function isTaken(exchanged) {
  return resultOf(exchanged)?.resultType === 'complete';
}

/** Clients keep their connections to the balancer. */
const agent = new Agent({ keepAlive: true });

/**
 * `settings.message`: sent as the body; `settings.take`: called for each message; `stop` breaks off;
 * `settings.begun`: called when the answer has begun, or none will; `settings.signal`: breaks off;
 * `settings.isAlone`: over a connection of its own; returns never rejects.
 */
export function exchange(
  url,
  { method = 'POST', headers = {}, message, take, begun, signal, isAlone = false },
) {
  const body = message === undefined ? undefined : JSON.stringify(message);
  const own = {
    accept: body === undefined ? 'text/event-stream' : 'application/json, text/event-stream',
    ...headers,
  };
  if (body !== undefined)
    Object.assign(own, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) });
  const state = { status: 0, headers: {}, node: undefined, messages: [], last: undefined, isWhole: false };
  return new Promise((resolve) => {
    const sent = request(url, { method, headers: own, agent: isAlone ? false : agent });
    const stop = () => sent.destroy();
    signal?.addEventListener('abort', stop, { once: true });
    const end = () => {
      signal?.removeEventListener('abort', stop);
      begun?.();
      resolve(state);
    };
    const accept = (text) => {
      const read = JSON.parse(text);
      state.messages.push(read);
      take?.(read, state, stop);
    };
    sent.on('response', (answer) => {
      Object.assign(state, {
        status: answer.statusCode,
        headers: answer.headers,
        node: answer.headers['x-node'],
      });
      begun?.();
      answer.setEncoding('utf8').on('error', () => undefined);
      readMessages(answer, state, accept);
      answer.on('close', () => {
        state.isWhole = answer.complete;
        end();
      });
    });
    sent.on('error', end);
    sent.on('close', () => {
      if (state.status === 0) end();
    });
    sent.end(body);
  });
}

function readMessages(answer, state, accept) {
  const type = answer.headers['content-type'] ?? '';
  let text = '';
  if (type.startsWith('text/event-stream')) {
    answer.on('data', (chunk) => {
      const events = (text + chunk).split('\n\n');
      text = events.pop();
      for (const event of events) {
        state.last = /^id: (.*)$/m.exec(event)?.[1] ?? state.last;
        const data = /^data: (.+)$/m.exec(event)?.[1];
        if (data !== undefined) accept(data);
      }
    });
  } else {
    answer.on('data', (chunk) => (text += chunk));
    answer.on('end', () => {
      if (type.startsWith('application/json') && text !== '') accept(text);
    });
  }
}
