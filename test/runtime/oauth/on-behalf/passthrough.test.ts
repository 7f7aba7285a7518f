// The token that a caller came with reaches no API, whoever tries.
import { expect, test } from 'vitest';
import type { Handlers } from '../../../../templates/runtime/types.ts';
import { type Behalf, type BehalfOptions, startBehalf } from './behalf.ts';
import { issued } from './token-endpoint.ts';

/** The token, as one who had it would send it. */
const stolen = { token: '' };

type Way = [string, BehalfOptions, ((behalf: Behalf) => void)?];

const ways: Way[] = [
  [
    'a token endpoint that gives it back',
    {},
    ({ endpoint }) => (endpoint.answer = ({ subjectToken }) => issued(subjectToken)),
  ],
  [
    'a token endpoint that puts it into another',
    {},
    ({ endpoint }) => (endpoint.answer = ({ subjectToken }) => issued(`x${subjectToken}`)),
  ],
  ['credentials of the project’s own code', { handlers: { upstreamCredentials: () => ({ ...stolen }) } }],
  [
    'those, without an exchange',
    { exchanges: false, handlers: { upstreamCredentials: () => ({ ...stolen }) } },
  ],
  ['a hook, by a header', { handlers: hook((request) => request.headers.set('x-user', stolen.token)) }],
  [
    'a hook, by the path, encoded',
    {
      handlers: hook(({ url }) => {
        url.pathname = stolen.token.replace(/./g, (one) => `%${one.charCodeAt(0).toString(16)}`);
      }),
    },
  ],
  ...(['user', 'nobody'] as const).map((who): Way => [
    `a hook, where nothing brings credentials of callers, and the API is called by those of ${who}`,
    {
      exchanges: false,
      env: { BEARER_TOKEN_USER: 'own' },
      security: who === 'user' ? [{ user: [] }] : [],
      handlers: hook((request) => request.headers.set('x-user', stolen.token)),
    },
  ]),
  [
    'a hook, by the body',
    {
      handlers: hook((request) => {
        request.method = 'POST';
        request.body = `t=${stolen.token}`;
      }),
    },
  ],
];

function hook(beforeRequest: NonNullable<Handlers<object>['beforeRequest']>): Handlers<object> {
  return { beforeRequest };
}

test.each(ways)('by %s', async (_, options, prepare) => {
  const behalf = await startBehalf(options);
  const { issuer, sent, call, reported, audit } = behalf;
  prepare?.(behalf);
  stolen.token = await issuer.token();
  const text = await call(stolen.token);
  expect(text).toContain('"isError":true');
  expect(text).toMatch(/own token|token of the caller/);
  expect(sent).toEqual([]);
  expect(JSON.stringify([text, reported.map(String), await audit()])).not.toContain(stolen.token);
});

test('handlers and hooks have no way to it', async () => {
  const seen: unknown[] = [];
  const handlers: Handlers<object> = {
    upstreamCredentials: (request) => void seen.push(request, ...Object.values(request)),
    beforeRequest: (request) => void seen.push(request, [...request.headers]),
    extraTools: [
      {
        name: 'look',
        inputSchema: { type: 'object' },
        handler: (_, context) => void seen.push(context.auth, context.meta, Object.entries(context)),
      },
    ],
  };
  const { issuer, call, sent } = await startBehalf({ handlers });
  const token = await issuer.token();
  await call(token);
  expect(sent).toHaveLength(1);
  expect(JSON.stringify(seen)).not.toContain(token);
});
