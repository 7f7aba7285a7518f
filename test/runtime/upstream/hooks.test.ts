import { expect, test } from 'vitest';
import type { HttpBinding, SecuritySchemeBinding } from '../../../templates/runtime/contract/bindings.ts';
import { toToolResult } from '../../../templates/runtime/upstream/tool-result.ts';
import { call, headerOf, rawServer, refusal } from './loopback.ts';

const post: Partial<HttpBinding> = {
  method: 'POST',
  path: '/a',
  parameters: [{ argument: 'q', name: 'q', in: 'query', allowReserved: true }],
  body: { kind: 'json', mediaType: 'application/json', argument: 'body' },
};

test('beforeRequest may change every part', async () => {
  const upstream = await rawServer();
  await call(
    upstream.url,
    post,
    { body: 1 },
    {
      settings: {
        beforeRequest: (request) => {
          request.method = 'PUT';
          request.url.searchParams.set('signed', 'yes');
          request.headers.set('X-Signature', 'abc');
          request.body = `${String(request.body)}23`;
        },
      },
    },
  );
  await upstream.close();
  const [request] = upstream.requests;
  expect(request?.line).toBe('PUT /a?signed=yes HTTP/1.1');
  expect(headerOf(request, 'X-Signature')).toBe('abc');
  expect(headerOf(request, 'Content-Length')).toBe('3');
  expect(request?.body.toString()).toBe('123');
});

const securitySchemes: Record<string, SecuritySchemeBinding> = {
  key: { type: 'bearer', env: { token: 'TOKEN' } },
};
const api = { securitySchemes, security: [{ key: [] }] };

test('a hook may bring the credentials the environment lacks', async () => {
  const upstream = await rawServer();
  await call(
    upstream.url,
    post,
    {},
    {
      api,
      settings: {
        beforeRequest: (request) => {
          request.headers.set('Authorization', 'Custom x');
        },
      },
    },
  );
  const error = await refusal(
    call(upstream.url, post, {}, { api, settings: { beforeRequest: () => undefined } }),
  );
  await upstream.close();
  expect(upstream.requests.map((one) => headerOf(one, 'Authorization'))).toEqual(['Custom x']);
  expect(error.message).toContain('TOKEN');
});

test.each([
  ['a hook that leaves credentials alone', 401, api, 'traced', true],
  ['a hook, and a 403', 403, api, 'traced', true],
  ['anonymous access', 401, { securitySchemes, security: [{}, { key: [] }] }, undefined, true],
  ['an operation without credentials', 401, { securitySchemes, security: [] }, undefined, false],
  ['another refusal', 404, api, 'traced', false],
])('after %s, the answer may tell what is not set', async (_, status, binding, hooked, isTold) => {
  const upstream = await rawServer(() => `HTTP/1.1 ${status} No\r\nContent-Length: 0\r\n\r\n`);
  const answer = await call(
    upstream.url,
    post,
    {},
    {
      api: binding,
      settings:
        hooked === undefined
          ? {}
          : {
              beforeRequest: ({ headers }) => headers.set('x-request-id', hooked),
              afterResponse: ({ hint, ...rest }) => ({ ...rest, headers: { hint: String(hint) } }),
            },
    },
  );
  await upstream.close();
  const [block] = toToolResult(answer, { kind: 'http', method: 'POST', path: '/a', parameters: [] }).content;
  const text = block?.type === 'text' ? block.text : '';
  const want = 'sent no credentials of its own: not set in its environment: TOKEN (key).';
  expect(text.includes(want), text).toBe(isTold);
});

test.each([
  [401, 'Check TOKEN (key) in the environment of this MCP server.'],
  [403, undefined],
  [404, undefined],
])('of credentials that were sent, an answer of %i tells where they are from: %s', async (status, want) => {
  const upstream = await rawServer(() => `HTTP/1.1 ${status} No\r\nContent-Length: 0\r\n\r\n`);
  const answer = await call(upstream.url, post, {}, { api, settings: { env: { TOKEN: 'secret' } } });
  await upstream.close();
  expect([answer.status, answer.hint]).toEqual([status, want]);
});

const ok =
  'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 24\r\n\r\n{"id":90071992547409931} ';

test('afterResponse may replace the answer or change it in place', async () => {
  const upstream = await rawServer(() => ok);
  const replaced = await call(
    upstream.url,
    post,
    {},
    {
      settings: { afterResponse: (answer) => ({ ...answer, body: { kind: 'text', text: 'mine' } }) },
    },
  );
  const changed = await call(
    upstream.url,
    post,
    {},
    {
      settings: {
        afterResponse: (answer, request) => {
          if (answer.body.kind === 'json') answer.body.value = request.url.pathname;
        },
      },
    },
  );
  await upstream.close();
  expect([replaced.body, changed.body]).toEqual([
    { kind: 'text', text: 'mine' },
    { kind: 'json', value: '/a' },
  ]);
});
