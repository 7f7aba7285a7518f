/** More tokens than an issuer can be asked about: it is asked no more than docs/oauth.md says, and nobody waits for ever. */
import { setTimeout } from 'node:timers/promises';

import { goodOf, openAsking, said } from '../asking-server.mjs';
import { refusalOf } from '../guarded-server.mjs';
import { bearer } from '../issuer.mjs';
import { sendModern } from '../session.mjs';

/** @import { Asking } from '../asking-server.mjs' */
/** @import { FormAnswer } from '../form-endpoint.mjs' */

export const family = 'questions about tokens';

export const open = openAsking;

const MANY = 800;
const minute = 60_000;
/** As in templates/runtime/oauth/settings.ts. */
const [AT_A_TIME, OF_AN_ADDRESS, FAILURES] = [64, 300 + 120, 10];
/** Further checks that become available during a flood. */
const MARGIN = 50;

const gone = said({ active: false });
const madeUp = (at) => `made-up-${at}-${Math.random()}`;
const oneAddress = () => '192.0.2.1';
const eightAddresses = (at) => `192.0.2.${at % 8}`;

/**
 * @typedef {object} Flood
 * @property {string} refusals the kinds of them, those that say when to come back with `, later`
 * @property {number} asked questions that came
 * @property {number} most of them at a time
 */

/** @param {Asking} target @param {{ addressOf: (at: number) => string, answer: FormAnswer, tokenOf?: (at: number) => string }} how @returns {Promise<Flood>} */
async function flood(target, { addressOf, answer, tokenOf = madeUp }) {
  await target.ahead(minute);
  let [asked, underWay, most] = [0, 0, 0];
  target.asked.answer = async () => {
    asked += 1;
    most = Math.max(most, ++underWay);
    // As long as an issuer takes, so that questions pile up.
    await setTimeout(20);
    underWay -= 1;
    return answer;
  };
  const send = (_, at) => sent(target, tokenOf(at), addressOf(at));
  const answers = await Promise.all(Array.from({ length: MANY }, send));
  return { refusals: [...new Set(answers.map(kindOf))].sort().join(' or '), asked, most };
}

function sent({ url }, token, address) {
  const headers = { ...bearer(token), 'x-forwarded-for': address };
  return sendModern(url, { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }, headers);
}

function kindOf(answer) {
  return `${refusalOf(answer)}${Number(answer.headers['retry-after']) >= 1 ? ', later' : ''}`;
}

const atMost = (count, limit) => (count <= limit ? `at most ${limit}` : String(count));

export const rows = [
  {
    name: `${MANY} made-up tokens of one address`,
    want: `401 invalid_token or 429, later; at most ${OF_AN_ADDRESS + MARGIN} asked about, at most ${AT_A_TIME} at a time`,
    attack: async (target) => {
      const { refusals, asked, most } = await flood(target, { addressOf: oneAddress, answer: gone });
      return `${refusals}; ${atMost(asked, OF_AN_ADDRESS + MARGIN)} asked about, ${atMost(most, AT_A_TIME)} at a time`;
    },
  },
  {
    name: `${MANY} made-up tokens of eight addresses`,
    want: `401 invalid_token; ${MANY} asked about, at most ${AT_A_TIME} at a time`,
    attack: async (target) => {
      const { refusals, asked, most } = await flood(target, { addressOf: eightAddresses, answer: gone });
      return `${refusals}; ${asked} asked about, ${atMost(most, AT_A_TIME)} at a time`;
    },
  },
  {
    name: `one made-up token, ${MANY} times`,
    want: '401 invalid_token; 1 asked about',
    attack: async (target) => {
      const token = madeUp(0);
      const how = { addressOf: oneAddress, answer: gone, tokenOf: () => token };
      const { refusals, asked } = await flood(target, how);
      return `${refusals}; ${asked} asked about`;
    },
  },
  ...[
    ['fails', { status: 500, body: '{}' }, AT_A_TIME + FAILURES],
    ['does not know who asks', { status: 401, body: '{"error":"invalid_client"}' }, AT_A_TIME],
    ['has been asked too often', { status: 429, body: '{}' }, AT_A_TIME],
  ].map(([what, answer, limit]) => ({
    name: `${MANY} made-up tokens while the issuer ${what}`,
    want: `503, later; at most ${limit} asked about`,
    attack: async (target) => {
      const { refusals, asked } = await flood(target, { addressOf: eightAddresses, answer });
      return `${refusals}; ${atMost(asked, limit)} asked about`;
    },
  })),
  {
    name: `${MANY} made-up tokens of the address of a good one`,
    want: '200, and then 200',
    attack: async (target) => {
      await target.ahead(minute);
      const token = madeUp('good');
      target.asked.answer = () => said(goodOf(target));
      const before = refusalOf(await sent(target, token, oneAddress()));
      await flood(target, { addressOf: oneAddress, answer: gone });
      // Looked at again, since a minute is over.
      target.asked.answer = () => said(goodOf(target));
      return `${before}, and then ${refusalOf(await sent(target, token, oneAddress()))}`;
    },
  },
];
