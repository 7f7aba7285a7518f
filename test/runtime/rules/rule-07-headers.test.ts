// Rule 7: the headers of a modern request repeat its body, so that proxies can route by them.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { expect, test } from 'vitest';
import { Channel } from '../../../templates/runtime/core/session.ts';
import { readReceived } from '../../../templates/runtime/protocol/json-rpc.ts';
import type { JsonObject, ObjectSchema } from '../../../templates/runtime/contract/json-schema.ts';
import { createCheckedCore } from '../../support/checked-core.ts';
import { start } from '../transports/http-harness.ts';
import { metaOf, subject } from './subject.ts';

type Headers = Record<string, string | undefined>;

const inputSchema: ObjectSchema = {
  type: 'object',
  properties: {
    region: { type: 'string', 'x-mcp-header': 'Region' },
    count: { type: 'integer', 'x-mcp-header': 'Count' },
    fast: { type: 'boolean', 'x-mcp-header': 'Fast' },
    deep: { type: 'object', properties: { er: { type: ['string', 'null'], 'x-mcp-header': 'Deeper' } } },
    free: { type: 'string' },
  },
};

const encoded = (text: string, encoding: BufferEncoding = 'base64') =>
  `=?base64?${Buffer.from(text).toString(encoding)}?=`;

async function server() {
  const { post, counted } = await start({ inputSchema });
  const ask = async (method: string, params: object, headers: Headers) => {
    const message = { jsonrpc: '2.0', id: 7, method, params: { ...params, _meta: metaOf() } };
    const all = { 'MCP-Protocol-Version': '2026-07-28', 'Mcp-Method': method, ...headers };
    const { status, json } = await post(message, all);
    return { status, id: json().id, code: json().error?.code, message: json().error?.message };
  };
  return {
    ask,
    counted,
    call: (args: object, headers: Headers = {}) =>
      ask('tools/call', { name: 'x', arguments: args }, { 'Mcp-Name': 'x', ...headers }),
  };
}

const refusal = (message: string) => ({ status: 400, id: 7, code: -32020, message });
const missing = (header: string) => refusal(`The header \`${header}\` is missing.`);
const other = (header: string) => refusal(`The header \`${header}\` does not say what the body says.`);
const garbled = (header: string) => refusal(`The header \`${header}\` is not encoded as it must be.`);
const fine = { status: 200, code: undefined };

test.each<[string, Headers]>([
  ['names in lower case', { 'mcp-name': 'x', 'Mcp-Name': undefined }],
  ['names in upper case', { 'MCP-NAME': 'x', 'Mcp-Name': undefined }],
  ['blanks around', { 'Mcp-Name': '  x\t' }],
  ['an encoded name', { 'Mcp-Name': encoded('x') }],
  ['headers of arguments that do not exist', { 'Mcp-Param-Unknown': 'y' }],
  ['a session id', { 'Mcp-Session-Id': 'none' }],
])('%s: served', async (_, headers) => {
  const { call, counted } = await server();
  expect(await call({}, headers)).toMatchObject(fine);
  expect(counted.calls).toBe(1);
});

test.each<[string, Headers, object]>([
  ['no version', { 'MCP-Protocol-Version': undefined }, missing('MCP-Protocol-Version')],
  ['a legacy version', { 'MCP-Protocol-Version': '2025-11-25' }, other('MCP-Protocol-Version')],
  ['no method', { 'Mcp-Method': undefined }, missing('Mcp-Method')],
  ['another method', { 'Mcp-Method': 'tools/list' }, other('Mcp-Method')],
  ['a method in other cases', { 'Mcp-Method': 'Tools/Call' }, other('Mcp-Method')],
  ['an encoded method', { 'Mcp-Method': encoded('tools/call') }, other('Mcp-Method')],
  ['no name', { 'Mcp-Name': undefined }, missing('Mcp-Name')],
  ['another name', { 'Mcp-Name': 'y' }, other('Mcp-Name')],
  ['a name in other cases', { 'Mcp-Name': 'X' }, other('Mcp-Name')],
  ['a prefix in other cases', { 'Mcp-Name': '=?BASE64?eA==?=' }, other('Mcp-Name')],
  ['no end of the encoding', { 'Mcp-Name': '=?base64?eA==' }, other('Mcp-Name')],
  ['no padding', { 'Mcp-Name': '=?base64?eA?=' }, garbled('Mcp-Name')],
  ['half the padding', { 'Mcp-Name': '=?base64?eA=?=' }, garbled('Mcp-Name')],
  ['padding too much', { 'Mcp-Name': '=?base64?eA===?=' }, garbled('Mcp-Name')],
  ['bits that no byte takes', { 'Mcp-Name': '=?base64?eB==?=' }, garbled('Mcp-Name')],
  ['a foreign character', { 'Mcp-Name': '=?base64?e*==?=' }, garbled('Mcp-Name')],
  ['a blank inside', { 'Mcp-Name': '=?base64?eA ==?=' }, garbled('Mcp-Name')],
  ['bytes that are no UTF-8', { 'Mcp-Name': '=?base64?/w==?=' }, garbled('Mcp-Name')],
])('%s: refused, and no handler runs', async (_, headers, want) => {
  const { call, counted } = await server();
  expect(await call({}, headers)).toEqual(want);
  expect(counted.calls).toBe(0);
});

