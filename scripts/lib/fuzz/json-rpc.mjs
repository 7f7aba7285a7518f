import fc from 'fast-check';
import { jsonWith, textOf } from './texts.mjs';

const methods = [
  'initialize',
  'ping',
  'tools/list',
  'tools/call',
  'resources/read',
  'resources/list',
  'prompts/get',
  'completion/complete',
  'logging/setLevel',
  'notifications/initialized',
  'notifications/cancelled',
  'server/discover',
  'tasks/get',
  'subscriptions/listen',
];
const names = [
  'jsonrpc',
  'id',
  'method',
  'params',
  'result',
  'error',
  'name',
  'arguments',
  'uri',
  'cursor',
  '_meta',
  'protocolVersion',
  'capabilities',
  'clientInfo',
  'io.modelcontextprotocol/protocolVersion',
  'requestId',
  'level',
  'ref',
  'argument',
];
const texts = ['2.0', ...methods, '2025-11-25', '2026-07-28', '2024-11-05', 'echo', 'x://y/1'];

/** Every text is read or refused, and every message that is read gets an answer of JSON-RPC, or none. */
export async function jsonRpc(load) {
  const { parseMessage, readReceived } = await load('templates/runtime/protocol/json-rpc');
  const { allFeatures } = await load('templates/runtime/all-features');
  const { createCore } = await load('templates/runtime/core/core');
  const { createServer } = await load('templates/runtime/core/server-instance');
  const { CatalogStore } = await load('templates/runtime/core/catalog-store');
  const { Session } = await load('templates/runtime/core/session');
  const { DEFAULT_LIMITS } = await load('templates/runtime/contract/feature');
  const { answerToObject } = await load('templates/runtime/core/call');
  const tool = { name: 'echo', inputSchema: { type: 'object', properties: { a: { type: 'integer' } } } };
  const template = { name: 't', uriTemplate: 'x://y/{id}' };
  const reported = [];
  const current = createServer({
    definition: {
      info: { name: 'fuzz', version: '1' },
      features: allFeatures,
      handlers: { extraTools: [{ ...tool, handler: () => ({ content: [] }) }] },
    },
    catalog: new CatalogStore(
      JSON.stringify({ tools: [], resources: [], resourceTemplates: [template], prompts: [] }),
    ),
    readBindings: () =>
      JSON.stringify({ tools: {}, resources: {}, resourceTemplates: {}, prompts: {}, completions: [] }),
    env: {},
    limits: DEFAULT_LIMITS,
    report: (thrown) => reported.push(thrown),
  });
  const core = createCore({ current });
  const member = jsonWith(names, texts);
  const request = fc.record(
    {
      jsonrpc: fc.oneof({ weight: 9, arbitrary: fc.constant('2.0') }, member),
      id: fc.oneof(fc.nat(), member),
      method: fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...methods) }, member),
      params: member,
    },
    { requiredKeys: [] },
  );
  const text = fc.oneof(
    request.map((each) => JSON.stringify(each)),
    fc.array(request, { maxLength: 3 }).map((each) => JSON.stringify(each)),
    member.map((each) => JSON.stringify(each)),
    textOf([
      '{',
      '}',
      '[',
      ']',
      '"jsonrpc":"2.0"',
      ',',
      ':',
      '"id":1',
      '"method":"ping"',
      '9007199254740993',
      '"params":{"arguments":{"a":90071992547409931}}',
      '\\u0000',
    ]),
  );
  return fc.asyncProperty(text, fc.boolean(), async (line, withSession) => {
    const received = read(() => parseMessage(line));
    if (received === undefined) return;
    const session = new Session();
    const exchange = {
      channel: session,
      ...(withSession ? { session } : {}),
      send: () => undefined,
      signal: AbortSignal.abort(),
    };
    const answers = await core(readReceived(received.value), exchange);
    for (const answer of answers === undefined ? [] : [answers].flat()) {
      const message = answerToObject(answer);
      if (message.jsonrpc !== '2.0' || 'result' in message === 'error' in message)
        throw new Error(`no answer: ${JSON.stringify(message)}`);
      if (message.error?.code === -32603)
        throw new Error(`a fault of the server: ${JSON.stringify(message)}`);
    }
    if (reported.length > 0) throw reported.pop();
  });
}

function read(parse) {
  try {
    return { value: parse() };
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
