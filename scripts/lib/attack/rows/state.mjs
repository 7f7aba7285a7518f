/** The state that a client carries from round to round, changed or sent elsewhere: the call never continues. */
import { createHmac } from 'node:crypto';

import { callOf, messageOf, outcomeOf, sendModern } from '../session.mjs';

export const family = 'request state';

const args = { what: 'one' };
const answers = { inputResponses: { sure: { action: 'accept', content: { sure: true } } } };

/** @type {[name: string, forge: (state: string) => unknown][]} */
const forged = [
  [
    'a payload that says something else',
    edited((state) => ({ ...state, answers: { sure: { action: 'accept' } } })),
  ],
  ['a later expiry', edited((state) => ({ ...state, expires: state.expires + 1 }))],
  ['another subject', edited((state) => ({ ...state, subject: 'root' }))],
  ['another method', edited((state) => ({ ...state, method: 'prompts/get' }))],
  [
    'the same payload, spelled another way',
    (state) => `${Buffer.from(` ${payloadOf(state)}`).toString('base64url')}.${signatureOf(state)}`,
  ],
  ['a payload with padding', (state) => state.replace('.', '=.')],
  ['a payload with a line break', (state) => state.replace('.', '\n.')],
  ['no signature', (state) => `${state.split('.')[0]}.`],
  ['no signature, and no point', (state) => state.split('.')[0]],
  ['half a signature', (state) => state.slice(0, -20)],
  ['a signature and more', (state) => `${state}A`],
  ['a signature in another case', (state) => `${state.split('.')[0]}.${signatureOf(state).toUpperCase()}`],
  ['two signatures', (state) => `${state}.${signatureOf(state)}`],
  ['no payload', (state) => `.${signatureOf(state)}`],
  ['only a point', () => '.'],
  ['nothing', () => ''],
  ['a signature by an empty key', (state) => signed(state, '')],
  ['a signature by a guessed key', (state) => signed(state, 'secret')],
  ['a token that says it needs no signature', () => `${base64url('{"alg":"none"}')}.${base64url('{}')}.`],
  ['a number', () => 1],
  ['null', () => null],
  ['an object', () => ({ answers: {} })],
  ['a list of states', (state) => [state]],
  ['a name of an object', () => '__proto__'],
  ['a megabyte', () => 'x'.repeat(1024 * 1024)],
];

export const rows = [
  ...forged.map(([name, forge]) => ({
    name,
    want: '200 -32602',
    attack: async ({ url }) => {
      const state = await begun(url);
      return outcomeOf(
        await sendModern(url, callOf('ask', args, { ...answers, requestState: forge(state) })),
      );
    },
  })),
  ...[
    ['on another tool', 'touch', args],
    ['with another argument', 'ask', { what: 'two' }],
    ['with one argument more', 'ask', { ...args, more: 1 }],
    ['without arguments', 'ask', {}],
  ].map(([name, tool, others]) => ({
    name: `a good state ${name}`,
    want: '200 -32602',
    attack: async ({ url }) => {
      const requestState = await begun(url);
      return outcomeOf(await sendModern(url, callOf(tool, others, { ...answers, requestState })));
    },
  })),
  {
    name: 'a good state in a legacy session',
    want: '200',
    attack: async ({ url, session }) => {
      const requestState = await begun(url);
      // This revision has no state: its client is asked by a request that nobody answers.
      const asked = session().send(callOf('ask', args, { ...answers, requestState }));
      await session().send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } });
      return String((await asked).status);
    },
  },
];

/** The state of a call that has asked its question. */
async function begun(url) {
  return messageOf(await sendModern(url, callOf('ask', args))).result.requestState;
}

function payloadOf(state) {
  return Buffer.from(state.split('.')[0], 'base64url').toString();
}

function signatureOf(state) {
  return state.split('.')[1];
}

function base64url(text) {
  return Buffer.from(text).toString('base64url');
}

function edited(change) {
  return (state) =>
    `${base64url(JSON.stringify(change(JSON.parse(payloadOf(state)))))}.${signatureOf(state)}`;
}

function signed(state, key) {
  const [payload] = state.split('.');
  return `${payload}.${createHmac('sha256', key).update(payload).digest('base64url')}`;
}
