/** More connections than one address may have, each held open in another way: what is more is closed unheard. */
import { connect } from 'node:net';

import { removal } from '../prove/check.mjs';
import { openServer } from '../server.mjs';
import { ask, callOf } from '../session.mjs';
import { requestOf, UPGRADE } from '../wire.mjs';

export const family = 'connections';

const MOST = 30;
const MORE = 10;

export const open = (folder) => openServer(folder, { args: ['--connections', String(MOST)] });

const host = 'host: 127.0.0.1';
const post = ['POST /mcp HTTP/1.1', host, 'content-type: application/json'];
const touch = JSON.stringify(callOf('touch', {}));

/** Bytes that each connection sends, and whether it is answered. */
const holders = [
  ['says nothing', '', false],
  ['stops within its body', requestOf([...post, 'content-length: 9'], '{'), false],
  ['is idle behind a refusal', requestOf(['GET /nothing HTTP/1.1', host]), true],
  ['has a WebSocket', requestOf(UPGRADE), true],
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

export const checks = [
  {
    ...removal(/./, ['if (connections !== void 0) limitConnections(server, connections);', '']),
    // The server answered each of the others.
    admits: /got 0 closed/,
  },
];
