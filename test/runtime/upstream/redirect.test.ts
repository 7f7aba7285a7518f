// Where an API may send us on to: not into the network that the server stands in.
import { expect, test } from 'vitest';
import { HeaderList } from '../../../templates/runtime/upstream/header-list.ts';
import { redirected } from '../../../templates/runtime/upstream/redirect.ts';
import { UpstreamError } from '../../../templates/runtime/upstream/upstream-error.ts';

/** The next URL, or the code of the refusal. */
function next(from: string, location: string, method = 'GET', status = 302): string | undefined {
  const url = new URL(from);
  const wire = { method, url, target: url.pathname, headers: new HeaderList() };
  try {
    return redirected(wire, { status, headers: { location } } as never, 'API_BASE_URL')?.url.href;
  } catch (thrown) {
    if (thrown instanceof UpstreamError) return thrown.code;
    throw thrown;
  }
}

const api = 'https://api.example/v1';

test.each([
  ['https://other.example/x'],
  ['https://203.0.113.5/x'],
  ['https://[2001:db8::1]/x'],
  ['https://localhost.example/x'],
  ['https://172.32.0.1/x'],
  ['https://[64:ff9b::cb00:7105]/x'],
  ['https://[2002:cb00:7105::1]/x'],
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
  ['POST', 303, 'redirect'],
  // Not followed in any case: an answer like others.
  ['POST', 302, undefined],
  ['POST', 307, undefined],
])('%s and %i to the own network: %s', (method, status, want) => {
  expect(next(api, 'http://127.0.0.1/', method, status)).toBe(want);
});
