/** Tokens that the project's own code checks (`verifyToken`), which fails, or answers what says of nobody that the token is theirs. */
import { openGuarded, refusalOf } from '../guarded-server.mjs';
import { bearer } from '../issuer.mjs';
import { callOf, sendModern } from '../session.mjs';

export const family = 'tokens of own code';

const REFUSED = '401 invalid_token';
const good = "issuer: 'own', subject: 'alice', scopes: ['base', 'admin'], expiresAt: 253402300799";

/** Code of `verifyToken` for the token named after it: text of TypeScript. @type {[name: string, code: string, want?: string][]} */
const answers = [
  ['nothing', 'undefined'],
  ['null', 'null'],
  ['yes', 'true'],
  ['no subject', "{ issuer: 'own', scopes: ['admin'], expiresAt: 253402300799 }"],
  ['an empty subject', `{ ${good}, subject: '' }`],
  ['a subject that is a number', `{ ${good}, subject: 7 }`],
  ['no issuer', `{ ${good}, issuer: undefined }`],
  ['scopes as a text', `{ ${good}, scopes: 'base admin' }`],
  ['scopes that are none', `{ ${good}, scopes: [['admin']] }`],
  ['a client that is none', `{ ${good}, clientId: {} }`],
  ['an end that is over', `{ ${good}, expiresAt: 1 }`],
  ['an end in words', `{ ${good}, expiresAt: 'never' }`],
  ['an end that is no number', `{ ${good}, expiresAt: NaN }`],
  ['an end in milliseconds', `{ ${good}, expiresAt: 253402300799000 }`],
  ['claims in a list', `{ ${good}, claims: [] }`],
  ['claims that are code', `{ ${good}, claims: { a: () => 1 } }`],
  ['an error', "(() => { throw new Error('the words of the vault'); })()"],
  ['a rejection of nothing', 'Promise.reject(undefined)'],
  ['that nobody can say now', "(() => { throw new Unavailable('the words of the vault'); })()", '503'],
];

const textOf = (name) => `own-${name.replaceAll(' ', '-')}`;

const members = `  verifyToken: (token) => {
    switch (token) {
      case 'own-good':
        return { ${good} };
${answers.map(([name, code]) => `      case '${textOf(name)}':\n        return ${code} as never;\n`).join('')}    }
    return undefined;
  },
`;

export const open = (folder) => openGuarded(folder, { members });

export const rows = [
  {
    name: 'an answer that is good, that the others differ from',
    want: '200',
    reaches: { handlers: 1 },
    attack: async ({ url }) => refusalOf(await sendModern(url, callOf('admin', {}), bearer('own-good'))),
  },
  ...answers.map(([name, , want = REFUSED]) => ({
    name: `an answer that is ${name}`,
    want: `${want}, not told`,
    attack: async ({ url }) => {
      const answer = await sendModern(url, callOf('admin', {}), bearer(textOf(name)));
      const isTold = JSON.stringify(answer).includes('of the vault');
      return `${refusalOf(answer)}, ${isTold ? 'told' : 'not told'}`;
    },
  })),
];
