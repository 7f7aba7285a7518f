/** Frames over Streamable HTTP: bad bodies, bad heads, and what is no HTTP at all. */
import { HttpConnection } from '../bench-runtime/http-connection.mjs';
import { badMessage } from './frames.mjs';
import { openSession } from './server.mjs';

const width = 16;
const goodEvery = 100;

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

/** Sends `count` frames over several connections, and good requests among them, each of which must be answered. */
export async function soakHttp(url, count, random) {
  const session = await openSession(url);
  let left = count;
  const work = async () => {
    let connection;
    while (left-- > 0) {
      connection = await sendOne(connection, url, session, random);
      if (left % goodEvery === 0) await checkGood(url, session);
    }
    connection?.close();
  };
  await Promise.all(Array.from({ length: width }, work));
  await checkGood(url, session);
}

/** Returns the connection, where it can be used again. */
async function sendOne(connection, url, session, random) {
  if (random.chance(0.05)) {
    connection?.close();
    const raw = await HttpConnection.open(url, {});
    await raw.sendRaw(Buffer.concat([random.bytes(1 + random.below(300)), Buffer.from('\r\n\r\n')]));
    return undefined;
  }
  if (random.chance(0.1)) {
    connection?.close();
    const odd = await HttpConnection.open(url, { ...session, ...random.pick(badHeads) });
    await postBad(odd, random);
    odd.close();
    return undefined;
  }
  const open = connection?.isOpen ? connection : await HttpConnection.open(url, session);
  await postBad(open, random);
  return open;
}

async function postBad(connection, random) {
  const { status, headers } = await connection.post(badMessage(random));
  if (status >= 500) throw new Error(`A frame made the server fail: ${headers}`);
}

async function checkGood(url, session) {
  const connection = await HttpConnection.open(url, session);
  const { status, message } = await connection.post('{"jsonrpc":"2.0","id":"good","method":"ping"}');
  connection.close();
  if (status !== 200 || JSON.parse(message).id !== 'good') throw new Error(`Not answered: ${message}`);
}
