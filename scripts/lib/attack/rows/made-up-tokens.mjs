/** Tokens in great numbers, that anyone can make up; and streams of what a token does not reach. */
import { openGuarded, refusalOf } from '../guarded-server.mjs';
import { bearer } from '../issuer.mjs';
import { ask, callOf, messageOf, ping, sendModern } from '../session.mjs';

/** @import { Guarded } from '../guarded-server.mjs' */

export const family = 'made-up tokens';

export const open = openGuarded;

const MANY = 400;
const minute = 60_000;

/** Each is another one, in one of three ways. @type {[name: string, tokenOf: (target: Guarded, at: number) => string | Promise<string>][]} */
const kinds = [
  ['texts', (_, at) => `made-up-${Math.random()}-${at}`],
  ['tokens of nobody', ({ issuer }, at) => issuer.token({ iss: `https://evil-${at}.test` })],
  [
    'tokens with another signature',
    async ({ issuer }, at) =>
      `${(await issuer.token({ jti: `${Math.random()}${at}` })).slice(0, -9)}AAAAAAAAA`,
  ],
];

/** How the first and the last of many are answered, and one that is known to be good behind them. */
async function flooded(target, tokenOf) {
  const { url, issuer } = target;
  await target.ahead(minute);
  const good = bearer(await issuer.token({ scope: 'base' }));
  const list = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };
  await sendModern(url, list, good);
  const answers = [];
  for (let at = 0; at < MANY; at += 20) {
    const some = Array.from({ length: 20 }, (_, more) => tokenOf(target, at + more));
    const tokens = await Promise.all(some);
    answers.push(
      ...(await Promise.all(
        tokens.map((token) => ask(url, { headers: bearer(token), body: JSON.stringify(ping) })),
      )),
    );
  }
  const waiting = answers.filter(({ status }) => status === 429);
  const told = waiting.every(({ headers }) => Number(headers['retry-after']) >= 1);
  const known = await sendModern(url, list, good);
  return `${refusalOf(answers[0])}, then ${waiting.length > 0 ? '429' : 'never'}${told ? '' : ' for ever'}; known: ${known.status}`;
}

/** How a stream of a session is answered, that has a task of a token that allowed more. */
async function streamOf(target) {
  await target.ahead(minute);
  const session = await target.as({ scope: 'base admin' });
  const created = messageOf(await session.send(callOf('admin', {}, { task: {} })));
  if (created.result?.task === undefined) return 'made no task';
  const headers = {
    ...bearer(await target.issuer.token()),
    'mcp-session-id': session.id,
    accept: 'text/event-stream',
  };
  return refusalOf(await ask(target.url, { method: 'GET', headers }));
}

export const rows = [
  ...kinds.map(([name, tokenOf]) => ({
    name: `${MANY} ${name}`,
    want: '401 invalid_token, then 429; known: 200',
    attack: (target) => flooded(target, tokenOf),
  })),
  {
    name: 'the stream of a session, with a task of a token that allowed more',
    want: '403 insufficient_scope',
    reaches: { handlers: 1 },
    attack: streamOf,
  },
  ...['GET', 'POST', 'DELETE', 'OPTIONS'].map((method) => ({
    name: `${method} of the endpoint by a page that may read the metadata`,
    want: '403, unread',
    attack: async ({ url, issuer }) => {
      const headers = { ...bearer(await issuer.token()), origin: 'https://evil.test' };
      const { status, headers: given } = await ask(url, { method, headers });
      return `${status}, ${given['access-control-allow-origin'] === undefined ? 'unread' : 'read'}`;
    },
  })),
];
