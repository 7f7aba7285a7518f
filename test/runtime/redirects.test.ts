// Redirects to other origins: downloads are followed, without credentials, and never into the own network.
import { expect, test } from 'vitest';
import { redirects } from '../../templates/runtime/features/redirects.ts';
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

test('the host that can not be reached is named', async () => {
  const { call } = await openApi({
    without: ['redirects'],
    features: [redirects({ allows: () => true })],
    answer: () => ({ status: 302, headers: { location: 'http://nobody.invalid/' } }),
  });
  expect(textOf(await call())).toContain('The API at http://nobody.invalid could not be used');
});
