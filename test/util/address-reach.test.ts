// One table of addresses for documents and for redirects: which are public. Metadata services hand out a machine's credentials.
import { expect, test } from 'vitest';
import { isPublicAddress } from '../../templates/runtime/features/redirects.ts';
import { isPublicHost } from '../../src/util/addresses.ts';

test.each<[reach: 'public' | 'inward' | 'link-local', hosts: string[]]>([
  ['public', ['1.1.1.1', '172.32.0.1', '168.63.129.15', '192.0.1.1', '198.20.0.1', '223.255.255.255']],
  ['public', ['[2606:4700::1111]', '2a00:1450::1', '64:ff9b::808:808', 'name.example', 'localhost.example']],
  ['inward', ['127.0.0.1', '10.0.0.1', '172.16.0.1', '192.168.0.1', '100.64.0.1', '0.0.0.0', 'localhost']],
  ['inward', ['192.0.0.1', '192.0.2.1', '192.88.99.1', '198.18.0.1', '198.51.100.1', '203.0.113.1']],
  ['inward', ['224.0.0.1', '240.0.0.1', '255.255.255.255', 'ff02::1', '5f00::1', '100::1', '64:ff9b:1::1']],
  ['inward', ['::', '::1', 'fc00::1', 'fec0::1', '2001::1', '2001:db8::1', '2002:808:808::1', '3fff::1']],
  ['inward', ['::ffff:127.0.0.1', '::ffff:8.8.8.8', '64:ff9b::10.0.0.1', '[::7f00:1]', 'a.localhost.']],
  ['link-local', ['169.254.169.254', '169.254.170.23', 'fe80::1', 'fe80::1%eth0', '[::ffff:a9fe:a9fe]']],
  ['link-local', ['168.63.129.16', '100.100.100.200', '192.0.0.192', '::ffff:168.63.129.16']],
  ['link-local', ['64:ff9b::168.63.129.16', '2002:a83f:8110::1', '64:ff9b::a9fe:a9fe']],
  ['link-local', ['fd00:ec2::254', 'fd00:ec2::23', 'fd20:ce::254', 'fd00:c1::a9fe:a9fe', 'fd00:42::42']],
])('%s: %j', (reach, hosts) => {
  expect(hosts.map((host) => [host, isPublicHost(host)])).toEqual(
    hosts.map((host) => [host, reach === 'public']),
  );
});

test('a name is no public address, though it may resolve to one', () => {
  expect(['name.example', '', '1.1.1.1'].map(isPublicAddress)).toEqual([false, false, true]);
});
