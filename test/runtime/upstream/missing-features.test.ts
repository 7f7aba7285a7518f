// A part of the client that the project does without is refused in words, and nothing wrong is sent.
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { expect, test } from 'vitest';
import type { HttpBinding, SecuritySchemeBinding } from '../../../templates/runtime/contract/bindings.ts';
import { toToolResult } from '../../../templates/runtime/upstream/tool-result.ts';
import { call, rawServer } from './loopback.ts';

const oauth: SecuritySchemeBinding = {
  type: 'oauth2',
  tokenUrl: 'http://127.0.0.1:1/token',
  env: { token: 'T', clientId: 'ID', clientSecret: 'SECRET', scopes: 'SCOPES' },
};
const body = (kind: 'multipart' | 'binary'): Partial<HttpBinding> => ({
  method: 'POST',
  body: { kind, mediaType: 'a/b', argument: 'body' },
});
const FORM = { kind: 'form', mediaType: 'application/x-www-form-urlencoded' } as const;
const xml: Partial<HttpBinding> = {
  method: 'POST',
  body: { kind: 'xml', mediaType: 'application/xml', argument: 'body', xml: { root: { name: 'a' } } },
};

test.each<[string, Partial<HttpBinding>, unknown, string]>([
  ['multipart', body('multipart'), { a: 1 }, 'bodies'],
  ['XML', xml, { a: 1 }, 'bodies'],
  ['a form', { method: 'POST', body: { ...FORM, argument: 'body' } }, { a: 1 }, 'parameters'],
  ['a header', { parameters: [{ argument: 'body', name: 'X', in: 'header' }] }, 'a', 'parameters'],
  [
    'a style',
    { parameters: [{ argument: 'body', name: 'x', in: 'query', explode: false }] },
    [1, 2],
    'parameters',
  ],
  ['a value of the environment', { known: { body: { env: 'A' } } }, undefined, 'parameters'],
  ['a file', body('binary'), 'file:a.png', 'transfers'],
  ['a token', { security: [{ oauth: [] }] }, undefined, 'client-credentials'],
])('%s', async (_, binding, value, feature) => {
  const server = await rawServer(() => 'HTTP/1.1 204 No Content\r\n\r\n');
  const outcome = await call(
    server.url,
    binding,
    { body: value },
    {
      api: { securitySchemes: { oauth } },
      settings: { features: {}, env: { ID: 'id', SECRET: 'secret' }, filesRoot: tmpdir() },
    },
  ).catch((thrown: unknown) => thrown);
  await server.close();
  const words = `generated without ${feature}. Add it: npx --no mcpgen generate --feature ${feature}.`;
  expect(outcome).toMatchObject({ code: 'feature', message: expect.stringContaining(words) });
  expect(server.requests).toHaveLength(0);
});

const get: HttpBinding = { kind: 'http', method: 'GET', path: '/', parameters: [] };
const contentOf = async (url: string): Promise<unknown> => {
  const settings = { features: {}, filesRoot: tmpdir() };
  return toToolResult(await call(url, get, {}, { settings, limits: { timeoutMs: 300 } }), get).content;
};

// A project with files alone has `transfers` too, so the text must not deny it.
const shownAs = (mediaType: string): string =>
  `The answer is a sequence (${mediaType}), shown as text: the API's document declares none. ` +
  'To read it as a list: npx --no mcpgen generate --feature transfers.';

test.each([
  [
    'that does not end in time',
    (): void => undefined,
    'which came in time (API_TIMEOUT_MS sets how long is waited)',
  ],
  [
    'whose connection breaks',
    (socket: Socket): void => void socket.destroy(),
    'which came before the API broke off the connection',
  ],
])('a sequence %s is the text of what came', async (_, end, words) => {
  const server = await rawServer((_request, socket) => {
    const item = 'data: 1\n\n';
    socket.write(
      `HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n9\r\n${item}\r\n`,
    );
    setTimeout(() => end(socket), 50);
    return undefined;
  });
  expect(await contentOf(server.url)).toEqual([
    { type: 'text', text: 'data: 1\n\n' },
    { type: 'text', text: expect.stringContaining(`Shown: the text, ${words}`) as unknown },
    { type: 'text', text: shownAs('text/event-stream') },
  ]);
  await server.close();
});
