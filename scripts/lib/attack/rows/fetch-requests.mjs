/** Requests that a web server hands to the handler of `src/fetch.ts`: one of each kind, as the adapter reads URL, head, body and token. */
import { openGuarded, refusalOf } from '../guarded-server.mjs';
import { bearer, newKey } from '../issuer.mjs';
import {
  ANY_HOST,
  ANY_ORIGIN,
  ANY_SIGNED_ID,
  ANY_SUBJECT,
  ANY_TOKEN,
  never,
  removal,
  STAYS_OPEN,
} from '../prove/check.mjs';
import { callOf, sendModern, Session } from '../session.mjs';
import { requestOf, refusalsIn, sendRaw } from '../wire.mjs';

/** @import { Guarded } from '../guarded-server.mjs' */
/** @import { Issuer } from '../issuer.mjs' */

export const family = 'requests through fetch';

export const open = (folder) => openGuarded(folder, { byFetch: true });

const touch = callOf('touch', {});
const mebibyte = 1024 * 1024;

/** @type {[name: string, headers: Record<string, string>][]} a good call but for these */
const heads = [
  ['of a page elsewhere', { origin: 'https://evil.example' }],
  ['for another host', { host: 'evil.example' }],
];

/** @type {[name: string, tokenOf: (issuer: Issuer) => Promise<string>][]} */
const tokens = [
  ['that has expired', (issuer) => issuer.token({ exp: 1 })],
  ['of a stranger', async (issuer) => issuer.token({}, {}, { ...(await newKey('x')), kid: 'first' })],
];

export const rows = [
  ...heads.map(([name, headers]) => ({
    name: `a call ${name}`,
    want: '403',
    attack: async ({ url, issuer }) =>
      refusalOf(await sendModern(url, touch, { ...bearer(await issuer.token()), ...headers })),
  })),
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
    name: 'a body that says it is too long',
    want: '413 -32600',
    attack: async ({ url, issuer }) => {
      const own = `authorization: Bearer ${await issuer.token()}`;
      const lines = ['POST /mcp HTTP/1.1', 'host: 127.0.0.1', own, 'content-type: application/json'];
      lines.push('accept: application/json, text/event-stream', 'connection: close');
      return refusalsIn(await sendRaw(url, requestOf([...lines, `content-length: ${5 * mebibyte}`])));
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
  removal(/of a page elsewhere/, ANY_ORIGIN),
  removal(/for another host/, ANY_HOST),
  removal(/^a call in a session/, ...ANY_SIGNED_ID, ANY_SUBJECT),
  {
    ...removal(/^a body/, never('claimed > limit && claimed !== Infinity')),
    // The server waits for it.
    admits: STAYS_OPEN,
  },
  removal(/^a target/, never('url.length > targetBytes')),
  removal(/^a token/, ...ANY_TOKEN),
];
