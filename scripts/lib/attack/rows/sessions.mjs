/** Sessions that are not the client's own, or none at all; and what belongs to another session. */
import { randomBytes } from 'node:crypto';

import { ANY_SESSION, ANY_STREAM, removal, STAYS_OPEN } from '../prove/check.mjs';
import { ask, callOf, eventsOf, Session, ssePlace } from '../session.mjs';

export const family = 'sessions';

const body = JSON.stringify(callOf('touch', {}));
const statusOf = async (...what) => String((await ask(...what)).status);

export const rows = [
  ...['POST', 'GET', 'DELETE'].map((method) => ({
    name: `${method} with a made-up id`,
    want: '404',
    attack: ({ url }) => {
      const headers = { 'mcp-session-id': randomBytes(16).toString('base64url') };
      return statusOf(url, { method, headers, ...(method === 'POST' ? { body } : {}) });
    },
  })),
  {
    name: 'an id in the query',
    want: '400',
    attack: ({ url, session }) => statusOf(new URL(`?sessionId=${session().id}`, url), { body }),
  },
  {
    name: 'an id in a cookie',
    want: '400',
    attack: ({ url, session }) =>
      statusOf(url, { body, headers: { cookie: `mcp-session-id=${session().id}` } }),
  },
  {
    name: 'the id of another transport, posted to HTTP+SSE',
    want: '404',
    attack: ({ url, session }) => statusOf(new URL(`/messages?sessionId=${session().id}`, url), { body }),
  },
  {
    name: 'the id of a session of HTTP+SSE, posted to the endpoint',
    want: '404',
    attack: async ({ url }) => {
      const id = (await ssePlace(url)).searchParams.get('sessionId');
      return statusOf(url, { body, headers: { 'mcp-session-id': id } });
    },
  },
  {
    name: 'the events of another session, behind its first',
    want: '400',
    attack: async ({ url, session }) => {
      // So that there are some: a stream of the victim, with a message in it.
      await session().send(callOf('steps', {}));
      const { id } = await Session.open(url);
      const headers = { 'mcp-session-id': id, 'last-event-id': '1-1' };
      return eventsOf(await ask(url, { method: 'GET', headers }));
    },
  },
];

export const checks = [
  // A stream of events stays open.
  { ...removal(/a made-up id/, ANY_SESSION), admits: STAYS_OPEN },
  removal(/of a session of HTTP\+SSE/, ANY_SESSION),
  removal(/in the query|in a cookie/, [
    "const id = readHeader(request, 'mcp-session-id');",
    "const id = readHeader(request, 'mcp-session-id') ?? new URL(request.url, 'http://x').searchParams.get('sessionId') ?? /mcp-session-id=(.*)/.exec(request.headers.cookie)?.[1];",
  ]),
  removal(
    /of another transport/,
    // All transports have one map.
    ['const sessions = new Map();', 'const sessions = (globalThis.ofAll ??= new Map());'],
    ['const byId = new Map();', 'const byId = (globalThis.ofAll ??= new Map());'],
    ['= sessions.get(id) ?? {};', '= { session: sessions.get(id), stream: { send: () => undefined } };'],
  ),
  removal(/^the events of another/, ANY_STREAM),
];
