/** Requests that a web server hands to the handler of `src/fetch.ts`, beside those of test/runtime/fetch.test.ts. */
import { openGuarded, refusalOf } from '../guarded-server.mjs';
import { bearer, newKey } from '../issuer.mjs';
import { ANY_SESSION, ANY_SUBJECT, ANY_TOKEN, never, removal } from '../prove/check.mjs';
import { callOf, sendModern, Session } from '../session.mjs';

export const family = 'requests through fetch';

export const open = (folder) => openGuarded(folder, { byFetch: true });

const touch = callOf('touch', {});

const tokens = [
  ['that has expired', (issuer) => issuer.token({ exp: 1 })],
  ['of a stranger', async (issuer) => issuer.token({}, {}, { ...(await newKey('x')), kid: 'first' })],
];

export const rows = [
  {
    name: 'a call in a session with a made-up id',
    want: '404',
    attack: async ({ url, issuer }) =>
      refusalOf(await new Session(url, 'A'.repeat(108), bearer(await issuer.token())).send(touch)),
  },
  {
    name: 'a call in a session of another subject',
    want: '404',
    attack: async ({ url, issuer, as }) => {
      const { id } = await as({ sub: 'alice' });
      const mallory = new Session(url, id, bearer(await issuer.token({ sub: 'mallory' })));
      return refusalOf(await mallory.send(touch));
    },
  },
  {
    name: 'a target that is too long',
    want: '414',
    attack: async ({ url, issuer }) =>
      refusalOf(await sendModern(new URL(`?${'x'.repeat(3_000)}`, url), touch, bearer(await issuer.token()))),
  },
  ...tokens.map(([name, tokenOf]) => ({
    name: `a token ${name}`,
    want: '401 invalid_token',
    attack: async ({ url, issuer }) => refusalOf(await sendModern(url, touch, bearer(await tokenOf(issuer)))),
  })),
];

export const checks = [
  removal(/^a call in a session/, ANY_SESSION, ...ANY_SUBJECT),
  removal(/^a target/, never('url.length > LIMITS.targetBytes')),
  removal(/^a token/, ANY_TOKEN),
];
