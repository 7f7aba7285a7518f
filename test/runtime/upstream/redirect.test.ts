// Where an API may send us on to: not into the network that the server stands in.
import { expect, test } from 'vitest';
import { HeaderList } from '../../../templates/runtime/upstream/wire-request.ts';
import { makeRedirectedRequest } from '../../../templates/runtime/upstream/send.ts';
import { UpstreamError } from '../../../templates/runtime/upstream/upstream-error.ts';

/** The next URL, or the code of the refusal. `address`: that the API has answered from. */
function next(
  from: string,
  location: string,
  { method = 'GET', status = 302, address }: { method?: string; status?: number; address?: string } = {},
): string | undefined {
  const url = new URL(from);
  const wire = { method, url, target: url.pathname, headers: new HeaderList() };
  const answer = { status, headers: { location }, address } as never;
  try {
    return makeRedirectedRequest(wire, answer, () => 'API_BASE_URL')?.url.href;
  } catch (thrown) {
    if (thrown instanceof UpstreamError) return thrown.code;
    throw thrown;
  }
}

const api = 'https://api.example/v1';

test.each([
  ['https://other.example/x'],
  ['https://93.184.215.14/x'],
  ['https://[2606:4700::1]/x'],
  ['https://localhost.example/x'],
  ['https://172.32.0.1/x'],
  ['https://[64:ff9b::5db8:d70e]/x'],
])('an API elsewhere may send to %s', (location) => {
  expect(next(api, location)).toBe(location);
});

test.each([
  ...['http://169.254.169.254/latest/meta-data/', 'http://[fe80::1]/', 'http://[::ffff:169.254.169.254]/'],
  ...[
    'http://127.0.0.1:9200/',
    'http://127.1/',
    'http://2130706433/',
    'http://0x7f.0.0.1/',
    'http://0177.0.0.1/',
  ],
  ...[
    'http://localhost/',
    'http://LOCALHOST./',
    'http://a.localhost/',
    'http://0.0.0.0/',
    'http://0/',
    'http://[::1]/',
  ],
  ...[
    'http://[::]/',
    'http://[::ffff:127.0.0.1]/',
    'http://[::ffff:7f00:1]/',
    'http://10.0.0.1/',
    'http://172.31.255.255/',
  ],
  ...[
    'http://192.168.1.1/',
    'http://100.64.0.1/',
    'http://[fd00::1]/',
    '//127.0.0.1/',
    'http://user@127.0.0.1/',
  ],
  ...['http://[64:ff9b::7f00:1]/', 'http://[64:ff9b::a9fe:a9fe]/', 'http://[::127.0.0.1]/'],
  ...['http://[2002:7f00:1::]/', 'http://[2002:a9fe:a9fe::1]/', 'http://[2002:ac1f:ffff:1::]/'],
  ...['http://168.63.129.16/', 'http://192.0.0.192/', 'http://198.18.0.1/', 'http://203.0.113.5/'],
  ...['http://224.0.0.1/', 'http://240.0.0.1/', 'http://[2001:db8::1]/', 'http://[2002:cb00:7105::1]/'],
  ...[
    'http://\u2460\u2461\u2466.0.0.1/',
    'http://127\u30020\u30020\u30021/',
    'file:///etc/passwd',
    'gopher://10.0.0.1/',
  ],
])('an API elsewhere may not send to %s', (location) => {
  expect(next(api, location)).toBe('redirect');
});

test.each([
  ['http://127.0.0.1:1/v1', 'http://127.0.0.1:2/x', 'http://127.0.0.1:2/x'],
  ['http://localhost/v1', 'http://10.0.0.1/x', 'http://10.0.0.1/x'],
  ['http://10.0.0.1/v1', 'http://169.254.169.254/', 'redirect'],
  ['http://169.254.1.1/v1', '/x', 'http://169.254.1.1/x'],
])('from %s to %s: %s', (from, location, want) => {
  expect(next(from, location)).toBe(want);
});

test.each([
  ['the address of an API in the own network', '10.0.0.5', 'http://10.0.0.6/x', 'http://10.0.0.6/x'],
  ['no metadata service of a cloud', '10.0.0.5', 'http://168.63.129.16/', 'redirect'],
  ['the address of an API elsewhere', '93.184.215.14', 'http://10.0.0.6/x', 'redirect'],
])('what counts is %s', (_, address, location, want) => {
  expect(next(api, location, { address })).toBe(want);
});

test.each([
  ['POST', 303, 'redirect'],
  // Not followed in any case: an answer like others.
  ['POST', 302, undefined],
  ['POST', 307, undefined],
])('%s and %i to the own network: %s', (method, status, want) => {
  expect(next(api, 'http://127.0.0.1/', { method, status })).toBe(want);
});
