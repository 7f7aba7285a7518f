/** Sessions of two nodes that share a Redis: streams, questions and ends of one are nothing to another session or caller, on any node. */
import { createHash } from 'node:crypto';
import { request } from 'node:http';

import { bearer } from '../issuer.mjs';
import { ask, callOf, eventsOf, Session } from '../session.mjs';
import { lacks, nameOf, open } from './nodes.mjs';

export { lacks, open };

export const family = 'sessions over nodes';

/** @import { Nodes } from './nodes.mjs' */

/** @param {Nodes} target @returns {Promise<Session>} of a subject, begun on the first node */
const sessionOf = async ({ url, issuer }, sub) => Session.open(url, bearer(await issuer.token({ sub })));

/** The id of the first event of a call that has ended. @param {Session} session */
async function placeOf(session) {
  const { text } = await session.send(callOf('steps', {}));
  return /^id: (.*)$/m.exec(text)[1];
}

/** The rest of a stream, on the other node. @param {Nodes} target */
async function restOf({ other }, { id, own }, place) {
  const headers = { ...own, accept: 'text/event-stream', 'mcp-session-id': id, 'last-event-id': place };
  return eventsOf(await ask(other.url, { method: 'GET', headers }));
}

/** A call of `ask`, until it asks. @param {Session} session @returns {Promise<{ id: string, answer: Promise<string> }>} */
function questionOf({ url, id, own }) {
  const body = JSON.stringify(callOf('ask', {}));
  const accept = 'application/json, text/event-stream';
  const headers = { ...own, accept, 'content-type': 'application/json', 'mcp-session-id': id };
  return new Promise((resolve, reject) => {
    const sent = request(url, { method: 'POST', headers, agent: false }, (response) => {
      let text = '';
      const answer = new Promise((done) =>
        response.on('end', () => done(text)).on('error', () => done(text)),
      );
      response.setEncoding('utf8').on('data', (chunk) => {
        text += chunk;
        const asked = /^data: (.*"elicitation\/create".*)$/m.exec(text)?.[1];
        if (asked !== undefined) resolve({ id: JSON.parse(asked).id, answer });
      });
    });
    sent.on('error', reject).end(body);
  });
}

/** @param {Nodes} target @param {{ id: string, own: object }} session @param {string} action */
async function answerOn({ other }, { id, own }, question, action) {
  const body = JSON.stringify({ jsonrpc: '2.0', id: question, result: { action } });
  const { status } = await ask(other.url, { body, headers: { ...own, 'mcp-session-id': id } });
  return status;
}

/** What came of the call: only its own session's answer may. */
async function settled(target, alice, { id, answer }, foreign) {
  await answerOn(target, alice, id, 'accept');
  return `${foreign}, ${/"text":"(\w+)"/.exec(await answer)?.[1]}`;
}

/** @type {import('../families.mjs').Row<Nodes>[]} */
export const rows = [
  {
    name: 'the rest of a stream, with the session id of another subject',
    want: '404',
    attack: async (target) => {
      const [alice, mallory] = [await sessionOf(target, 'alice'), await sessionOf(target, 'mallory')];
      return restOf(target, { id: alice.id, own: mallory.own }, await placeOf(alice));
    },
  },
  ...['mallory', 'alice'].map((sub) => ({
    name: `the rest of a stream of another session, by ${sub === 'alice' ? 'the same' : 'another'} subject`,
    want: '410',
    attack: async (target) => {
      const place = await placeOf(await sessionOf(target, 'alice'));
      return restOf(target, await sessionOf(target, sub), place);
    },
  })),
  {
    name: 'the messages of no request, with the session id of another subject',
    want: '404',
    attack: async (target) => {
      const [alice, mallory] = [await sessionOf(target, 'alice'), await sessionOf(target, 'mallory')];
      return restOf(target, { id: alice.id, own: mallory.own }, '0-0-0-all');
    },
  },
  {
    name: 'an answer to a question, with the session id of another subject',
    want: '404, accept',
    reaches: { handlers: 1 },
    attack: async (target) => {
      const [alice, mallory] = [await sessionOf(target, 'alice'), await sessionOf(target, 'mallory')];
      const question = await questionOf(alice);
      const stolen = { id: alice.id, own: mallory.own };
      return settled(target, alice, question, await answerOn(target, stolen, question.id, 'cancel'));
    },
  },
  ...['mallory', 'alice'].map((sub) => ({
    name: `an answer to a question of another session, by ${sub === 'alice' ? 'the same' : 'another'} subject`,
    want: '202, accept',
    reaches: { handlers: 1 },
    attack: async (target) => {
      const alice = await sessionOf(target, 'alice');
      const question = await questionOf(alice);
      const foreign = await sessionOf(target, sub);
      return settled(target, alice, question, await answerOn(target, foreign, question.id, 'cancel'));
    },
  })),
  {
    name: 'a call in a session that was ended on the other node',
    want: '404',
    attack: async (target) => {
      const alice = await sessionOf(target, 'alice');
      const headers = { ...alice.own, 'mcp-session-id': alice.id };
      await ask(target.other.url, { method: 'DELETE', headers });
      const { status } = await alice.send(callOf('touch', {}));
      return String(status);
    },
  },
  ...[
    ['begins another event', '{"jsonrpc":"2.0"}\n\ndata: {"planted":1}'],
    ['is no JSON', 'planted'],
  ].map(([what, message]) => ({
    name: `an event in Redis that ${what}`,
    want: '200, nothing planted',
    attack: async (target) => {
      const alice = await sessionOf(target, 'alice');
      const place = await placeOf(alice);
      const [number, , mark] = place.split('-');
      const hash = createHash('sha256').update(alice.id).digest('base64url').slice(0, 16);
      const key = nameOf('stream', `session ${hash} ${mark} ${number}`);
      const head = { index: 1, node: 'n', ids: [], scopes: [], isLast: false };
      await target.write('del', key);
      await target.write('xadd', key, '1-1', 'text', `${JSON.stringify(head)}\n${message}`);
      await target.write('xadd', key, '2-1', 'text', `${JSON.stringify({ ...head, isLast: true })}\n`);
      const headers = { ...alice.own, accept: 'text/event-stream', 'mcp-session-id': alice.id };
      headers['last-event-id'] = place;
      const { status, text } = await ask(target.other.url, { method: 'GET', headers });
      return `${status}, ${text.includes('planted') ? 'planted' : 'nothing planted'}`;
    },
  })),
];
