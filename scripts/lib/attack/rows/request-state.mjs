/** The state that a client carries from round to round: changed, sent elsewhere, or well signed and still none to go on with. */
import { createHmac, hkdfSync } from 'node:crypto';

import { openGuarded, SERVER_NAME, STATE_SECRET } from '../guarded-server.mjs';
import { bearer } from '../issuer.mjs';
import { ANY_ANSWER, removal } from '../prove/check.mjs';
import { answers, callOf, goOn, messageOf, outcomeOf, sendModern, stateOf } from '../session.mjs';

export const family = 'request state';

export const open = openGuarded;

const states = [
  [
    'that says something else',
    'ask',
    (state) =>
      `${payloadOf({ ...said(state), answers: { sure: { action: 'accept' } } })}.${signatureOf(state)}`,
  ],
  ['without a signature', 'ask', (state) => `${state.split('.')[0]}.`],
  ['that expired', 'ask', (state) => signedAnew({ ...said(state), expires: 0 })],
  ['of another method', 'ask', (state) => signedAnew({ ...said(state), method: 'prompts/get' })],
  [
    'that counts once, of another process',
    'pay',
    (state) => signedAnew({ ...said(state), scope: 'another' }),
  ],
];

export const rows = [
  {
    name: 'a state as it was, signed anew, which the others differ from',
    want: '200',
    isControl: true,
    reaches: { handlers: 1 },
    attack: async ({ url, issuer }) => {
      const own = bearer(await issuer.token());
      return goOn(url, 'ask', signedAnew(said(await stateOf(url, 'ask', own))), own);
    },
  },
  ...states.map(([what, tool, forge]) => ({
    name: `a state ${what}`,
    want: '200 -32602',
    attack: async ({ url, issuer }) => {
      const own = bearer(await issuer.token());
      return goOn(url, tool, forge(await stateOf(url, tool, own)), own);
    },
  })),
  {
    name: 'a good state with another argument',
    want: '200 -32602',
    attack: async ({ url, issuer }) => {
      const own = bearer(await issuer.token());
      const requestState = await stateOf(url, 'ask', own);
      return outcomeOf(
        await sendModern(url, callOf('ask', { what: 'two' }, { ...answers, requestState }), own),
      );
    },
  },
  {
    name: 'a state that counts once, twice',
    want: '200, 200 -32602',
    reaches: { handlers: 1 },
    attack: async ({ url, issuer }) => {
      const own = bearer(await issuer.token());
      const state = await stateOf(url, 'pay', own);
      return `${await goOn(url, 'pay', state, own)}, ${await goOn(url, 'pay', state, own)}`;
    },
  },
  {
    name: 'a state that counts once, twenty times at one time',
    want: '1 of 20',
    reaches: { handlers: 1 },
    attack: async ({ url, issuer }) => {
      const own = bearer(await issuer.token());
      const state = await stateOf(url, 'pay', own);
      const answers = await Promise.all(Array.from({ length: 20 }, () => goOn(url, 'pay', state, own)));
      return `${answers.filter((each) => each === '200').length} of 20`;
    },
  },
  {
    name: 'an answer that counts once, to what was not asked',
    want: 'input_required',
    attack: async ({ url, issuer }) => {
      const own = bearer(await issuer.token());
      return messageOf(await sendModern(url, callOf('pay', {}, answers), own)).result.resultType;
    },
  },
];

function said(state) {
  return JSON.parse(Buffer.from(state.split('.')[0], 'base64url').toString());
}

function payloadOf(value) {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

function signatureOf(state) {
  return state.split('.')[1];
}

/** As by someone who knows the server's secret, so that what it says is what it is judged by. */
function signedAnew(value) {
  const payload = payloadOf(value);
  const key = Buffer.from(hkdfSync('sha256', STATE_SECRET, SERVER_NAME, 'mcpgen request-state 1', 32));
  return `${payload}.${createHmac('sha256', key).update(payload).digest('base64url')}`;
}

export const checks = [
  removal(/says something else|without a signature/, ['isSigned && more.length === 0', 'true']),
  removal(/that expired/, [' && state.expires > Date.now()', '']),
  removal(/another method/, ['state.method === method && ', '']),
  removal(/another argument/, ['state.params === params && ', '']),
  removal(/another process/, ['state.scope === once.scope && ', '']),
  removal(/a state that counts once, tw/, [
    'await once.take(`state ${state.nonce}`, state.expires - Date.now())',
    'true',
  ]),
  removal(/what was not asked/, ANY_ANSWER),
];
