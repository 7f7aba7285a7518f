/** Clients that take their time: each is let go, and its request is never served. The clocks are short here. */
import { connect } from 'node:net';

import { inRepository } from '../../repository.mjs';

export const family = 'slowloris';

/** Milliseconds between two bytes. */
const pace = 5;

export async function open() {
  const { serveHttp } = await import(inRepository('dist/templates/runtime/transports/http/serve-http.js'));
  const { readBody } = await import(inRepository('dist/templates/runtime/transports/http/read-request.js'));
  const { DEFAULT_LIMITS } = await import(inRepository('dist/templates/runtime/contract/feature.js'));
  let handlers = 0;
  const serve = async (request, response) => {
    await readBody(request, DEFAULT_LIMITS.bodyBytes).then(
      () => handlers++,
      () => undefined,
    );
    response.end();
  };
  const limits = { ...DEFAULT_LIMITS, headersTimeoutMs: 100, requestTimeoutMs: 200, idleConnectionMs: 100 };
  const { url, close } = await serveHttp(serve, { host: '127.0.0.1', port: 0, limits });
  return { url: new URL(url), witness: async () => ({ handlers }), close };
}

const head = 'POST /mcp HTTP/1.1\r\nhost: 127.0.0.1\r\n';

/** Bytes sent at once, and bytes that follow one by one, repeatedly. */
const clients = [
  ['says nothing', '', ''],
  ['sends its line byte by byte', 'GET /', 'x'],
  ['sends fields without end', head, 'x: y\r\n'],
  ['stops within a field', `${head}content-le`, ''],
  ['sends its body byte by byte', `${head}content-length: 1000000\r\n\r\n`, '{'],
  ['stops within its body', `${head}content-length: 2\r\n\r\n{`, ''],
  ['sends chunks without end', `${head}transfer-encoding: chunked\r\n\r\n`, '1\r\n{\r\n'],
  ['stops within a chunk', `${head}transfer-encoding: chunked\r\n\r\nff\r\n{`, ''],
  ['sends empty lines without end', '', '\r\n'],
];

export const rows = clients.map(([what, first, more]) => ({
  name: `a client that ${what}`,
  want: '408',
  attack: ({ url }) => drip(url, first, more),
}));

function drip(url, first, more) {
  return new Promise((resolve) => {
    const socket = connect(Number(url.port), url.hostname);
    let text = '';
    socket.write(first);
    const timer = setInterval(() => more !== '' && socket.writable && socket.write(more), pace);
    socket.setEncoding('latin1').on('data', (chunk) => (text += chunk));
    socket.on('error', () => undefined);
    socket.on('close', () => {
      clearInterval(timer);
      resolve(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1] ?? 'closed');
    });
  });
}
