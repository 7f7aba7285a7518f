import { allFeatures as features } from '../../../templates/runtime/all-features.ts';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { parseSettings } from '../../../templates/runtime/main/settings.ts';

const pem = (name: string): string => fileURLToPath(new URL(`../../support/tls/${name}`, import.meta.url));

async function read(flags: Record<string, string[]>, env: Record<string, string> = {}) {
  const { http } = await parseSettings(new Map(Object.entries({ transport: ['http'], ...flags })), env, {
    features,
  });
  if (http === undefined) throw new Error('no settings of HTTP');
  return http;
}

test.each([
  ['mcp.example.com, Other.Example', ['mcp.example.com', 'other.example']],
  ['[::1],10.0.0.1', ['[::1]', '10.0.0.1']],
  ['', []],
])('MCP_ALLOWED_HOSTS=%j', async (value, want) => {
  expect((await read({}, { MCP_ALLOWED_HOSTS: value })).allowedHosts).toEqual(want);
});

test.each<[Record<string, string[]>, Record<string, string>, [string, boolean][]]>([
  [
    {},
    { MCP_TRUSTED_PROXIES: '10.0.0.0/8, 192.0.2.1,fd00::/8' },
    [
      ['10.1.2.3', true],
      ['192.0.2.1', true],
      ['192.0.2.2', false],
      ['fd12::1', true],
      ['::1', false],
    ],
  ],
  [
    { 'trusted-proxy': ['::1', '127.0.0.1'] },
    { MCP_TRUSTED_PROXIES: '10.0.0.0/8' },
    [
      ['::1', true],
      ['127.0.0.1', true],
      ['10.1.2.3', false],
    ],
  ],
])('--trusted-proxy %j wins over %j', async (flags, env, want) => {
  const { proxies } = await read(flags, env);
  const found = want.map(([address]) => [
    address,
    proxies?.check(address, address.includes(':') ? 'ipv6' : 'ipv4'),
  ]);
  expect(found).toEqual(want);
});

test.each<[string, string[]]>([
  ['0.0.0.0/0', ['0.0.0.0/0']],
  ['10.0.0.1,::/0,10.0.0.0/8', ['::/0']],
  ['0.0.0.0/1,128.0.0.0/1', ['0.0.0.0/1', '128.0.0.0/1']],
  ['104.0.0.0/7', ['104.0.0.0/7']],
  ['104.16.0.0/13,10.0.0.0/8,192.168.0.0/16,127.0.0.1', []],
  ['::ffff:0:0/96', ['::ffff:0:0/96']],
  ['::ffff:10.0.0.0/104,::1,fe80::/10,fc00::/7,2400:cb00::/32', []],
  ['2000::/3,2001::/16,fc00::/6', ['2000::/3', '2001::/16', 'fc00::/6']],
])('of the proxies %s clients stand in %j', async (value, want) => {
  expect((await read({}, { MCP_TRUSTED_PROXIES: value })).wideProxies).toEqual(want);
  expect((await read({ 'trusted-proxy': value.split(',') })).wideProxies).toEqual(want);
});

test.each<[string, Record<string, string[]>, Record<string, string>, number | undefined]>([
  ['the variable', {}, { MCP_CONNECTIONS: '50' }, 50],
  ['an empty variable', {}, { MCP_CONNECTIONS: '' }, undefined],
  ['the flag', { connections: ['off'] }, {}, Infinity],
  ['the lower of both', { connections: ['off'] }, { MCP_CONNECTIONS: '50' }, 50],
])('connections of one address, by %s', async (_, flags, env, want) => {
  expect((await read(flags, env)).limits.connectionsPerAddress).toBe(want);
});

test.each(['0', '-1', '1.5', 'many'])('--connections %s', async (value) => {
  await expect(read({ connections: [value] })).rejects.toThrow(
    `--connections must be a whole number, 1 or more, or off, not ${value}.`,
  );
});

test('without any of it', async () => {
  expect(await read({})).toEqual({
    allowedHosts: [],
    proxies: undefined,
    wideProxies: [],
    drainDelayMs: 0,
    limits: {},
    passHeaders: [],
    tls: undefined,
    wellKnown: [],
    stateless: false,
    sessionMs: 604_800_000,
  });
  expect((await parseSettings(new Map(), {}, { features })).http).toBeUndefined();
});

test.each<[Record<string, string[]>, Record<string, string>, object]>([
  [
    { 'tls-cert': [pem('server.pem')], 'tls-key': [pem('server-key.pem')] },
    {},
    { cert: pem('server.pem'), key: pem('server-key.pem') },
  ],
  [
    { 'tls-cert': [pem('client.pem')] },
    { MCP_TLS_KEY: pem('client-key-encrypted.pem'), MCP_TLS_PASSPHRASE: 'test-passphrase' },
    { cert: pem('client.pem'), key: pem('client-key-encrypted.pem'), passphrase: 'test-passphrase' },
  ],
])('a certificate and its key, by %j and %j', async (flags, env, want) => {
  expect((await read(flags, env)).tls).toEqual(want);
});

test.each<[Record<string, string[]>, Record<string, string>, string | RegExp]>([
  [{}, { MCP_ALLOWED_HOSTS: 'https://a.example' }, /^MCP_ALLOWED_HOSTS must hold names without ports/],
  [{}, { MCP_ALLOWED_HOSTS: 'a.example:80' }, /^MCP_ALLOWED_HOSTS must hold names without ports/],
  [{}, { MCP_TRUSTED_PROXIES: 'proxy.example' }, /^MCP_TRUSTED_PROXIES must be an address/],
  [{ 'trusted-proxy': ['10.0.0.0/33'] }, {}, /^--trusted-proxy must be an address/],
  [{ 'trusted-proxy': ['10.0.0.0/'] }, {}, /^--trusted-proxy must be an address/],
  [{}, { MCP_TLS_KEY: 'k' }, 'MCP_TLS_KEY goes with a certificate: give --tls-cert as well.'],
  [{ 'tls-cert': ['/nowhere.pem'] }, {}, /^--tls-cert and MCP_TLS_KEY must be PEM files .*ENOENT/],
  [
    { 'tls-cert': [pem('server.pem')], 'tls-key': [pem('client-key.pem')] },
    {},
    /^--tls-cert and --tls-key must be PEM files/,
  ],
])('%j with %j is refused', async (flags, env, message) => {
  await expect(read(flags, env)).rejects.toMatchObject({
    name: 'UsageError',
    message: expect.stringMatching(message) as unknown,
  });
});
