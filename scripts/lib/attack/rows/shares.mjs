/** One caller, with as many tokens as it likes, who takes what there is for all: it has a share, and others have theirs. */
import { request } from 'node:http';

import { openGuarded, refusalOf } from '../guarded-server.mjs';
import { bearer } from '../issuer.mjs';
import { callOf, messageOf, modern, outcomeOf, Session } from '../session.mjs';

/** @import { Guarded } from '../guarded-server.mjs' */

export const family = 'shares of callers';

export const open = openGuarded;

/** As in templates/runtime/contract/feature.ts: `subscriptionsPerClient`, `tasksPerClient`. */
const SHARE = 1_000;
const AT_A_TIME = 50;

/** Tokens of one subject, with the same scopes or fewer. @param {Guarded} target */
const tokenOf = ({ issuer }, sub, at) =>
  issuer.token({ sub, jti: `${Math.random()}`, client_id: `client-${at % 3}`, scope: `base s${at % 7}` });

/** Calls `make` so many times, some at a time. */
async function many(count, make) {
  const made = [];
  for (let at = 0; at < count; at += AT_A_TIME) {
    const some = Array.from({ length: Math.min(AT_A_TIME, count - at) }, (_, more) => make(at + more));
    made.push(...(await Promise.all(some)));
  }
  return made;
}

/** @typedef {{ status: number, headers: import('node:http').IncomingHttpHeaders, end: () => void }} Subscription */

/** Stays open until it is ended. @param {URL} url @param {string} token @returns {Promise<Subscription>} */
function subscribe(url, token) {
  const params = { notifications: { toolsListChanged: true } };
  const { message, headers } = modern({ jsonrpc: '2.0', id: 1, method: 'subscriptions/listen', params });
  const fields = {
    ...headers,
    ...bearer(token),
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  };
  return new Promise((resolve, reject) => {
    const sent = request(url, { method: 'POST', headers: fields, agent: false }, (response) => {
      const { statusCode: status, headers: given } = response;
      response.on('error', () => undefined).resume();
      resolve({ status, headers: given, end: () => sent.destroy() });
    });
    sent.on('error', reject).end(JSON.stringify(message));
  });
}

/** How one more of the same subject is answered, and one of another. */
async function subscribed(target) {
  const by = async (sub, at) => subscribe(target.url, await tokenOf(target, sub, at));
  const open = await many(SHARE, (at) => by('greedy', at));
  const [more, other] = [await by('greedy', SHARE), await by('modest', 0)];
  for (const { end } of [...open, more, other]) end();
  const later = Number(more.headers['retry-after']) >= 1 ? 'later' : 'for ever';
  return `${open.filter(({ status }) => status === 200).length}, then ${refusalOf(more)}, ${later}; another: ${other.status}`;
}

/** The same, of tasks. */
async function begun(target) {
  const sessionOf = async (sub, at) => Session.open(target.url, bearer(await tokenOf(target, sub, at)));
  const [first, second, other] = await Promise.all([
    sessionOf('greedy', 0),
    sessionOf('greedy', 1),
    sessionOf('modest', 0),
  ]);
  // Each request of a session has an id of its own: one at work would be refused for its id.
  const begin = (session, id) => session.send({ ...callOf('slow', {}, { task: { ttl: 600_000 } }), id });
  const open = await many(SHARE, (at) => begin(at % 2 === 0 ? first : second, `begin ${at}`));
  const tasks = open.filter((answer) => messageOf(answer).result?.task !== undefined).length;
  return `${tasks}, then ${outcomeOf(await begin(second, 'more'))}; another: ${outcomeOf(await begin(other, 'more'))}`;
}

export const rows = [
  {
    name: 'more subscriptions than a subject may have, by tokens of many kinds',
    want: `${SHARE}, then 429, later; another: 200`,
    attack: subscribed,
  },
  {
    name: 'more tasks than a subject may have, in two sessions',
    want: `${SHARE}, then 429 -32603; another: 200`,
    attack: begun,
  },
];
