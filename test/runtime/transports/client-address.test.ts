import type { IncomingMessage } from 'node:http';
import { BlockList } from 'node:net';
import { expect, test } from 'vitest';
import { clientAddress } from '../../../templates/runtime/transports/http/client-limits.ts';

const proxies = new BlockList();
proxies.addSubnet('10.0.0.0', 8);
proxies.addAddress('::1', 'ipv6');

test.each<[string, string | undefined, string]>([
  ['10.0.0.1', undefined, '10.0.0.1'],
  ['10.0.0.1', '203.0.113.5', '203.0.113.5'],
  ['::ffff:10.0.0.1', '203.0.113.5', '203.0.113.5'],
  ['::1', ' 2001:db8::1 ', '2001:db8:0:0::/64'],
  // What a client wrote stands left of what the first trusted one added.
  ['10.0.0.1', '127.0.0.1, 203.0.113.5', '203.0.113.5'],
  ['10.0.0.1', '198.51.100.1, 203.0.113.5, 10.0.0.2,10.0.0.3', '203.0.113.5'],
  ['10.0.0.1', '10.0.0.9', '10.0.0.9'],
  // Not an address: as if nothing had been said from there on.
  ['10.0.0.1', '203.0.113.5, unknown', '10.0.0.1'],
  ['10.0.0.1', '203.0.113.5:8080', '10.0.0.1'],
  ['10.0.0.1', '', '10.0.0.1'],
  ['203.0.113.7', '198.51.100.1', '203.0.113.7'],
  ['10.0.0.1', `${'198.51.100.1,'.repeat(50)}${'10.0.0.2,'.repeat(30)}10.0.0.3`, '10.0.0.2'],
])('behind proxies, %s with X-Forwarded-For %j is counted as %s', (remoteAddress, forwarded, want) => {
  const headers = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded };
  expect(clientAddress({ socket: { remoteAddress }, headers } as IncomingMessage, proxies)).toBe(want);
});

test.each([
  ['127.0.0.1', '127.0.0.1'],
  ['::ffff:10.0.0.1', '::ffff:10.0.0.1'],
  ['::1', '0:0:0:0::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['2001:db8::ffff:1:2:3:4', '2001:db8:0:ffff::/64'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8:1:2:ffff::9', '2001:db8:1:2::/64'],
  [undefined, ''],
])('a client at %s is counted as %s', (remoteAddress, want) => {
  expect(clientAddress({ socket: { remoteAddress } } as IncomingMessage)).toBe(want);
});
