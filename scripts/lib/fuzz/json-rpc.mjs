import fc from 'fast-check';
import { jsonWith, textOf, words } from './texts.mjs';

const methods = words(`
  initialize ping tools/list tools/call resources/read resources/list prompts/get completion/complete
  logging/setLevel notifications/initialized notifications/cancelled server/discover tasks/get
  subscriptions/listen
`);
const names = words(`
  jsonrpc id method params result error name arguments uri cursor _meta protocolVersion capabilities
  clientInfo io.modelcontextprotocol/protocolVersion requestId level ref argument
`);
const texts = ['2.0', ...methods, '2025-11-25', '2026-07-28', '2024-11-05', 'echo', 'x://y/1'];

/** Every text is read or refused, and every message that is read gets an answer of JSON-RPC, or none. */
export async function jsonRpc(load) {
  const { FEATURES } = await load('src/model/feature-table');
  const { parseJson } = await load('templates/runtime/json-rpc');
  const { Server } = await load('templates/runtime/server');
  const { Session } = await load('templates/runtime/session');
  // These refuse everybody who has no token.
  const rows = FEATURES.filter(({ name }) => !['oauth', 'dpop', 'exchange', 'skills'].includes(name));
  const factories = await Promise.all(rows.map((row) => row.load()));
  const tool = { name: 'echo', inputSchema: { type: 'object', properties: { a: { type: 'integer' } } } };
  const template = { name: 't', uriTemplate: 'x://y/{id}' };
  const reported = [];
  const definition = {
    info: { name: 'fuzz', version: '1' },
    features: factories.map((make) => make()),
    handlers: { extraTools: [{ ...tool, handler: () => ({ content: [] }) }] },
    generated: {
      'catalog.json': JSON.stringify({
        tools: [],
        resources: [],
        resourceTemplates: [template],
        prompts: [],
      }),
      'bindings.json': JSON.stringify({
        ...{ tools: {}, resources: {}, resourceTemplates: {}, prompts: {}, completions: [] },
      }),
    },
  };
  const server = new Server(definition, {
    env: { MCP_METRICS_PORT: 'off' },
    report: (thrown) => reported.push(thrown),
  });
  await server.start();
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
      ...words(`
      { } [ ] "jsonrpc":"2.0" , : "id":1 "method":"ping" 9007199254740993
      "params":{"arguments":{"a":90071992547409931}}
    `),
      '\\u0000',
    ]),
  );
  return fc.asyncProperty(text, fc.boolean(), async (line, hasAgreed) => {
    const received = read(() => parseJson(line));
    if (received === undefined) return;
    const session = new Session();
    if (hasAgreed) session.agreement = { era: 'legacy', revision: '2025-03-26', clientCapabilities: {} };
    const exchange = { session, send: () => undefined };
    const { value } = received;
    // A subscription lasts as long as its client.
    const timer = setTimeout(() => session.end(), 20);
    const reply = await server.receive(value, exchange);
    clearTimeout(timer);
    for (const message of reply === undefined ? [] : [JSON.parse(reply.text)].flat()) {
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
