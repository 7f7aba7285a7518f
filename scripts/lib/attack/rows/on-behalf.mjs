/**
 * Calls that are to go out with credentials of their caller alone (`onBehalf: required`), and the project's own code has none, fails, or
 * answers what is none: the API is not called, and never with the server's own.
 */
import { openGuarded } from '../guarded-server.mjs';
import { bearer } from '../issuer.mjs';
import { callOf, outcomeOf, sendModern } from '../session.mjs';

/** @import { Guarded } from '../guarded-server.mjs' */

export const family = 'credentials of callers';

/** Answers of the project's own code, by the subject named after each: text of TypeScript. @type {[name: string, code: string][]} */
const callers = [
  ['nothing', 'undefined'],
  ['null', 'null'],
  ['no member', '{}'],
  ['an empty token', "{ token: '' }"],
  ['a token that is a list', "{ token: ['t'] }"],
  ['a key in place of a token', "{ apiKey: 'k' }"],
  ['a header in the token', "{ token: 't\\r\\nX-Evil: 1' }"],
  ['members of every object', 'JSON.parse(\'{"__proto__":{"token":"t"}}\')'],
  ['a token that has expired', "{ token: 't', expiresAt: 1 }"],
  ['a token that expires in words', "{ token: 't', expiresAt: 'never' }"],
  ['the token in a list', "[{ token: 't' }]"],
  ['an error', "(() => { throw new Error('the words of the vault'); })()"],
  ['a rejection of nothing', 'Promise.reject(undefined)'],
];

const members = `  upstreamCredentials: ({ caller: { subject } }) => {
    switch (subject) {
      case 'alice':
        return { token: 'token-of-alice', expiresAt: 253402300799 };
${callers.map(([name, code]) => `      case '${name}':\n        return ${code} as never;\n`).join('')}    }
    return undefined;
  },
`;

export const open = (folder) =>
  openGuarded(folder, {
    members,
    env: { MCP_AUTH_ON_BEHALF: 'required', BEARER_TOKEN_USER: 'a-token-of-the-server' },
  });

const mine = (url, token) => sendModern(url, callOf('mine', {}), bearer(token));

/** @param {Guarded} target how a call is refused, and whether more than that is told */
async function refused({ url, issuer, upstream }, claims) {
  const before = upstream.requests.length;
  const answer = await mine(url, await issuer.token(claims));
  const sent = upstream.requests.slice(before).join();
  const isTold = /of the vault|of-alice|of-the-server/.test(answer.text);
  const isSent = /^authorization:/im.test(sent);
  return `${outcomeOf(answer)}, ${isTold ? 'told' : 'not told'}, ${isSent ? 'sent' : 'not sent'}`;
}

export const rows = [
  ...callers.map(([name]) => ({
    name: `for credentials, ${name}`,
    want: 'tool error, not told, not sent',
    attack: (target) => refused(target, { sub: name }),
  })),
  ...['mallory', 'ALICE', 'alice '].map((sub) => ({
    name: `those that alice has, by ${JSON.stringify(sub)}`,
    want: 'tool error, not told, not sent',
    reaches: { upstream: 1 },
    attack: async (target) => {
      await mine(target.url, await target.issuer.token());
      return refused(target, { sub });
    },
  })),
];