test.each<[string, object]>([
  ['prompts/get', { name: 'p' }],
  ['resources/read', { uri: 'own://r' }],
  ['tasks/get', { taskId: 't' }],
  ['tasks/update', { taskId: 't' }],
  ['tasks/cancel', { taskId: 't' }],
])('%s needs its name', async (method, params) => {
  const { ask } = await server();
  expect(await ask(method, params, {})).toEqual(missing('Mcp-Name'));
  expect(await ask(method, params, { 'Mcp-Name': 'else' })).toEqual(other('Mcp-Name'));
  const [name = ''] = Object.values(params) as string[];
  expect((await ask(method, params, { 'Mcp-Name': name })).code).not.toBe(-32020);
});

test.each(['tools/list', 'server/discover'])('%s needs none, and does not look at one', async (method) => {
  const { ask } = await server();
  expect(await ask(method, {}, {})).toMatchObject(fine);
  expect(await ask(method, {}, { 'Mcp-Name': 'else' })).toMatchObject(fine);
});

test.each<[string, object, Headers]>([
  ['a text', { region: 'eu' }, { 'Mcp-Param-Region': 'eu' }],
  ['an empty text', { region: '' }, { 'Mcp-Param-Region': encoded('') }],
  ['a text beyond ASCII', { region: 'Ålesund' }, { 'Mcp-Param-Region': encoded('Ålesund') }],
  ['a text with outer blanks', { region: ' eu ' }, { 'Mcp-Param-Region': encoded(' eu ') }],
  ['a text that looks encoded', { region: encoded('x') }, { 'Mcp-Param-Region': encoded(encoded('x')) }],
  ['a number', { count: 42 }, { 'Mcp-Param-Count': '42' }],
  ['a number with a fraction of nothing', { count: 42 }, { 'Mcp-Param-Count': '42.0' }],
  ['a negative number', { count: -1 }, { 'Mcp-Param-Count': '-1' }],
  ['zero', { count: 0 }, { 'Mcp-Param-Count': '0' }],
  ['true', { fast: true }, { 'Mcp-Param-Fast': 'true' }],
  ['false', { fast: false }, { 'mcp-param-fast': 'false' }],
  ['a nested text', { deep: { er: 'x' } }, { 'Mcp-Param-Deeper': 'x' }],
  ['null', { deep: { er: null } }, {}],
  ['nothing', {}, {}],
  ['an argument without annotation', { free: 'x' }, { 'Mcp-Param-Free': 'y' }],
])('an argument that is %s', async (_, args, headers) => {
  const { call, counted } = await server();
  expect(await call(args, headers)).toMatchObject(fine);
  expect(counted.calls).toBe(1);
});

