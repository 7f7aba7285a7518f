/** `node fetch-host.mjs <dist/fetch.js> <flag> …`: serves the handler of an emitted project, as web servers that speak Fetch do. */
import { createServer } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { pathToFileURL } from 'node:url';

const [, , file, ...args] = process.argv;
const { createHandler } = await import(pathToFileURL(file).href);
const handle = createHandler({ args });
await handle.ready();

const server = createServer({ joinDuplicateHeaders: true }, (incoming, outgoing) => {
  serve(incoming, outgoing).catch(() => outgoing.destroy());
});
server.listen(0, '127.0.0.1', () => console.error(`serving http://127.0.0.1:${server.address().port}/mcp`));

async function serve(incoming, outgoing) {
  const gone = new AbortController();
  outgoing.once('close', () => gone.abort());
  const { remoteAddress: address } = incoming.socket;
  const { status, headers, body } = await handle(toRequest(incoming, gone.signal), { address });
  outgoing.writeHead(status, Object.fromEntries(headers)).flushHeaders();
  if (body === null) outgoing.end();
  else await pipeline(Readable.fromWeb(body), outgoing);
}

/** The handler judges `Host` by the header: a URL cannot hold every one. */
function toRequest(incoming, signal) {
  const { method, url, headers } = incoming;
  const hasBody = method !== 'GET' && method !== 'HEAD';
  return new Request(new URL(url, 'http://127.0.0.1'), {
    method,
    signal,
    headers: Object.entries(headers).map(([name, value]) => [name, String(value)]),
    ...(hasBody ? { body: Readable.toWeb(incoming), duplex: 'half' } : {}),
  });
}
