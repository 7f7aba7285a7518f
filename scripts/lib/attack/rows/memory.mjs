/**
 * Memory that clients take and do not give back: requests without an end, and answers that nobody reads. And bad tokens that come from the
 * address of good ones, as behind a proxy that is not named.
 */
import { mkdir } from 'node:fs/promises';
import { connect } from 'node:net';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';

import { goodOf, openAsking, said } from '../asking-server.mjs';
import { openGuarded, refusalOf } from '../guarded-server.mjs';
import { bearer } from '../issuer.mjs';
import { openServer } from '../server.mjs';
import { ask, modern, outcomeOf, ping, sendModern } from '../session.mjs';
import { requestOf, UPGRADE } from '../wire.mjs';

export const family = 'memory';

const PER_ADDRESS = 300_000;
const IN_ALL = 600_000;
/** Ends with the limits that are low enough for a row to be quick. */
const env = {
  MCP_UNFINISHED_BYTES_PER_ADDRESS: String(PER_ADDRESS),
  MCP_UNFINISHED_BYTES: String(IN_ALL),
  MCP_UNREAD_BYTES_PER_ADDRESS: String(PER_ADDRESS),
  MCP_UNREAD_BYTES: String(IN_ALL),
  MCP_TRUSTED_PROXIES: '127.0.0.1',
};
const PART = 60_000;
const MADE_UP = 400;
const CALLS = 12;

/** More text than the system keeps for one connection. */
const LONG = 12_000_000;
const prompts = `  prompts: { long: { handler: () => 'x'.repeat(${LONG}) } },
  resources: { 'own://one': { name: 'one', read: () => 'one' } },
`;
const verifyToken = `  verifyToken: (token) =>
    token.startsWith('own-good') ? { issuer: 'own', subject: token, scopes: ['base', 'admin'], expiresAt: 253402300799 } : undefined,
`;

/** Four servers: one has low bounds, one few calls, and two ask for tokens. */
export async function open(folder) {
  const below = async (name) => {
    const own = path.join(folder, name);
    await mkdir(own);
    return own;
  };
  const few = { MCP_TRUSTED_PROXIES: '127.0.0.1', MCP_RATE_LIMIT: String(CALLS) };
  const [bounded, slowed, guarded, asking] = await Promise.all([
    openServer(await below('bounded'), { env, members: prompts }),
    openServer(await below('slowed'), { clock: true, members: prompts, env: few }),
    openGuarded(await below('guarded'), { members: verifyToken }),
    openAsking(await below('asking'), { MCP_TRUSTED_PROXIES: '' }),
  ]);
  return {
    ...{ bounded, slowed, guarded, asking },
    // To ask the one of few calls would be a call too.
    witness: async () => {
      const figures = await Promise.all([bounded, guarded, asking].map(({ witness }) => witness()));
      return { handlers: figures.reduce((sum, { handlers }) => sum + handlers, 0) };
    },
    close: async () => {
      await Promise.all([bounded, slowed, guarded, asking].map((server) => server.close()));
    },
  };
}

const from = (address) => `x-forwarded-for: ${address}`;
const post = (place, address, more) => [
  ...[`POST ${place} HTTP/1.1`, 'host: 127.0.0.1', 'content-type: application/json', from(address)],
  ...['accept: application/json, text/event-stream', ...more],
];

/** Frames of a client, by a mask of zeros. */
function frame(first, length, payload) {
  if (length < 126) return Buffer.concat([Buffer.from([first, 0x80 | length, 0, 0, 0, 0]), payload]);
  return Buffer.concat([Buffer.from([first, 0x80 | 126, length >> 8, length & 0xff, 0, 0, 0, 0]), payload]);
}

const part = (bytes) => Buffer.alloc(bytes, ' ');

/** How each of them holds bytes. @type {Record<string, (address: string, bytes: number) => (string | Buffer)[]>} */
const holders = {
  'bodies at /mcp that stop before their end': (address, bytes) => [
    requestOf(post('/mcp', address, [`content-length: ${bytes + 1}`])),
    part(bytes),
  ],
  'bodies at /messages that stop before their end': (address, bytes) => [
    requestOf(post('/messages?sessionId=none', address, [`content-length: ${bytes + 1}`])),
    part(bytes),
  ],
  'bodies of one chunk after the other': (address, bytes) => [
    requestOf(post('/mcp', address, ['transfer-encoding: chunked'])),
    ...Array.from({ length: bytes / 1_000 }, () => `3e8\r\n${' '.repeat(1_000)}\r\n`),
  ],
  'WebSocket messages that stop before their end': (address, bytes) => [
    requestOf([...UPGRADE, from(address)]),
    frame(0x81, bytes + 1, part(bytes)),
  ],
  'WebSocket messages without a last fragment': (address, bytes) => [
    requestOf([...UPGRADE, from(address)]),
    frame(0x01, bytes / 2, part(bytes / 2)),
    frame(0x00, bytes / 2, part(bytes / 2)),
  ],
};