test.each<[string, object, Headers, object]>([
  ['a text without its header', { region: 'eu' }, {}, missing('Mcp-Param-Region')],
  ['another text', { region: 'eu' }, { 'Mcp-Param-Region': 'us' }, other('Mcp-Param-Region')],
  ['a text in other cases', { region: 'eu' }, { 'Mcp-Param-Region': 'EU' }, other('Mcp-Param-Region')],
  [
    'a text beyond ASCII as it is',
    { region: 'Ålesund' },
    { 'Mcp-Param-Region': 'Ålesund' },
    garbled('Mcp-Param-Region'),
  ],
  [
    'a text encoded badly',
    { region: 'eu' },
    { 'Mcp-Param-Region': '=?base64?ZX?=' },
    garbled('Mcp-Param-Region'),
  ],
  [
    'a text in the alphabet of URLs',
    { region: '?>?>' },
    { 'Mcp-Param-Region': encoded('?>?>', 'base64url') },
    garbled('Mcp-Param-Region'),
  ],
  ['a number without its header', { count: 0 }, {}, missing('Mcp-Param-Count')],
  ['another number', { count: 42 }, { 'Mcp-Param-Count': '43' }, other('Mcp-Param-Count')],
  ['a number in hexadecimal', { count: 42 }, { 'Mcp-Param-Count': '0x2a' }, other('Mcp-Param-Count')],
  ['a number in words', { count: 42 }, { 'Mcp-Param-Count': 'forty-two' }, other('Mcp-Param-Count')],
  ['another truth', { fast: true }, { 'Mcp-Param-Fast': 'false' }, other('Mcp-Param-Fast')],
  ['a truth in other cases', { fast: true }, { 'Mcp-Param-Fast': 'True' }, other('Mcp-Param-Fast')],
  ['a truth as a number', { fast: true }, { 'Mcp-Param-Fast': '1' }, other('Mcp-Param-Fast')],
  ['a nested text without its header', { deep: { er: 'x' } }, {}, missing('Mcp-Param-Deeper')],
])('%s: refused, and no handler runs', async (_, args, headers, want) => {
  const { call, counted } = await server();
  expect(await call(args, headers)).toEqual(want);
  expect(counted.calls).toBe(0);
});

test('legacy requests need none of them, whatever they say', async () => {
  const { post, open, counted } = await start({ inputSchema });
  const params = { name: 'x', arguments: { region: 'eu' } };
  const session = await open();
  const headers = { ...session, 'Mcp-Method': 'else', 'Mcp-Name': 'else', 'Mcp-Param-Region': 'us' };
  const { status } = await post({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }, headers);
  expect([status, counted.calls]).toEqual([200, 1]);
});

test.each([['x\u00a0'], ['\u000bx']])('%j is not x: only blanks and tabs are left out', async (name) => {
  const { server } = subject();
  const headers = new Map([
    ['mcp-protocol-version', '2026-07-28'],
    ['mcp-method', 'tools/call'],
    ['mcp-name', name],
  ]);
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'x', _meta: metaOf() } };
  const answer = await createCheckedCore(server)(readReceived(message), {
    channel: new Channel(),
    session: undefined,
    headers: (each) => headers.get(each),
    send: async () => undefined,
  });
  expect(answer).toMatchObject({ code: -32020, origin: 'header' });
});

test.each<[Record<string, unknown>, string[]]>([
  [{}, []],
  [{ region: 'eu', count: -7, fast: false, deep: { er: 'x' } }, ['count', 'deeper', 'fast', 'region']],
  [{ region: 'Zürich ✓', free: 'not repeated' }, ['region']],
  [{ region: ' outer blanks ', count: 0, fast: true }, ['count', 'fast', 'region']],
  [{ region: 'two\nlines', deep: {} }, ['region']],
  [{ region: '=?base64?aGk=?=' }, ['region']],
  [{ region: '' }, ['region']],
])('what the official client repeats of %j is taken', async (args, names) => {
  const wanted = names.map((name) => `mcp-param-${name}`);
  // Clients take plain types only.
  const properties = {
    ...inputSchema.properties,
    deep: deepOf({ type: 'string', 'x-mcp-header': 'Deeper' }),
  };
  const { url, counted, requests } = await start({ inputSchema: { ...inputSchema, properties } });
  const client = new Client({ name: 'client', version: '0' }, { versionNegotiation: { mode: 'auto' } });
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`)));
  await client.listTools();
  expect((await client.callTool({ name: 'x', arguments: args })).isError).not.toBe(true);
  expect(counted.calls).toBe(1);
  const sent = Object.keys(requests.at(-1) ?? {}).filter((name) => name.startsWith('mcp-param-'));
  expect(sent.sort()).toEqual(wanted);
  await client.close();
});

const deepOf = (er: JsonObject) => ({ type: 'object', properties: { er } }) as const;
