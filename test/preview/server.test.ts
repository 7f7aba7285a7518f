// Attacks on the server of the page, each refused before anything is read or done.
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../cli/support/temporary-folder.ts';
import { refuseForeignRequests } from '../../src/preview/http/guard.ts';
import { type RawRequest, openPage, send, sessionRequest, startedPreview } from './support/page.ts';

const cwd = temporaryFolder();
copyFileSync('fixtures/petstore.yaml', join(cwd, 'petstore.yaml'));
writeFileSync(join(cwd, 'mcpgen.config.json'), '{ "source": "petstore.yaml" }');
const page = await openPage('.', { cwd });
const host = `127.0.0.1:${String(page.port)}`;
const { authorization } = page;
const own = { authorization, origin: `http://${host}`, 'content-type': 'application/json' };
const edits = { edits: [{ kind: 'surface', surface: 'search' }] };
const post = { method: 'POST', path: '/api/propose', body: JSON.stringify(edits) };

test('a request of the page itself is answered', async () => {
  expect(await page.raw({ path: '/api/surface', headers: { authorization } })).toMatchObject({ status: 200 });
  expect(await page.raw({ ...post, headers: own })).toMatchObject({ status: 200 });
  const byName = {
    authorization,
    host: `localhost:${String(page.port)}`,
    origin: `http://localhost:${String(page.port)}`,
  };
  expect(await page.raw({ path: '/api/surface', headers: byName })).toMatchObject({ status: 200 });
});

const attacks: Record<string, { sent: RawRequest; status: number }> = {
  'no secret': { sent: { path: '/api/surface' }, status: 401 },
  'a wrong secret': { sent: { path: '/api/surface', headers: { authorization: 'Bearer x' } }, status: 401 },
  'the secret as a cookie': {
    sent: { path: '/api/surface', headers: { cookie: authorization.replace('Bearer ', 'mcpgen_preview=') } },
    status: 401,
  },
  'the secret in the address': {
    sent: { path: `/api/surface?secret=${authorization.slice('Bearer '.length)}` },
    status: 401,
  },
  'the token in place of the secret': {
    sent: {
      path: `/api/surface${page.address.slice(page.address.indexOf('?'))}`,
      headers: { authorization: `Bearer ${page.address.split('token=')[1] ?? ''}` },
    },
    status: 401,
  },
  'another host': { sent: { path: '/api/surface', headers: { ...own, host: 'evil.example' } }, status: 403 },
  'a name that ends in localhost': {
    sent: { path: '/api/surface', headers: { ...own, host: `evil.localhost:${String(page.port)}` } },
    status: 403,
  },
  'another origin': {
    sent: { path: '/api/surface', headers: { ...own, origin: 'http://evil.example' } },
    status: 403,
  },
  'the origin of another port': {
    sent: { ...post, headers: { ...own, origin: 'http://127.0.0.1:1' } },
    status: 403,
  },
  'https of the same host': {
    sent: { ...post, headers: { ...own, origin: `https://${host}` } },
    status: 403,
  },
  'a cross-site request': {
    sent: { path: '/api/surface', headers: { ...own, 'sec-fetch-site': 'cross-site' } },
    status: 403,
  },
  'a request of another port of the site': {
    sent: { ...post, headers: { ...own, 'sec-fetch-site': 'same-site' } },
    status: 403,
  },
  'a form, which cannot send the secret': {
    sent: { ...post, headers: { origin: own.origin, 'content-type': 'text/plain' } },
    status: 401,
  },
  'a post as a get': { sent: { path: '/api/propose', headers: own }, status: 405 },
  'an unknown route': { sent: { path: '/api/files', headers: own }, status: 404 },
  'a member of objects': { sent: { path: '/api/__proto__', headers: own }, status: 404 },
  'a body that is no JSON': { sent: { ...post, body: '{', headers: own }, status: 400 },
  'an unknown edit': {
    sent: { ...post, body: '{"edits":[{"kind":"file","path":"x"}]}', headers: own },
    status: 400,
  },
  'a proxy request': { sent: { path: 'http://evil.example/', headers: own }, status: 400 },
  ...Object.fromEntries(
    [
      '/../package.json',
      '/..%2fpackage.json',
      '/%2e%2e/package.json',
      '//etc/passwd',
      '/page.js%00.css',
      '/petstore.yaml',
    ].map((path) => [`the path ${path}`, { sent: { path, headers: own }, status: 404 }]),
  ),
};

test.each(Object.entries(attacks))('%s is refused', async (_, { sent, status }) => {
  const answer = await page.raw(sent);
  expect(answer.status).toBe(status);
  expect(answer.body).not.toMatch(/"tools"|root:|"name": "mcpgen"/);
});

