/** Each transport, fed with frames that no client should send; good requests among them must be answered. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { get } from 'node:http';
import { connect } from 'node:net';
import { createInterface } from 'node:readline';

import { requestOf, UPGRADE } from '../attack/wire.mjs';
import { HttpConnection } from '../bench-runtime/http-connection.mjs';
import { initialize, initialized } from '../bench-runtime/messages.mjs';
import { endOf, urlOf } from '../bench-runtime/process.mjs';
import { RawSession } from '../nodes/raw-client.mjs';
import { badFrame, badMessage, webSocketFrame } from './frames.mjs';
import { endSession } from './sessions.mjs';

/** Connections at a time. */
const WIDTH = 8;
/** Frames between two good requests, and on one WebSocket. */
const FRAMES = 100;
const PING = '{"jsonrpc":"2.0","id":"good","method":"ping"}';
const MEMORY =
  '{"jsonrpc":"2.0","id":"memory","method":"tools/call","params":{"name":"memory","arguments":{}}}';

/** Has `work` do so many frames, some at a time, over several connections. */
async function share(count, work) {
  let left = count;
  const worker = async () => {
    while (left > 0) {
      const frames = Math.min(FRAMES, left);
      left -= frames;
      await work(frames);
    }
  };
  await Promise.all(Array.from({ length: WIDTH }, worker));
}

function start(args, stdio) {
  const child = spawn(process.execPath, ['--expose-gc', ...args], { stdio });
  // A soak that fails leaves nothing behind.
  process.once('exit', () => child.kill('SIGKILL'));
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (chunk) => (said = `${said}${chunk}`.slice(-4_000)));
  const close = async (end) => {
    const ended = endOf(child);
    end();
    const code = await ended;
    if (code !== 0) throw new Error(`The server ended with ${code}:\n${said}`);
  };
  return { child, close };
}

function bytesIn(answer) {
  const bytes = Number(answer.result?.content[0]?.text);
  if (Number.isFinite(bytes)) return bytes;
  throw new Error(`The server does not say how much memory it uses: ${JSON.stringify(answer)}`);
}

export async function startStdio(main) {
  const { child, close } = start([main], 'pipe');
  const waiting = new Map();
  createInterface(child.stdout).on('line', (line) => {
    const { id } = JSON.parse(line);
    waiting.get(id)?.(line);
    waiting.delete(id);
  });
  const write = async (bytes) => {
    child.stdin.write(bytes);
    if (!child.stdin.write('\n')) await once(child.stdin, 'drain');
  };
  const ask = async (id, text) => {
    const answer = new Promise((resolve) => waiting.set(id, resolve));
    await write(text);
    return answer;
  };
  await ask(0, initialize);
  await write(initialized);
  return {
    soak: async (count, random) => {
      for (let sent = 1; sent <= count; sent++) {
        await write(badMessage(random));
        if (sent % FRAMES === 0) await ask('good', PING);
      }
    },
    memory: async () => bytesIn(JSON.parse(await ask('memory', MEMORY))),
    close: () => close(() => child.stdin.end()),
  };
}

/** `soak`: one of the three below. */
export async function startHttp(main, soak, ...flags) {
  const args = [main, '--transport', 'http', '--port', '0', '--rate-limit', 'off', ...flags];
  const { child, close } = start(args, ['ignore', 'ignore', 'pipe']);
  const url = await urlOf(child);
  return {
    url,
    soak: (count, random) => soak(url, count, random),
    memory: async () => {
      const session = await RawSession.open(url);
      const { messages } = await session.call('memory', {}, { isAlone: true });
      await endSession(session);
      return bytesIn(messages.at(-1));
    },
    close: () => close(() => child.kill('SIGTERM')),
  };
}

async function postOnce(url, headers, body) {
  const connection = await HttpConnection.open(url, headers);
  const answer = await connection.post(body);
  connection.close();
  if (answer.status >= 500) throw new Error(`The server failed: ${answer.headers}`);
  return answer;
}