/** @returns {Promise<{ socket: import('node:net').Socket, isOpen: () => boolean }>} */
function openHeld({ url }, parts, isRead = true) {
  return new Promise((resolve) => {
    const socket = connect(Number(url.port), url.hostname);
    let text = '';
    let isClosed = false;
    socket.on('error', () => undefined).on('close', () => (isClosed = true));
    if (isRead) socket.setEncoding('latin1').on('data', (chunk) => (text += chunk));
    else socket.pause();
    const isOpen = () => !isClosed && !/HTTP\/1\.1 503|\u0088/.test(text);
    for (const one of parts.slice(0, -1)) socket.write(one);
    socket.write(parts.at(-1), () => resolve({ socket, isOpen }));
  });
}

/** How many of those that came first go on, and how another client of the same address is served. */
async function held(target, parts, addresses) {
  const { url } = target;
  const all = [];
  for (const address of addresses) all.push(await openHeld(target, parts(address)));
  const own = { 'x-forwarded-for': addresses[0] };
  const other = await sendModern(url, { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }, own);
  await setTimeout(300);
  const open = all.filter(({ isOpen }) => isOpen()).length;
  for (const { socket } of all) socket.destroy();
  return `${open} go on; another: ${other.status}`;
}

const sameAddress = Array.from({ length: 20 }, () => '192.0.2.1');
const manyAddresses = Array.from({ length: 20 }, (_, at) => `192.0.2.${1 + (at % 10)}`);

const unfinished = Object.entries(holders).flatMap(([what, parts]) => [
  {
    name: `${what}, of one address`,
    want: `${Math.floor(PER_ADDRESS / PART)} go on; another: 200`,
    attack: async ({ bounded }) => held(bounded, (address) => parts(address, PART), sameAddress),
  },
]);

const inAll = [
  'bodies at /mcp that stop before their end',
  'WebSocket messages that stop before their end',
].map((what) => ({
  name: `${what}, of ten addresses`,
  want: `${Math.floor(IN_ALL / PART)} go on; another: 200`,
  attack: async ({ bounded }) => held(bounded, (address) => holders[what](address, PART), manyAddresses),
}));

const READER = '192.0.2.77';
const getLong = { jsonrpc: '2.0', id: 1, method: 'prompts/get', params: { name: 'long' } };
const posted = (place, address, message, more = []) => {
  const text = JSON.stringify(message);
  return requestOf(post(place, address, [`content-length: ${text.length}`, ...more]), text);
};

/** Asks for what is long, and reads nothing. @type {Record<string, (target: import('../server.mjs').Server, address: string) => Promise<(string | Buffer)[]>>} */
const readers = {
  'JSON answers of /mcp': async (_, address) => {
    const { message, headers } = modern(getLong);
    return [
      posted(
        '/mcp',
        address,
        message,
        Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
      ),
    ];
  },
  'JSON answers of a session': async ({ session }, address) => [
    posted('/mcp', address, getLong, [`mcp-session-id: ${session().id}`]),
  ],
  'answers on a WebSocket': async (_, address) => [
    requestOf([...UPGRADE, from(address)]),
    framed({ jsonrpc: '2.0', id: 0, method: 'initialize', params: INITIALIZE }),
    framed({ jsonrpc: '2.0', method: 'notifications/initialized' }),
    framed(getLong),
  ],
};

const INITIALIZE = {
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: { name: 'attack', version: '1' },
};
const framed = (message) => {
  const payload = Buffer.from(JSON.stringify(message));
  return frame(0x81, payload.length, payload);
};

/** How many keep their answer, and how another client is served. */
async function leftUnread(target, openUnread) {
  const all = [];
  for (let at = 0; at < 3; at++) {
    all.push(await openUnread(target, READER));
    await setTimeout(150);
  }
  const other = await ask(target.url, {
    body: JSON.stringify(ping),
    headers: { 'mcp-session-id': target.session().id, 'x-forwarded-for': READER },
  });
  const open = await Promise.all(all.map((one) => isWhole(one)));
  for (const { socket } of all) socket.destroy();
  return `${open.filter(Boolean).length} of ${all.length} go on; another: ${other.status}`;
}

/** Reads at last: whether all of the answer comes. */
async function isWhole({ socket }) {
  let bytes = 0;
  socket.on('data', (chunk) => (bytes += chunk.length)).resume();
  for (let waited = 0; waited < 20 && bytes < LONG; waited++) {
    if (socket.destroyed) break;
    await setTimeout(100);
  }
  return bytes >= LONG;
}

const unread = Object.entries(readers).map(([what, parts]) => ({
  name: `${what} that nobody reads, of one address`,
  want: '1 of 3 go on; another: 200',
  attack: async ({ bounded }) =>
    leftUnread(bounded, async (target, address) => openHeld(target, await parts(target, address), false)),
}));

