/** Sessions that are not the client's own, or none at all; and what belongs to another session. */
import { randomBytes } from 'node:crypto';

import { ask, callOf, eventsOf, outcomeOf, Session } from '../session.mjs';
import { ssePlace } from '../sse-place.mjs';

export const family = 'sessions';

const touch = JSON.stringify(callOf('touch', {}));

/** @type {[name: string, id: (target: import('../server.mjs').Server) => string | Promise<string>, want?: string][]} */
const ids = [
  ['a made-up id', () => randomBytes(16).toString('base64url')],
  ['the beginning of an id', ({ session }) => session().id.slice(0, -1)],
  ['an id and more', ({ session }) => `${session().id}x`],
  ['an id in another case', ({ session }) => swapCase(session().id)],
  ['an id twice', ({ session }) => `${session().id}, ${session().id}`],
  ['an id in quotes', ({ session }) => `"${session().id}"`],
  [
    'an id in percent-encoding',
    ({ session }) => `%${session().id.charCodeAt(0).toString(16)}${session().id.slice(1)}`,
  ],
  ['a name of an object', () => '__proto__'],
  ['nothing', () => '', '404'],
  ['the id of a session that has ended', ended],
  ['the id of a session of HTTP+SSE', ({ url }) => sseId(url)],
];

export const rows = [
  ...ids.flatMap(([what, id, want = '404']) =>
    ['POST', 'GET', 'DELETE'].map((method) => ({
      name: `${method} with ${what}`,
      want,
      attack: async (target) => {
        const headers = { 'mcp-session-id': await id(target) };
        const { status } = await ask(target.url, {
          method,
          headers,
          ...(method === 'POST' ? { body: touch } : {}),
        });
        return String(status);
      },
    })),
  ),
  {
    name: 'an id in the query',
    want: '400 -32600',
    attack: async ({ url, session }) =>
      outcomeOf(
        await ask(new URL(`?mcp-session-id=${session().id}&sessionId=${session().id}`, url), { body: touch }),
      ),
  },
  {
    name: 'an id in a cookie',
    want: '400 -32600',
    attack: async ({ url, session }) =>
      outcomeOf(await ask(url, { body: touch, headers: { cookie: `mcp-session-id=${session().id}` } })),
  },
  {
    name: 'the id of another transport, posted to HTTP+SSE',
    want: '404 -32600',
    attack: async ({ url, session }) =>
      outcomeOf(await ask(new URL(`/messages?sessionId=${session().id}`, url), { body: touch })),
  },
  {
    name: 'two ids posted to HTTP+SSE, the first made up',
    want: '404 -32600',
    attack: async ({ url }) =>
      outcomeOf(
        await ask(new URL(`/messages?sessionId=x&sessionId=${await sseId(url)}`, url), { body: touch }),
      ),
  },
  ...['0-1', '1-0', '1-1', '2-1', '999999999999999-1', '0-999999999999999'].map((event) => ({
    name: `the events of another session, behind ${event}`,
    want: '400',
    attack: async ({ url, session }) => {
      // So that there are some: a stream of the victim, with a message in it.
      await session().send(callOf('steps', {}));
      const { id } = await Session.open(url);
      const headers = { 'mcp-session-id': id, 'last-event-id': event };
      return eventsOf(await ask(url, { method: 'GET', headers }));
    },
  })),
  ...['-1-1', '1', '1-1-1', '1.0-1', '0x1-1', '__proto__', ' ', '1-1\t2'].map((event) => ({
    name: `an event that is none: ${JSON.stringify(event)}`,
    want: '400',
    attack: async ({ url }) => {
      const { id } = await Session.open(url);
      const headers = { 'mcp-session-id': id, 'last-event-id': event };
      return String((await ask(url, { method: 'GET', headers })).status);
    },
  })),
];

async function ended({ url }) {
  const { id } = await Session.open(url);
  await ask(url, { method: 'DELETE', headers: { 'mcp-session-id': id } });
  return id;
}

async function sseId(url) {
  return (await ssePlace(url)).searchParams.get('sessionId');
}

function swapCase(text) {
  return [...text].map((one) => (one === one.toUpperCase() ? one.toLowerCase() : one.toUpperCase())).join('');
}