const badHeads = [
  { 'content-type': 'text/plain' },
  { accept: 'image/png' },
  { 'mcp-session-id': 'none' },
  { 'mcp-protocol-version': '1999-01-01' },
  { 'mcp-protocol-version': '2026-07-28' },
  { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': '=?base64?!?=' },
  { host: 'example.com' },
  { origin: 'https://example.com' },
];

/** Bad bodies, bad heads, and what is no HTTP at all. */
export async function soakHttp(url, count, random) {
  const { headers: session } = await RawSession.open(url);
  await share(count, async (frames) => {
    let connection;
    for (let sent = 0; sent < frames; sent++) {
      if (random.chance(0.05)) {
        const raw = await HttpConnection.open(url, {});
        await raw.sendRaw(Buffer.concat([random.bytes(1 + random.below(300)), Buffer.from('\r\n\r\n')]));
      } else if (random.chance(0.1)) {
        await postOnce(url, { ...session, ...random.pick(badHeads) }, badMessage(random));
      } else {
        if (connection?.isOpen !== true) connection = await HttpConnection.open(url, session);
        const { status, headers } = await connection.post(badMessage(random));
        if (status >= 500) throw new Error(`A frame made the server fail: ${headers}`);
      }
    }
    connection?.close();
    const { status, message } = await postOnce(url, session, PING);
    if (status !== 200 || JSON.parse(message).id !== 'good') throw new Error(`Not answered: ${message}`);
  });
}

/** Messages over HTTP+SSE: posted to the endpoint that a stream names, and answered on the stream. */
export function soakSse(url, count, random) {
  return share(count, async (frames) => {
    const waiting = new Map();
    const next = (id) => new Promise((resolve) => waiting.set(id, resolve));
    const opened = next('endpoint');
    const take = (event) => {
      const [, data] = /^data: (.*)$/m.exec(event) ?? [];
      if (data === undefined) return;
      const isEndpoint = /^event: endpoint$/m.test(event);
      waiting.get(isEndpoint ? 'endpoint' : JSON.parse(data).id)?.(data);
    };
    const stream = get(new URL('/sse', url), { agent: false }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk) => {
        const events = (text + chunk).split('\n\n');
        text = events.pop();
        events.forEach(take);
      });
      response.on('error', () => undefined);
    });
    stream.on('error', () => undefined);
    const endpoint = new URL(await opened, url);
    let connection;
    const post = async (body) => {
      if (connection?.isOpen !== true) connection = await HttpConnection.open(endpoint, {});
      const { status, headers } = await connection.post(body);
      if (status >= 500) throw new Error(`A frame made the server fail: ${headers}`);
    };
    const ask = async (id, body) => {
      const answer = next(id);
      await post(body);
      await answer;
    };
    await ask(0, initialize);
    await post(initialized);
    for (let sent = 0; sent < frames; sent++) await post(badMessage(random));
    await ask('good', PING);
    connection.close();
    stream.destroy();
  });
}

/** Bad messages in good frames; each connection ends by a frame that breaks RFC 6455. */
export function soakWebSocket({ hostname, port }, count, random) {
  return share(count, async (frames) => {
    const socket = connect({ host: hostname, port: Number(port), noDelay: true });
    const closed = once(socket, 'close');
    socket.on('error', () => undefined);
    let received = '';
    let look = () => undefined;
    socket.setEncoding('latin1').on('data', (chunk) => {
      received = `${received}${chunk}`.slice(-20_000);
      look();
    });
    const seen = (text) =>
      new Promise((resolve, reject) => {
        closed.then(() => reject(new Error('The server closed the connection.')));
        look = () => received.includes(text) && resolve();
        look();
      });
    socket.write(requestOf(UPGRADE));
    await seen('\r\n\r\n');
    socket.write(webSocketFrame(initialize));
    await seen('"id":0,"result"');
    socket.write(webSocketFrame(initialized));
    // A text message is UTF-8; what is not belongs to the faults.
    for (let sent = 1; sent < frames; sent++)
      socket.write(webSocketFrame(badMessage(random).toString('utf8')));
    socket.write(webSocketFrame(PING));
    await seen('"id":"good","result"');
    socket.end(badFrame(random));
    await closed;
  });
}
