/** Callers with good tokens and states that are well signed, and still none to go on with. */
import { createHmac, hkdfSync } from 'node:crypto';

import { openGuarded, SERVER_NAME, STATE_SECRET } from '../guarded-server.mjs';
import { bearer } from '../issuer.mjs';
import { answers, goOn, stateOf } from '../question.mjs';
import { callOf, messageOf, sendModern } from '../session.mjs';

export const family = 'states of callers';

export const open = openGuarded;

/** States of a call of alice: validly signed, and still refused. @type {[name: string, tool: string, change: (state: Record<string, unknown>) => object][]} */
const states = [
  ['that expired just now', 'ask', (state) => ({ ...state, expires: Date.now() - 1 })],
  ['that expired long ago', 'ask', (state) => ({ ...state, expires: 0 })],
  ['that never expires', 'ask', (state) => ({ ...state, expires: undefined })],
  ['that expires in words', 'ask', (state) => ({ ...state, expires: 'never' })],
  ['of another subject', 'ask', (state) => ({ ...state, subject: 'mallory' })],
  ['of nobody', 'ask', (state) => ({ ...state, subject: null })],
  ['of another method', 'ask', (state) => ({ ...state, method: 'prompts/get' })],
  ['of other parameters', 'ask', (state) => ({ ...state, params: 'A'.repeat(43) })],
  ['that counts once, of another process', 'pay', (state) => ({ ...state, process: 'another' })],
  ['that counts once, of no process', 'pay', (state) => ({ ...state, process: undefined })],
];

export const rows = [
  {
    name: 'a state as it was, signed anew, which the others differ from',
    want: '200',
    reaches: { handlers: 1 },
    attack: async (target) => {
      const own = bearer(await target.issuer.token());
      const state = await stateOf(target.url, 'ask', own);
      return goOn(
        target.url,
        'ask',
        signedAnew(state, (said) => said),
        own,
      );
    },
  },
  ...states.map(([what, tool, change]) => ({
    name: `a state ${what}`,
    want: '200 -32602',
    attack: async (target) => {
      const own = bearer(await target.issuer.token());
      const state = await stateOf(target.url, tool, own);
      return goOn(target.url, tool, signedAnew(state, change), own);
    },
  })),
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

/** As by someone who knows the server's secret, so that what it says is what it is judged by. */
function signedAnew(state, change) {
  const said = JSON.parse(Buffer.from(state.split('.')[0], 'base64url').toString());
  const payload = Buffer.from(JSON.stringify(change(said))).toString('base64url');
  const key = Buffer.from(hkdfSync('sha256', STATE_SECRET, SERVER_NAME, 'mcpgen request-state 1', 32));
  return `${payload}.${createHmac('sha256', key).update(payload).digest('base64url')}`;
}
