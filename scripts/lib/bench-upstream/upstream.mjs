/** The API that is called: has items, takes bytes and gives bytes. Its URL is printed on stderr; `--tls` serves HTTPS. */
import { createServer as createHttpServer } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';

import { itemOf } from './items.mjs';
import { identity } from './tls.mjs';

const isTls = process.argv.includes('--tls');
const createServer = (listener) =>
  isTls ? createHttpsServer(identity(), listener) : createHttpServer(listener);

const chunk = Buffer.alloc(64 * 1024, 'x');

const server = createServer((request, response) => {
  const { method, url } = request;
  const id = /^\/items\/(\d+)/.exec(url)?.[1];
  if (id !== undefined) sendJson(response, 200, itemOf(Number(id)));
  else if (method === 'POST') void readJson(request).then((item) => sendJson(response, 201, item));
  else if (method === 'PUT') countBytes(request, (bytes) => sendJson(response, 200, { bytes }));
  else giveBytes(response, Number(/\?bytes=(\d+)$/.exec(url)?.[1]));
});

function sendJson(response, status, value) {
  const body = JSON.stringify(value);
  const headers = { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) };
  response.writeHead(status, headers).end(body);
}

function readJson(request) {
  return new Promise((resolve) => {
    let text = '';
    request.setEncoding('utf8').on('data', (piece) => (text += piece));
    request.on('end', () => resolve(JSON.parse(text)));
  });
}

function countBytes(request, tell) {
  let bytes = 0;
  request.on('data', (piece) => (bytes += piece.length));
  request.on('end', () => tell(bytes));
}

function giveBytes(response, bytes) {
  response.writeHead(200, { 'Content-Type': 'application/zip', 'Content-Length': bytes });
  let left = bytes;
  const write = () => {
    while (left > 0) {
      const piece = chunk.subarray(0, left);
      left -= piece.length;
      if (!response.write(piece)) return void response.once('drain', write);
    }
    response.end();
  };
  write();
}

server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => {
  process.stderr.write(`${isTls ? 'https' : 'http'}://127.0.0.1:${server.address().port} \n`);
});
