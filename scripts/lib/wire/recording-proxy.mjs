/** A reverse proxy on loopback between an emitted server and a judge: it hands everything on unchanged, and remembers it. */
import { once } from 'node:events';
import http from 'node:http';

/**
 * @typedef {object} Exchange one request and its answer
 * @property {string} method
 * @property {string} target path and query, as sent
 * @property {string[]} headers of the request, name and value by turns, as sent
 * @property {Buffer} body
 * @property {number} status of the answer; 502 when the judge hung up
 * @property {http.IncomingHttpHeaders} answerHeaders
 * @property {string} answerText the first characters of the answer's body, once it has passed
 */

/** Characters of an answer that are kept to explain a miss. */
const keptCharacters = 2_000;

/**
 * @typedef {object} RecordingProxy
 * @property {string} origin
 * @property {() => Exchange[]} take what passed since the last time, in order
 * @property {() => Promise<void>} close
 */

/**
 * @param {string} upstream the judge's origin
 * @returns {Promise<RecordingProxy>}
 */
export async function startRecordingProxy(upstream) {
  const { hostname, port } = new URL(upstream);
  const agent = new http.Agent({ keepAlive: true });
  let exchanges = [];
  const server = http.createServer((request, response) => {
    const exchange = { method: request.method, target: request.url, headers: request.rawHeaders };
    exchanges.push(
      Object.assign(exchange, { body: Buffer.alloc(0), status: 502, answerHeaders: {}, answerText: '' }),
    );
    collect(request).then(
      (body) => forward({ hostname, port, agent }, Object.assign(exchange, { body }), response),
      () => response.destroy(),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    origin: `http://127.0.0.1:${server.address().port}`,
    take: () => exchanges.splice(0),
    close: async () => {
      agent.destroy();
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

async function collect(stream) {
  const chunks = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** The raw lists of headers keep names, order and repetitions. */
function forward(target, exchange, response) {
  const { method, headers, body } = exchange;
  const request = http.request({ ...target, method, path: exchange.target, headers });
  request.once('response', (answer) => {
    exchange.status = answer.statusCode;
    exchange.answerHeaders = answer.headers;
    answer.on('data', (chunk) => {
      if (exchange.answerText.length < keptCharacters) exchange.answerText += chunk.toString('utf8');
    });
    answer.once('error', () => response.destroy());
    response.writeHead(answer.statusCode, answer.statusMessage, answer.rawHeaders);
    answer.pipe(response);
  });
  request.once('upgrade', (_answer, socket) => socket.destroy());
  request.once('error', () => (response.headersSent ? response.destroy() : response.writeHead(502).end()));
  response.once('close', () => request.destroy());
  request.end(body);
}
