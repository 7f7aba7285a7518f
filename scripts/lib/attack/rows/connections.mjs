/** More connections than one address may have, each held open in another way: what is more is closed unheard. */
import { connect } from 'node:net';

import { openServer } from '../server.mjs';
import { ask, callOf } from '../session.mjs';
import { requestOf } from '../wire.mjs';

export const family = 'connections';

const MOST = 30;
const MORE = 10;

export const open = (folder) => openServer(folder, { args: ['--connections', String(MOST)] });

const host = 'host: 127.0.0.1';
const post = ['POST /mcp HTTP/1.1', host, 'content-type: application/json'];
const touch = JSON.stringify(callOf('touch', {}));
const upgrade = ['upgrade: websocket', 'connection: upgrade', 'sec-websocket-version: 13'];

/** Bytes that each connection sends, and whether it is answered. */
const holders = [
  ['says nothing', '', false],
  ['stops within its head', 'POST /mcp HTTP/1.1\r\nhost: 127', false],
  ['stops within its body', requestOf([...post, 'content-length: 9'], '{'), false],
  ['stops within a chunk', requestOf([...post, 'transfer-encoding: chunked'], 'ff\r\n{'), false],
  ['waits for leave to go on', requestOf([...post, 'expect: 100-continue', 'content-length: 9']), true],
  ['is idle behind a request', requestOf(['GET /healthz HTTP/1.1', host]), true],
  ['is idle behind a refusal', requestOf(['GET /nothing HTTP/1.1', host]), true],
  ['has a stream of HTTP+SSE', requestOf(['GET /sse HTTP/1.1', host, 'accept: text/event-stream']), true],
  [
    'has a WebSocket',
    requestOf(['GET /ws HTTP/1.1', host, ...upgrade, 'sec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==']),
    true,
  ],
];

export const rows = holders.map(([what, bytes, isAnswered]) => ({
  name: `each of them ${what}`,
  want: `${MORE} closed`,
  attack: async ({ url }) => {
    const held = await Promise.all(Array.from({ length: MOST }, () => hold(url, bytes, isAnswered)));
    const call = requestOf([...post, `content-length: ${touch.length}`], touch);
    const more = await Promise.all(Array.from({ length: MORE }, () => isUnheard(url, call)));
    for (const socket of held) socket.destroy();
    await untilServed(url);
    return `${more.filter(Boolean).length} closed`;
  },
}));

/** Resolves when the server has it: connected, and answered where it will be. */
function hold(url, bytes, isAnswered) {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(url.port), url.hostname, () => {
      socket.write(bytes);
      if (!isAnswered) resolve(socket);
    });
    socket.once('data', () => resolve(socket));
    socket.on('error', () => undefined).on('close', () => reject(new Error('closed too early')));
  });
}

/** Whether it is closed without an answer. */
function isUnheard(url, bytes) {
  return new Promise((resolve) => {
    const socket = connect(Number(url.port), url.hostname, () => socket.write(bytes));
    socket.once('data', () => {
      resolve(false);
      socket.destroy();
    });
    socket.on('error', () => undefined).on('close', () => resolve(true));
  });
}

/** Closed connections make room. */
async function untilServed(url) {
  const healthz = new URL('/healthz', url);
  const isServed = () => ask(healthz, { method: 'GET' }).then(() => true, unlessGone);
  while (!(await isServed()));
}

/** Closed for now; a server that is gone makes no room any more. */
function unlessGone(error) {
  if (error.code === 'ECONNREFUSED') throw error;
  return false;
}
