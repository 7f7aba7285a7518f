// Names that an API redirects to are judged by the addresses that they resolve to, where the connection is made.
import { allFeatures } from '../../../templates/runtime/all-features.ts';
import dns, { type LookupAddress, type LookupOptions } from 'node:dns';
import { syncBuiltinESMExports } from 'node:module';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Target, createDispatcherChooser } from '../../../templates/runtime/upstream/dispatcher.ts';
import { HeaderList } from '../../../templates/runtime/upstream/wire-request.ts';
import { Deadline, UpstreamError } from '../../../templates/runtime/upstream/upstream-error.ts';
import { sendRequest } from '../../../templates/runtime/upstream/send.ts';
import { defaultUpstreamLimits } from '../../../templates/runtime/contract/feature.ts';
import { call, type Loopback, rawServer, refusal } from './loopback.ts';

type Answers = Record<string, string[][]>;
type Done = (error: Error | null, address: string | LookupAddress[], family?: number) => void;

const systemLookup = dns.lookup;
let server: Loopback;
let port: string;
/** Each lookup takes the next answer; the last one stays. */
let names: Answers;
let lookups: string[];

beforeEach(async () => {
  server = await rawServer(() => 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok');
  ({ port } = new URL(server.url));
  names = {};
  lookups = [];
});

/** From here on; servers are opened before. */
function stubNames(answers: Answers): void {
  names = answers;
  dns.lookup = lookup as typeof dns.lookup;
  syncBuiltinESMExports();
}

afterEach(async () => {
  dns.lookup = systemLookup;
  syncBuiltinESMExports();
  await server.close();
});

function lookup(name: string, options: LookupOptions, done: Done): void {
  lookups.push(name);
  const answers = names[name] ?? [];
  const answer = (answers.length > 1 ? answers.shift() : answers[0]) ?? [];
  const all = answer.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
  process.nextTick(() => {
    if (options.all === true) done(null, all);
    else done(null, all[0]?.address ?? '', all[0]?.family);
  });
}

const connect = createDispatcherChooser({}, 1_000);
const elsewhere = { origin: 'https://api.example', isInward: false };
const inward = { origin: 'http://10.0.0.1', isInward: true };

/** A GET by the same connections as the others; resolves with the status, or the code of the refusal. */
async function get(host: string, more: Partial<Target> = {}, by = connect): Promise<number | string> {
  const url = new URL(`http://${host}:${port}/`);
  const deadline = new Deadline(5_000);
  try {
    const wire = { method: 'GET', url, target: '/', headers: new HeaderList(), ...more };
    return (await sendRequest(wire, { deadline, limits: defaultUpstreamLimits, chooseDispatcher: by }))
      .status;
  } catch (thrown) {
    if (thrown instanceof UpstreamError) return thrown.code;
    throw thrown;
  } finally {
    deadline.clearDeadline();
  }
}

test.each<[what: string, addresses: string[]]>([
  ['this machine', ['127.0.0.1']],
  ['this machine, in IPv6', ['::1']],
  ['this machine, mapped', ['::ffff:127.0.0.1']],
  ['one private address among public ones', ['93.184.215.14', '127.0.0.1', '2606:4700::1']],
  ['a private network', ['192.168.1.1']],
  ['the metadata service of a cloud', ['168.63.129.16']],
])('an API elsewhere does not send to a name of %s', async (_, addresses) => {
  stubNames({ 'inner.example': [addresses] });
  expect(await get('inner.example', { sentBy: elsewhere })).toBe('redirect');
  expect(server.requests).toEqual([]);
});

test('an API in the own network does, but for metadata services', async () => {
  stubNames({ 'inner.example': [['127.0.0.1']], 'metadata.example': [['127.0.0.1', '169.254.169.254']] });
  expect(await get('inner.example', { sentBy: inward })).toBe(200);
  expect(await get('metadata.example', { sentBy: inward })).toBe('redirect');
});

test('the operator names every host', async () => {
  stubNames({ 'inner.example': [['127.0.0.1']] });
  expect(await get('inner.example')).toBe(200);
});

test('a connection to an address that was not judged serves no redirect, and the other way round', async () => {
  stubNames({ 'inner.example': [['127.0.0.1']] });
  expect(await get('inner.example')).toBe(200);
  expect(await get('inner.example', { sentBy: inward })).toBe(200);
  expect(await get('inner.example', { sentBy: elsewhere })).toBe('redirect');
  expect(await get('inner.example')).toBe(200);
  // The first connection was kept for the last request; the redirects looked for the name themselves.
  expect(lookups).toEqual(['inner.example', 'inner.example', 'inner.example']);
});

test('a name is resolved once for the check and the connection, and judged again for the next connection', async () => {
  stubNames({ 'rebinding.example': [['127.0.0.1'], ['169.254.169.254']] });
  const [first, second] = [createDispatcherChooser({}, 1_000), createDispatcherChooser({}, 1_000)];
  expect(await get('rebinding.example', { sentBy: inward }, first)).toBe(200);
  expect(await get('rebinding.example', { sentBy: inward }, second)).toBe('redirect');
  expect(lookups).toHaveLength(2);
});

test('names that a proxy resolves are left to the proxy', async () => {
  stubNames({});
  const by = createDispatcherChooser({ HTTP_PROXY: server.url }, 1_000, allFeatures.proxy);
  expect(await get('inner.example', { sentBy: elsewhere }, by)).toBe(200);
  expect(lookups).toEqual([]);
  expect(server.requests[0]?.line).toBe(`GET http://inner.example:${port}/ HTTP/1.1`);
});

test('one that NO_PROXY names is resolved here', async () => {
  stubNames({ 'inner.example': [['127.0.0.1']] });
  const by = createDispatcherChooser(
    { HTTP_PROXY: server.url, NO_PROXY: '.example' },
    1_000,
    allFeatures.proxy,
  );
  expect(await get('inner.example', { sentBy: elsewhere }, by)).toBe('redirect');
});

test('TLS to a name of this machine is not begun', async () => {
  stubNames({ 'inner.example': [['127.0.0.1']] });
  const url = new URL(`https://inner.example:${port}/`);
  expect(await get('inner.example', { url, sentBy: elsewhere })).toBe('redirect');
  expect(
    await get(
      'inner.example',
      { url, sentBy: elsewhere },
      createDispatcherChooser({ NO_PROXY: '*' }, 1_000, allFeatures.proxy),
    ),
  ).toBe('redirect');
});

test('an API in the own network, by its name, redirects to another host there', async () => {
  const to = async (host: string) =>
    rawServer(() => `HTTP/1.1 302 Found\r\nLocation: http://${host}:${port}/\r\nContent-Length: 0\r\n\r\n`);
  const [first, second] = [await to('files.example'), await to('metadata.example')];
  stubNames({
    'api.example': [['127.0.0.1']],
    'files.example': [['127.0.0.1']],
    'metadata.example': [['169.254.169.254']],
  });
  const at = ({ url }: Loopback): string => `http://api.example:${new URL(url).port}`;
  expect((await call(at(first), {})).status).toBe(200);
  const { code, message } = await refusal(call(at(second), {}));
  expect(code).toBe('redirect');
  expect(message).toContain(
    `redirected to metadata.example:${port}, which is in the network of this MCP server`,
  );
  await Promise.all([first.close(), second.close()]);
});
