import type { IncomingMessage } from 'node:http';
import { expect, test } from 'vitest';
import { clientAddress } from '../../../templates/runtime/transports/http/client-address.ts';

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
