// Redirects to other origins: downloads are followed, without credentials, and never into the own network.
import { expect, test } from 'vitest';
import { isPublicAddress, redirects } from '../../templates/runtime/features/redirects.ts';
import { type ApiParts, openApi, type Reply, startApi, textOf } from './api.ts';

const to = (location: string, status = 302): Reply => ({ status, headers: { location } });

/** An API that redirects to another origin, which answers `there`. */
async function open(parts: ApiParts = {}, path = '/there?x=1', status = 302) {
  const other = await startApi(() => ({ headers: { 'content-type': 'text/plain' }, body: 'there' }));
  const answer = () => to(other.url + path, status);
  const opened = await openApi({
    without: ['redirects'],
    features: [redirects({ allows: () => true })],
    answer,
    ...parts,
  });
  return { ...opened, other };
}

const key = { type: 'apiKey', in: 'header', name: 'X-Key', env: { key: 'KEY' } } as const;

test('a GET is followed to another origin, without credentials', async () => {
  const { call, other } = await open({
    binding: {
      security: [{ key: [] }],
      parameters: [{ argument: 'h', name: 'X-Other', in: 'header' }],
    },
    api: { securitySchemes: { key } },
    env: { KEY: 'secret-123', API_HEADERS: 'Authorization: Bearer secret-456\nCookie: a=secret' },
  });
  expect(textOf(await call({ h: '1' }))).toBe('there');
  const names = Object.keys(other.requests[0]?.headers ?? {}).sort();
  expect(other.requests[0]?.target).toBe('/there?x=1');
  expect(names).toEqual(['accept', 'accept-encoding', 'connection', 'host']);
});

test('a host elsewhere can not send the request back into the own network, with the credentials of the API', async () => {
  let hops = 0;
  const other = await startApi(() => to(home));
  const { call, url, requests } = await openApi({
    binding: { security: [{ key: [] }] },
    api: { securitySchemes: { key } },
    env: { KEY: 'secret-123' },
    without: ['redirects'],
    features: [redirects({ allows: () => hops++ === 0 })],
    answer: () => to(`${other.url}/there`),
  });
  const home = `${url}/admin`;
  expect(textOf(await call())).toMatch(/^The API answered 302/);
  expect(requests.map(({ target }) => target)).not.toContain('/admin');
});

test.each(['POST', 'PUT', 'DELETE'])('a %s is not', async (method) => {
  const { call, other } = await open({ binding: { method } }, '/', 307);
  expect(textOf(await call())).toMatch(/^The API answered 307/);
  expect(other.requests).toEqual([]);
});

test('by default, nothing is followed into the own network: an address, or a name that resolves to one', async () => {
  const other = await startApi(() => ({ status: 204 }));
  const ask = async (location: string): Promise<string> => {
    const { call } = await openApi({
      without: ['redirects'],
      features: [redirects()],
      answer: () => to(location),
    });
    return textOf(await call());
  };
  expect(await ask(other.url)).toMatch(/^The API answered 302 Found/);
  expect(await ask(other.url.replace('127.0.0.1', 'localhost'))).toMatch(
    /redirected to localhost, which is not/,
  );
  expect(other.requests).toEqual([]);
});

test.each(['file:///etc/passwd', 'gopher://10.0.0.1/', 'http://'])(
  '%s is an answer like others',
  async (location) => {
    const { call } = await openApi({
      without: ['redirects'],
      features: [redirects()],
      answer: () => to(location),
    });
    expect(textOf(await call())).toMatch(/^The API answered 302/);
  },
);

test('a circle ends', async () => {
  const urls: string[] = [];
  const one = await startApi(() => to(urls[1] ?? ''));
  const two = await startApi(() => to(urls[0] ?? ''));
  urls.push(one.url, two.url);
  const { call } = await openApi({
    without: ['redirects'],
    features: [redirects({ allows: () => true })],
    answer: () => to(one.url),
  });
  expect(textOf(await call())).toMatch(/redirected more than 5 times/);
});

test.each(['93.184.215.14', '2606:4700::1', '172.32.0.1', '64:ff9b::5db8:d70e'])(
  '%s is public',
  (address) => {
    expect(isPublicAddress(address)).toBe(true);
  },
);

test.each([
  ...[
    '169.254.169.254',
    'fe80::1',
    'fe80::1%eth0',
    '::ffff:169.254.169.254',
    '127.0.0.1',
    '0.0.0.0',
    '::1',
    '::',
  ],
  ...[
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '10.0.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '100.64.0.1',
    'fd00::1',
  ],
  ...['64:ff9b::7f00:1', '64:ff9b::a9fe:a9fe', '::127.0.0.1', '2002:7f00:1::', '2002:a9fe:a9fe::1'],
  ...[
    '168.63.129.16',
    '192.0.0.192',
    '100.100.100.200',
    '198.18.0.1',
    '203.0.113.5',
    '224.0.0.1',
    '240.0.0.1',
  ],
  ...['2001:db8::1', 'fd00:ec2::254', 'localhost', ''],
])('%s is not public', (address) => {
  expect(isPublicAddress(address)).toBe(false);
});

test('the host that can not be reached is named', async () => {
  const { call } = await openApi({
    without: ['redirects'],
    features: [redirects({ allows: () => true })],
    answer: () => ({ status: 302, headers: { location: 'http://nobody.invalid/' } }),
  });
  expect(textOf(await call())).toContain('The API at http://nobody.invalid could not be used');
});
