/** Memory that clients take and do not give back: requests without an end, and answers that nobody reads. */
import { connect } from 'node:net';
import { setTimeout } from 'node:timers/promises';

import { never, removal } from '../prove/check.mjs';
import { openServer } from '../server.mjs';
import { ask, initialize, modern, ping, sendModern } from '../session.mjs';
import { requestOf, UPGRADE } from '../wire.mjs';

/** @import { Server } from '../server.mjs' */

export const family = 'memory';

const PER_ADDRESS = 300_000;
const IN_ALL = 600_000;
/** Limits that are low enough for a row to be quick. */
const env = {
  MCP_UNFINISHED_BYTES_PER_ADDRESS: String(PER_ADDRESS),
  MCP_UNFINISHED_BYTES: String(IN_ALL),
  MCP_UNREAD_BYTES_PER_ADDRESS: String(PER_ADDRESS),
  MCP_UNREAD_BYTES: String(IN_ALL),
  MCP_TRUSTED_PROXIES: '127.0.0.1',
};
const PART = 60_000;

/** More text than the system keeps for one connection. */
const LONG = 12_000_000;
const members = `  prompts: { long: { handler: () => 'x'.repeat(${LONG}) } },\n`;

export const open = (folder) => openServer(folder, { env, members });

const from = (address) => `x-forwarded-for: ${address}`;
const post = (address, more) => [
  ...['POST /mcp HTTP/1.1', 'host: 127.0.0.1', 'content-type: application/json', from(address)],
  ...['accept: application/json, text/event-stream', ...more],
];

/** The head of a frame, by a mask of zeros. */
function frame(length, payload) {
  const size = length < 126 ? [0x80 | length] : [0x80 | 126, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([0x81, ...size, 0, 0, 0, 0]), payload]);
}

const part = Buffer.alloc(PART, ' ');

/** How each of them holds bytes. @type {Record<string, (address: string) => (string | Buffer)[]>} */
const holders = {
  'bodies that stop before their end': (address) => [
    requestOf(post(address, [`content-length: ${PART + 1}`])),
    part,
  ],
  'bodies of one chunk after the other': (address) => [
    requestOf(post(address, ['transfer-encoding: chunked'])),
    ...Array.from({ length: PART / 1_000 }, () => `3e8\r\n${' '.repeat(1_000)}\r\n`),
  ],
  'WebSocket messages that stop before their end': (address) => [
    requestOf([...UPGRADE, from(address)]),
    frame(PART + 1, part),
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
  const all = [];
  for (const address of addresses) all.push(await openHeld(target, parts(address)));
  const list = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };
  const other = await sendModern(target.url, list, { 'x-forwarded-for': addresses[0] });
  await setTimeout(300);
  const open = all.filter(({ isOpen }) => isOpen()).length;
  for (const { socket } of all) socket.destroy();
  return `${open} go on; another: ${other.status}`;
}

const unfinished = Object.entries(holders).map(([what, parts]) => ({
  name: `${what}, of one address`,
  want: `${PER_ADDRESS / PART} go on; another: 200`,
  attack: (target) => held(target, parts, Array(20).fill('192.0.2.1')),
}));

const inAll = {
  name: 'bodies that stop before their end, of ten addresses',
  want: `${IN_ALL / PART} go on; another: 200`,
  attack: (target) => {
    const addresses = Array.from({ length: 20 }, (_, at) => `192.0.2.${1 + (at % 10)}`);
    return held(target, holders['bodies that stop before their end'], addresses);
  },
};

const READER = '192.0.2.77';
const getLong = { jsonrpc: '2.0', id: 1, method: 'prompts/get', params: { name: 'long' } };
const opening = [initialize, { jsonrpc: '2.0', method: 'notifications/initialized' }, getLong];

/** Asks for what is long, and reads nothing. @type {Record<string, (server: Server) => Promise<{ socket: import('node:net').Socket }>>} */
const readers = {
  'JSON answers': (server) => {
    const { message, headers } = modern(getLong);
    const text = JSON.stringify(message);
    const fields = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
    return openHeld(
      server,
      [requestOf(post(READER, [`content-length: ${text.length}`, ...fields]), text)],
      false,
    );
  },
  'answers on a WebSocket': (server) => {
    const frames = opening.map((message) => Buffer.from(JSON.stringify(message)));
    const head = requestOf([...UPGRADE, from(READER)]);
    return openHeld(server, [head, ...frames.map((payload) => frame(payload.length, payload))], false);
  },
  'answers on a stream of HTTP+SSE': openStream,
};

/** Read no further than its first event. */
async function openStream({ url }) {
  const head = ['GET /sse HTTP/1.1', 'host: 127.0.0.1', 'accept: text/event-stream', from(READER)];
  const socket = connect(Number(url.port), url.hostname);
  socket.on('error', () => undefined).write(requestOf(head));
  const place = await new Promise((resolve) => {
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
  for (const message of opening)
    await ask(new URL(place, url), {
      body: JSON.stringify(message),
      headers: { 'x-forwarded-for': READER },
    });
  return { socket };
}

/** How many keep their answer, and how another client is served. */
async function leftUnread(target, openUnread) {
  const all = [];
  for (let at = 0; at < 3; at++) {
    all.push(await openUnread(target));
    await setTimeout(150);
  }
  const headers = { 'mcp-session-id': target.session().id, 'x-forwarded-for': READER };
  const other = await ask(target.url, { body: JSON.stringify(ping), headers });
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

const unread = Object.entries(readers).map(([what, openUnread]) => ({
  name: `${what} that nobody reads, of one address`,
  want: '1 of 3 go on; another: 200',
  attack: (target) => leftUnread(target, openUnread),
}));

export const rows = [...unfinished, inAll, ...unread];

const goOn = (check) => ({ ...check, admits: /got (?:[6-9]|1[1-9]|20) go on/ });
const answered = (check) => ({ ...check, admits: /got [23] of 3 go on/ });

export const checks = [
  goOn(removal(/^b.* of one address/, never('held.bytes > perAddress'), never('length < claimed'))),
  goOn(removal(/of ten addresses/, ['while (this.#bytes > inAll)', 'while (false)'])),
  goOn(removal(/^WebSocket messages/, ['this.#holding.set(heldBytes)', 'void heldBytes'])),
  answered(removal(/^JSON answers/, ['holding.set(unread)', 'void unread'])),
  answered(removal(/^answers on/, ['this.#holding.set(this.bytes)', 'void 0'])),
];
