/** Each tool is called by its name and through the tools that call others: the API gets the same bytes, and the client the same result. */
import { createServer as createListener } from 'node:net';

import { printBindings, printCatalog, printSearch } from '../../../dist/src/emit/data-files.js';
import { makeWireCalls } from '../../../dist/src/emit/wire/wire-calls.js';
import { FEATURES } from '../../../dist/src/model/feature-table.js';
import { search } from '../../../dist/templates/runtime/features/search/index.js';
import { mayCall, readAccess } from '../../../dist/templates/runtime/features/access.js';
import { CALL_TOOLS } from '../../../dist/templates/runtime/features/search/tools.js';
import { Server } from '../../../dist/templates/runtime/server.js';
import { Session } from '../../../dist/templates/runtime/session.js';

const BODY = '{"id":1,"name":"x","items":[{"id":2}]}';
const ANSWER = `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${BODY.length}\r\n\r\n${BODY}`;

export async function judgeCalls(model) {
  const { calls, environment, baseUrls = [] } = await makeWireCalls(model);
  const api = await openApi();
  const send = await openSession(model, api, { ...environment, ...addresses(baseUrls, api.url) });
  const faults = [];
  let [pairs, refused] = [0, 0];
  for (const { tool, arguments: args } of calls) {
    const access = readAccess(model.tools.find(({ name }) => name === tool) ?? {});
    const named = await send(tool, args);
    if (named.bytes === '') faults.push(`${tool}: nothing reached the API: ${named.text.slice(0, 200)}`);
    for (const by of Object.keys(CALL_TOOLS)) {
      const called = await send(CALL_TOOLS[by], { name: tool, arguments: args });
      if (!mayCall(by, access)) {
        if (called.bytes === '' && called.text.includes('was not called')) refused += 1;
        else faults.push(`${tool}: ${CALL_TOOLS[by]} calls it`);
      } else if (called.bytes !== named.bytes) faults.push(`${tool}: ${CALL_TOOLS[by]} sends other bytes`);
      else if (called.text !== named.text) faults.push(`${tool}: ${CALL_TOOLS[by]} has another result`);
      else pairs += 1;
    }
  }
  await api.close();
  return { faults, called: calls.length, pairs, refused };
}

function addresses(variables, url) {
  return Object.fromEntries(variables.map((name) => [name, url]));
}

/** Keeps every byte of a call; boundaries of multipart bodies are made anew for each. */
async function openApi() {
  const sockets = new Set();
  let received = '';
  const listener = createListener((socket) => {
    sockets.add(socket);
    let pending = Buffer.alloc(0);
    socket.on('error', () => socket.destroy()).on('close', () => sockets.delete(socket));
    socket.on('data', (chunk) => {
      pending = Buffer.concat([pending, chunk]);
      const length = requestLength(pending);
      if (length === undefined || pending.length < length) return;
      received += pending.subarray(0, length).toString('latin1');
      pending = pending.subarray(length);
      socket.write(ANSWER);
    });
  });
  await new Promise((resolve) => listener.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${listener.address().port}`,
    take() {
      const bytes = received;
      received = '';
      const boundary = /^content-type: *multipart\/.*; boundary=([\w-]+)/im.exec(bytes)?.[1];
      return boundary === undefined ? bytes : bytes.replaceAll(boundary, 'boundary');
    },
    close: () => {
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => listener.close(resolve));
    },
  };
}

/** Undefined before the whole request is here. */
function requestLength(bytes) {
  const end = bytes.indexOf('\r\n\r\n');
  if (end === -1) return undefined;
  const head = bytes.subarray(0, end).toString('latin1');
  const length = /^content-length: *(\d+)/im.exec(head)?.[1];
  if (length !== undefined) return end + 4 + Number(length);
  if (!/^transfer-encoding:.*chunked/im.test(head)) return end + 4;
  const last = bytes.indexOf('\r\n0\r\n\r\n', end + 2);
  return last === -1 ? undefined : last + 7;
}

/** Those that have a part in calls of an API. */
const NAMES = [
  'api',
  'styles',
  'bytes',
  'multipart',
  'xml',
  'read-only-members',
  'operation-servers',
  'known-arguments',
  'patterns',
];

async function openSession(model, api, env) {
  const rows = FEATURES.filter(({ name }) => NAMES.includes(name));
  const features = await Promise.all(rows.map(async ({ load }) => (await load())()));
  const definition = {
    info: { name: 'corpus', version: '1' },
    features: [...features, search({ surface: 'both' })],
    generated: {
      'catalog.json': printCatalog(model),
      'bindings.json': printBindings(model, false, { requires: [], refuses: {} }),
      'search.json': printSearch(model),
    },
  };
  const flags = baseUrlOf(model, api);
  const server = new Server(definition, { env, flags, report: () => undefined });
  await server.start();
  const exchange = { session: new Session(), send: async () => undefined };
  const put = (message) => server.receive({ jsonrpc: '2.0', ...message }, exchange);
  const clientInfo = { name: 'corpus', version: '1' };
  const hello = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
  await put({ id: 0, method: 'initialize', params: hello });
  await put({ method: 'notifications/initialized' });
  return async (name, args) => {
    const { text } = await put({ id: 1, method: 'tools/call', params: { name, arguments: args } });
    return { text, bytes: api.take() };
  };
}

/** Several APIs have a variable each. */
function baseUrlOf({ upstreams }, { url }) {
  return upstreams === undefined ? { 'base-url': url } : {};
}
