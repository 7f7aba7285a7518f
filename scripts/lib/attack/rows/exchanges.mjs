/** Callers who would have their own token sent on, and a token endpoint that gives one token to several: nothing of it reaches the API. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';

import { openGuarded } from '../guarded-server.mjs';
import { bearer, FormEndpoint } from '../issuer.mjs';
import { never, removal } from '../prove/check.mjs';
import { callOf, outcomeOf, sendModern } from '../session.mjs';

export const family = 'exchanges';

export async function open(folder) {
  const endpoint = await FormEndpoint.open('/token');
  const audit = path.join(folder, 'audit.jsonl');
  const guarded = await openGuarded(folder, {
    args: ['--audit', audit, '--audit-arguments', 'full'],
    features: ['audit'],
    env: {
      MCP_AUTH_EXCHANGE_URI: endpoint.url,
      MCP_AUTH_EXCHANGE_CLIENT_ID: 'attacked',
      MCP_AUTH_EXCHANGE_CLIENT_SECRET: 'a secret of the client',
      MCP_AUTH_EXCHANGE_AUDIENCE: 'api',
      BEARER_TOKEN_USER: 'a token of the server',
    },
  });
  return {
    ...guarded,
    endpoint,
    audit,
    close: async () => {
      await guarded.close();
      await endpoint.close();
    },
  };
}

const type = 'urn:ietf:params:oauth:token-type:access_token';

/** A good answer. */
function issued(token) {
  const good = { access_token: token, issued_token_type: type, token_type: 'Bearer', expires_in: 600 };
  return { body: JSON.stringify(good) };
}

/**
 * Callers who are not alice of the first issuer. @type {[name: string, claims: object, issuerOf: (issuers: Issuer[])
 * => Issuer][]}
 */
const strangers = [
  ['another subject', { sub: 'mallory' }, ([first]) => first],
  ['the same subject of another issuer', {}, ([, second]) => second],
];

const mine = (url, token) => sendModern(url, callOf('mine', {}), bearer(token));

/** `target`: the answer to a call with its own token, and what of the token is written down. */
async function tokenSent({ url, endpoint, issuer, audit }) {
  endpoint.answer = () => issued('token-for-the-sender');
  const subject = 'sender';
  const token = await issuer.token({ sub: subject });
  const answer = await sendModern(url, callOf('search', { q: `Bearer ${token}, and more` }), bearer(token));
  // Lines are written a moment later.
  let lines = [];
  while (lines.length === 0) {
    await setTimeout(5);
    lines = (await readFile(audit, 'utf8')).split('\n').filter((line) => line.includes(`"${subject}"`));
  }
  const shown = answer.text + lines.join();
  // Any of it that is long enough to tell.
  const told = Array.from(token, (_, start) => token.slice(start, start + 20)).some(
    (part, start) => start > 100 && part.length === 20 && shown.includes(part),
  );
  return `${outcomeOf(answer)}, ${told ? 'told' : 'not told'}`;
}

export const rows = [
  {
    name: 'the token of the caller in an argument',
    want: 'tool error, not told',
    attack: tokenSent,
  },
  ...strangers.map(([name, claims, issuerOf]) => ({
    name: `the token that alice was given, given to ${name}`,
    want: 'tool error, sent once',
    reaches: { upstream: 1 },
    attack: async (target) => {
      const { url, endpoint, issuers, upstream } = target;
      const token = `token-of-alice-${Math.random()}`;
      endpoint.answer = () => issued(token);
      await mine(url, await issuers[0].token({ row: name }));
      const answer = await mine(url, await issuerOf(issuers).token({ row: name, ...claims }));
      return `${outcomeOf(answer)}, ${sentBy(upstream, token)}`;
    },
  })),
  {
    name: 'one token for twenty callers at one time',
    want: '19 of 20: tool error, sent once',
    reaches: { upstream: 1 },
    attack: async ({ url, endpoint, issuer, upstream }) => {
      const token = `token-of-one-${Math.random()}`;
      endpoint.answer = () => issued(token);
      const call = async (_, at) => mine(url, await issuer.token({ sub: `one-of-twenty-${at}` }));
      const outcomes = (await Promise.all(Array.from({ length: 20 }, call))).map(outcomeOf);
      const refused = outcomes.filter((each) => each === 'tool error').length;
      return `${refused} of 20: tool error, ${sentBy(upstream, token)}`;
    },
  },
];

/** How often the API was sent a token. */
function sentBy({ requests }, token) {
  const sent = requests.filter((each) => each.includes(token)).length;
  return sent === 1 ? 'sent once' : `sent ${sent} times`;
}

export const checks = [
  removal(
    /in an argument/,
    never('auth !== undefined && texts.some((text) => holdsToken(text.toString(), auth))'),
  ),
  {
    ...removal(/in an argument/, ['redactHeader(caller?.redact?.(text) ?? text)', 'text']),
    admits: /, told$/,
  },
  removal(
    /given to another subject|one token for twenty/,
    never('known !== undefined && known.owner !== owner && Date.now() < known.until'),
  ),
  removal(/given to the same subject/, ['const owner = subjectOf(caller);', 'const owner = caller.subject;']),
];
