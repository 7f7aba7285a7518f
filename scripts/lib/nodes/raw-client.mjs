/** Clients that send plain messages, and see what comes back as it is: one for each era. */
import { initialize, initialized } from '../bench-runtime/messages.mjs';
import { exchange } from './exchange.mjs';

const MODERN = '2026-07-28';
const LEGACY = '2025-11-25';

/** @typedef {import('./exchange.mjs').Exchanged} Exchanged */

/** A session of 2025-11-25. */
export class RawSession {
  #url;
  #id = 0;

  /** @param {URL} url @throws when no session was opened */
  static async open(url) {
    const session = new RawSession();
    session.#url = url;
    const opened = await exchange(url, { message: JSON.parse(initialize) });
    const id = opened.headers['mcp-session-id'];
    session.headers = { 'mcp-protocol-version': LEGACY, ...(id !== undefined && { 'mcp-session-id': id }) };
    if (opened.messages[0]?.result === undefined) throw new Error(`initialize got ${describe(opened)}`);
    const ready = await session.exchange({ message: JSON.parse(initialized) });
    if (ready.status !== 202) throw new Error(`notifications/initialized got ${describe(ready)}`);
    return session;
  }

  /** @param {Parameters<typeof exchange>[1] & { url?: URL }} settings `url`: of one node */
  exchange({ headers, url = this.#url, ...settings }) {
    return exchange(url, { headers: { ...this.headers, ...headers }, ...settings });
  }

  /** The request with an id that the session has not used. */
  request(method, params) {
    return { jsonrpc: '2.0', id: ++this.#id, method, params };
  }

  /** @param {string} name @param {object} [args] */
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

  /** @param {URL} url */
  constructor(url) {
    this.#url = url;
  }

  /** @param {string} method @param {object} [params] */
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

  /** @param {string} name @param {object} [args] @param {object} [more] members of `params` */
  call(name, args = {}, more = {}, settings = {}) {
    return this.ask('tools/call', { name, arguments: args, ...more }, settings);
  }
}

const envelope = {
  'io.modelcontextprotocol/protocolVersion': MODERN,
  'io.modelcontextprotocol/clientCapabilities': { elicitation: { form: {} } },
  'io.modelcontextprotocol/clientInfo': { name: 'nodes', version: '1.0.0' },
};

/** The last message if it is a result that is no tool's error, else undefined. @param {Exchanged} exchanged */
export function resultOf({ status, messages }) {
  const result = messages.at(-1)?.result;
  return status === 200 && result?.isError !== true ? result : undefined;
}

/** For messages of errors. @param {Exchanged} exchanged */
export function describe({ status, node, isWhole, messages }) {
  const said = JSON.stringify(messages.at(-1) ?? null).slice(0, 300);
  return `${status} from ${node ?? 'the node'}${isWhole ? '' : ', broken off'}: ${said}`;
}

/** Whether a message says that nobody knows what came of the work. @param {string} message */
export function isUnknown(message) {
  return /outcome[^.]*unknown|unknown[^.]*outcome/i.test(message);
}
