// A part of the client that the project does without is refused in words, and nothing wrong is sent.
import { tmpdir } from 'node:os';
import { expect, test } from 'vitest';
import type { HttpBinding, SecuritySchemeBinding } from '../../../templates/runtime/contract/bindings.ts';
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
const xml: Partial<HttpBinding> = {
  method: 'POST',
  body: { kind: 'xml', mediaType: 'application/xml', argument: 'body', xml: { root: { name: 'a' } } },
};

test.each<[string, Partial<HttpBinding>, unknown, string, number]>([
  ['multipart', body('multipart'), { a: 1 }, 'bodies', 0],
  ['XML', xml, { a: 1 }, 'bodies', 0],
  ['a file', body('binary'), 'file:a.png', 'transfers', 0],
  ['a token', { security: [{ oauth: [] }] }, undefined, 'client-credentials', 0],
  ['events', {}, undefined, 'transfers', 1],
])('%s', async (_, binding, value, feature, sent) => {
  const server = await rawServer(
    () => 'HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nContent-Length: 9\r\n\r\ndata: 1\n\n',
  );
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
  const words = `generated without ${feature}. Add it: mcpgen generate --feature ${feature}.`;
  expect(outcome).toMatchObject({ code: 'feature', message: expect.stringContaining(words) });
  expect(server.requests).toHaveLength(sent);
});
