/** Calls every tool of a server with samples of its input schema, through a recording proxy, and asks what the judge says. */
import { once } from 'node:events';
import http from 'node:http';

import { makeSample } from '../../../dist/templates/runtime/features/mock/sample.js';
import { openSession } from './project.mjs';

/** Each tool is called with the least its schema allows, and with everything it names. */
const samples = { minimal: {}, full: { full: true } };

/**
 * `judge`: its origin; `faultOf`: what it has against a request; `schemas`: the whole input schema of each tool of the API,
 * since a listed one may be cut. A miss has the judge's words as `reason`, or why nothing reached it.
 */
export async function callTools({ project, env, judge, faultOf, schemas }) {
  const proxy = await startRecordingProxy(judge);
  try {
    const session = await openSession(project, { env: { ...env, API_BASE_URL: proxy.origin } });
    try {
      const misses = [];
      let calls = 0;
      for (const [tool, schema] of schemas) {
        const made = samplesOf(schema);
        calls += made.length;
        for (const [sample, args] of made) {
          const { sent, reason } = await judgeCall(() => session.call(tool, args), proxy, faultOf);
          if (reason !== undefined) misses.push({ tool, sample, reason, sent });
        }
      }
      return { calls, misses };
    } finally {
      await session.close();
    }
  } finally {
    await proxy.close();
  }
}

/** The full sample is left out where it says the same as the minimal one. */
function samplesOf(schema) {
  const made = Object.entries(samples).map(([name, options]) => [name, sampleOrNone(schema, options)]);
  return made.filter(([, args], at) => at === 0 || JSON.stringify(args) !== JSON.stringify(made[0][1]));
}

/** A schema that can't be read, or that nothing was found for, is called without arguments. */
function sampleOrNone(schema, options) {
  try {
    return makeSample(schema, options) ?? {};
  } catch {
    return {};
  }
}

/** The first request of a call is judged: those that follow go where the judge redirected to. */
async function judgeCall(call, proxy, faultOf) {
  const said = await call();
  const [first] = proxy.take();
  if (first === undefined) return { sent: '', reason: `nothing was sent: ${said}` };
  return { sent: `${first.method} ${first.target}`, reason: faultOf(first) };
}

/**
 * Exchange: one request and its answer; `target`: path and query, as sent; `headers`: of the request, name and value
 * by turns, as sent; `status`: of the answer; 502 when the judge hung up; `answerText`: the first characters of the
 * answer's body, once it has passed.
 */

/** Characters of an answer that are kept to explain a miss. */
const keptCharacters = 2_000;

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