/** A stream of HTTP+SSE that is asked for what is long, and read no further than its first event. */
async function openStream({ url }, address) {
  const head = ['GET /sse HTTP/1.1', 'host: 127.0.0.1', 'accept: text/event-stream', from(address)];
  const socket = connect(Number(url.port), url.hostname);
  socket.on('error', () => undefined).write(requestOf(head));
  const path = await new Promise((resolve) => {
    let said = '';
    const look = (chunk) => {
      said += chunk;
      const [, found] = /data: (\S+sessionId=\S+)/.exec(said) ?? [];
      if (found === undefined) return;
      socket.off('data', look).pause();
      resolve(found);
    };
    socket.on('data', look);
  });
  const initialize = { jsonrpc: '2.0', id: 0, method: 'initialize', params: INITIALIZE };
  const ready = { jsonrpc: '2.0', method: 'notifications/initialized' };
  for (const message of [initialize, ready, getLong])
    await ask(new URL(path, url), { body: JSON.stringify(message), headers: { 'x-forwarded-for': address } });
  return { socket };
}

const streams = {
  name: 'answers on streams of HTTP+SSE that nobody reads, of one address',
  want: '1 of 3 go on; another: 200',
  attack: async ({ bounded }) => leftUnread(bounded, openStream),
};

const LISTS = ['tools/list', 'resources/list', 'resources/templates/list', 'prompts/list'];

const lists = LISTS.map((method) => ({
  name: `${method}, more often than calls may come`,
  want: `200 and then 429 -32603, later; another: 200`,
  attack: async ({ slowed }) => {
    const target = slowed;
    await target.ahead(60_000);
    const send = (address) =>
      sendModern(target.url, { jsonrpc: '2.0', id: 1, method, params: {} }, { 'x-forwarded-for': address });
    const answers = [];
    for (let at = 0; at < CALLS + 1; at++) answers.push(await send('192.0.2.1'));
    const last = answers.at(-1);
    const later = Number(last.headers['retry-after']) >= 1 ? ', later' : '';
    const other = await send('192.0.2.2');
    return `${outcomeOf(answers[0])} and then ${outcomeOf(last)}${later}; another: ${outcomeOf(other)}`;
  },
}));

/** Many bad tokens of one address, and then a good one that is new. */
async function lockedOut(target, bad, good, headers = {}) {
  await target.ahead(60_000);
  for (let at = 0; at < MADE_UP; at += 20)
    await Promise.all(
      Array.from({ length: 20 }, async (_, more) =>
        ask(target.url, {
          body: JSON.stringify(ping),
          headers: { ...headers, ...bearer(await bad(at + more)) },
        }),
      ),
    );
  const list = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };
  const answer = await sendModern(target.url, list, { ...headers, ...bearer(await good()) });
  return refusalOf(answer) === '200' ? 'served' : `refused by ${refusalOf(answer)}`;
}

const unsigned = async ({ issuer }, at) =>
  `${(await issuer.token({ jti: `${Math.random()}${at}` })).slice(0, -9)}AAAAAAAAA`;
const opaque = (_, at) => `made-up-${Math.random()}-${at}`;
const kinds = { 'made-up JWTs': unsigned, 'made-up texts': opaque };

const locks = Object.entries(kinds).flatMap(([what, bad]) => [
  {
    name: `${MADE_UP} ${what}, and then a new good JWT of their address`,
    want: 'served',
    attack: async ({ guarded }) => {
      const target = guarded;
      return lockedOut(
        target,
        (at) => bad(target, at),
        () => target.issuer.token({ jti: `${Math.random()}` }),
        { 'x-forwarded-for': '203.0.113.9' },
      );
    },
  },
  {
    name: `${MADE_UP} ${what}, and then a new good token of own code of their address`,
    want: 'served',
    attack: async ({ guarded }) => {
      const target = guarded;
      return lockedOut(
        target,
        (at) => bad(target, at),
        () => `own-good-${Math.random()}`,
      );
    },
  },
  {
    name: `${MADE_UP} ${what}, and then a new good token of their address that is asked about`,
    want: 'served',
    attack: async ({ asking }) => {
      const target = asking;
      target.asked.answer = (form) =>
        said(form.get('token')?.startsWith('good-') ? goodOf(target) : { active: false });
      return lockedOut(
        target,
        (at) => bad(target, at),
        () => `good-${Math.random()}`,
      );
    },
  },
]);

const told = [
  {
    name: 'X-Forwarded-For of a proxy that is not named, which counts for nothing and is said once',
    want: 'said once',
    attack: async ({ guarded }) => {
      const target = guarded;
      for (let at = 0; at < 3; at++)
        await ask(target.url, {
          body: JSON.stringify(ping),
          headers: { 'x-forwarded-for': `198.51.100.${at}` },
        });
      await setTimeout(100);
      const times = target.said().split('X-Forwarded-For, which is ignored').length - 1;
      return times === 1 && target.said().includes('MCP_TRUSTED_PROXIES=127.0.0.1')
        ? 'said once'
        : `said ${times} times`;
    },
  },
  {
    name: 'an expired token that its issuer has signed, behind made-up ones of its address',
    want: 'refused by 401 invalid_token',
    attack: async ({ guarded }) => {
      const target = guarded;
      return lockedOut(
        target,
        (at) => unsigned(target, at),
        () => target.issuer.token({ exp: 1_000_000_000, jti: `${Math.random()}` }),
      );
    },
  },
];

export const rows = [...unfinished, ...inAll, ...unread, streams, ...locks, ...told, ...lists];
