// No document makes the compiler ask an address of this machine or its network.
import type { RequestListener } from 'node:http';
import { gzipSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { guardedFetch, type Lookup } from '../../../src/frontends/openapi/load/guarded-fetch.ts';
import { ipAddressOfUrl, isPublicHost } from '../../../src/util/addresses.ts';
import { createRefPolicy } from '../../../src/util/ref-policy.ts';
import { isPublicAddress } from '../../../templates/runtime/features/redirects.ts';
import { httpServer } from '../../support/loopback.ts';
import { readSource, withOperation } from './reading.ts';

/** A server on loopback; `asked` are the hosts it was asked by. */
async function listen(answer: RequestListener): Promise<{ port: string; asked: string[] }> {
  const asked: string[] = [];
  const { url, close } = await httpServer((request, response) => {
    asked.push(request.headers.host ?? '');
    answer(request, response);
  });
  onTestFinished(close);
  return { port: new URL(url).port, asked };
}

const answers =
  (...addresses: string[]): Lookup =>
  (_name, _options, done) => {
    done(
      null,
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    );
  };

test.each([
  ...['127.0.0.1', '127.255.255.254', '0.0.0.0', '10.1.2.3', '172.16.0.1', '172.31.255.255', '192.168.1.1'],
  ...['169.254.169.254', '169.254.170.2', '100.64.0.1', '100.100.100.200', '192.0.0.192', '198.18.0.1'],
  ...['224.0.0.1', '255.255.255.255', '192.0.2.1', '203.0.113.9', '::', '::1', 'fe80::1', 'fc00::1'],
  ...['fd00:ec2::254', 'ff02::1', '::ffff:127.0.0.1', '::ffff:8.8.8.8', '::127.0.0.1', '64:ff9b::7f00:1'],
  ...['64:ff9b:1::1', '2002:7f00:1::', '2001::1', '2001:db8::1', '3fff::1', '5f00::1', 'localhost', ''],
])('%s is not public', (address) => {
  expect(isPublicAddress(address)).toBe(false);
});

test.each([
  '1.1.1.1',
  '8.8.8.8',
  '172.15.0.1',
  '172.32.0.1',
  '192.167.1.1',
  '2606:4700::1111',
  '2a00:1450::1',
])('%s is public', (address) => {
  expect(isPublicAddress(address)).toBe(true);
});

test.each([
  [true, ['1.1.1.1', '[2606:4700::1111]', 'name.example', 'localhost.example']],
  [false, ['127.0.0.1', '[::1]', '169.254.169.254', 'localhost', 'localhost.', 'a.localhost']],
])('may be public, %s: %j', (isPublic, hosts) => {
  expect(hosts.map((host) => [host, isPublicHost(host)])).toEqual(hosts.map((host) => [host, isPublic]));
});

test.each([
  ['2130706433', '127.0.0.1'],
  ['0x7f000001', '127.0.0.1'],
  ['0x7f.1', '127.0.0.1'],
  ['0177.0.0.1', '127.0.0.1'],
  ['017700000001', '127.0.0.1'],
  ['127.1', '127.0.0.1'],
  ['127.0.0.1.', '127.0.0.1'],
  ['①②⑦.0.0.1', '127.0.0.1'],
  ['%31%32%37.0.0.1', '127.0.0.1'],
  ['2852039166', '169.254.169.254'],
  ['[::ffff:169.254.169.254]', '::ffff:a9fe:a9fe'],
  ['[0:0:0:0:0:0:0:1]', '::1'],
])('http://%s is %s', (host, address) => {
  expect(ipAddressOfUrl(new URL(`http://${host}/`))).toBe(address);
  expect(isPublicAddress(address)).toBe(false);
});

test.each<[what: string, host: string, addresses: string[]]>([
  ['a name with a private address', 'public.example', ['10.0.0.1']],
  ['one of several addresses', 'public.example', ['1.1.1.1', '127.0.0.1']],
  ['IPv4 in IPv6', 'public.example', ['::ffff:127.0.0.1']],
  ['metadata of a cloud', 'metadata.example', ['169.254.169.254']],
  ['an address alone', '127.0.0.1', []],
  ['an address in brackets', '[::1]', []],
])('%s is not asked', async (_what, host, addresses) => {
  const { port, asked } = await listen((_request, response) => response.end());
  const asking = guardedFetch(
    new URL(`http://${host}:${port}/`),
    { headers: {}, signal: AbortSignal.timeout(60_000) },
    { allowsAddress: isPublicAddress, lookup: answers(...addresses) },
  );
  await expect(asking).rejects.toThrow(/not public/);
  expect(asked).toEqual([]);
});

test('the address that was judged is the one that is asked', async () => {
  const { port, asked } = await listen((_request, response) => {
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('{"a":1}'));
  });
  let times = 0;
  const rebinding: Lookup = (name, options, done) => {
    times++;
    answers(times === 1 ? '127.0.0.1' : '10.0.0.1')(name, options, done);
  };
  const response = await guardedFetch(
    new URL(`http://rebinding.example:${port}/`),
    { headers: {}, signal: AbortSignal.timeout(60_000) },
    { allowsAddress: (address) => address === '127.0.0.1', lookup: rebinding },
  );
  expect(await response.json()).toEqual({ a: 1 });
  expect({ times, asked }).toEqual({ times: 1, asked: [`rebinding.example:${port}`] });
});

test.each(['127.0.0.1', '2130706433', '0x7f.1', '[::ffff:127.0.0.1]', '169.254.169.254', '[fe80::1]'])(
  'the document at a URL is not taken from %s, where its host redirects to',
  async (host) => {
    const { port, asked } = await listen((request, response) => {
      const location = `http://${host}:${port}/inner`;
      if (request.url === '/') response.writeHead(302, { location }).end();
      else response.end(JSON.stringify(withOperation({})));
    });
    const { found } = await readSource(`http://localhost:${port}/`);
    expect(found).toMatchObject([
      { name: 'source-unreadable', message: expect.stringMatching(/not public/) as unknown },
    ]);
    expect(asked).toEqual([`localhost:${port}`]);
  },
);

test.each<[hosts: string[], address: string, allowed: boolean]>([
  [['schemas.example'], '1.1.1.1', true],
  [['schemas.example'], '10.1.2.3', false],
  [['schemas.example', '10.1.2.3'], '10.1.2.3', true],
  [['schemas.example', '10.1.2.3'], '10.1.2.4', false],
  [['http://10.1.2.3:8080/a'], '10.1.2.3', true],
  [['[::1]:80'], '::1', true],
  [['localhost:80'], '127.0.0.1', true],
  [['localhost'], '10.1.2.3', false],
  [['localhost.evil.example'], '127.0.0.1', false],
])('with %j allowed, %s is %s', (hosts, address, allowed) => {
  const policy = createRefPolicy({ folder: undefined, cwd: '/', refRoot: undefined, hosts });
  expect(policy.allowsAddress(address)).toBe(allowed);
});