test('a huge body is refused, stated or not', async () => {
  const body = `{"edits":[],"x":"${'x'.repeat(2 * 1024 * 1024)}"}`;
  const stated = await page
    .raw({ ...post, body, headers: { ...own, 'content-length': String(body.length) } })
    .catch(() => undefined);
  expect(stated?.status ?? 413).toBe(413);
  const chunked = await page
    .raw({ ...post, body, headers: { ...own, 'transfer-encoding': 'chunked' } })
    .catch(() => undefined);
  expect(chunked?.status ?? 413).toBe(413);
  expect(await page.raw({ path: '/api/surface', headers: own })).toMatchObject({ status: 200 });
});

const ROUTES = [
  ...['GET /api/events', 'GET /api/surface', 'GET /api/tool', 'GET /api/findings', 'GET /api/diff'],
  ...['POST /api/propose', 'POST /api/apply', 'POST /api/undo', 'POST /api/try'],
];

test.each(ROUTES)('%s demands the secret, which no cookie replaces', async (route) => {
  const [method = '', path = ''] = route.split(' ');
  const cookie = `mcpgen_preview=${authorization.slice('Bearer '.length)}`;
  for (const headers of [{}, { cookie }, { cookie, origin: own.origin, 'sec-fetch-site': 'same-origin' }]) {
    const answer = await page.raw({ method, path, headers, body: method === 'POST' ? '{}' : '' });
    expect(answer.status).toBe(401);
  }
});

test('there is no other route', () => {
  const source = readFileSync('src/preview/protocol.ts', 'utf8');
  const routes = [...source.matchAll(/^ {2}'((?:GET|POST) [^']+)':/gm)].map(([, route]) => route ?? '');
  expect([...routes, 'GET /api/events'].sort()).toEqual([...ROUTES, 'POST /api/session'].sort());
});

test('the token works once, and the terminal says that it came again', async () => {
  const request = sessionRequest(page.address);
  expect(await page.raw({ ...request, body: '{"token":"wrong"}' })).toMatchObject({ status: 401 });
  expect(page.said).toEqual([]);
  const again = await page.raw(request);
  expect(page.said.splice(0)).toEqual([expect.stringContaining('works once')]);
  expect(again.status).toBe(401);
  expect(again.body).toContain('works once');
  expect(again.body).not.toContain('secret');
  // The tab that has the secret may open the address again.
  expect(await page.raw({ ...request, headers: { authorization } })).toMatchObject({ status: 200 });
  expect(page.said).toEqual([]);
});

test('a wrong token does not spend the right one', async () => {
  const other = await startedPreview('petstore.yaml', { cwd });
  const request = sessionRequest(other.address);
  for (const body of ['{"token":"wrong"}', '{}', '{"token":null}', '{"token":["x"]}'])
    expect(await send(other.port, { ...request, body })).toMatchObject({ status: 401 });
  expect(await send(other.port, request)).toMatchObject({
    status: 200,
    body: expect.stringMatching(/^\{"secret":"[\w-]{43}"\}$/) as unknown,
  });
});

test('the address opens the page without spending its token, and sets no cookie', async () => {
  const other = await startedPreview('petstore.yaml', { cwd });
  const path = other.address.slice(other.address.indexOf('/?'));
  for (const method of ['GET', 'HEAD']) {
    const { status, headers } = await send(other.port, { method, path });
    expect(status).toBe(200);
    expect(headers['set-cookie']).toBeUndefined();
  }
  const session = await send(other.port, sessionRequest(other.address));
  expect(session.status).toBe(200);
  expect(session.headers['set-cookie']).toBeUndefined();
});

test('every answer has the headers that keep other sites out', async () => {
  for (const path of ['/api/surface', '/api/none', '/none', '/?token=x']) {
    const { headers } = await page.raw({ path, headers: own });
    expect(headers['content-security-policy']).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    );
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
    });
    expect(Object.keys(headers).filter((name) => name.startsWith('access-control-'))).toEqual([]);
  }
});

test('a preflight of another site gets no permission', async () => {
  const sent = {
    method: 'OPTIONS',
    path: '/api/propose',
    headers: { origin: 'http://evil.example', 'access-control-request-method': 'POST' },
  };
  expect(await page.raw(sent)).toMatchObject({ status: 403 });
});

test('the secret of one preview opens no other', async () => {
  const other = await openPage('petstore.yaml', { cwd });
  expect((await other.raw({ path: '/api/surface', headers: { authorization } })).status).toBe(401);
});

test('browsers name no port where it is 80', () => {
  const request = (host: string, origin: string) => ({ headers: { host, origin } });
  expect(() => refuseForeignRequests(request('127.0.0.1', 'http://127.0.0.1'), 80)).not.toThrow();
  expect(() => refuseForeignRequests(request('localhost', 'http://localhost'), 80)).not.toThrow();
  expect(() => refuseForeignRequests(request('evil.example', 'http://evil.example'), 80)).toThrow();
  expect(() => refuseForeignRequests(request('127.0.0.1', 'http://127.0.0.1'), 8080)).toThrow();
});
