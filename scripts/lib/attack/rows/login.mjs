/** Signing in to the API over stdio: who is not the person, or not the authorization server, brings no token in and gets none out. */
import { openLogin, SECRETS, statusOf } from '../login-server.mjs';
import { inModule, never, removal } from '../prove/check.mjs';

export const family = 'login';

export const open = openLogin;

/** A server of its own for a row. */
const withServer =
  (attack, { env = {}, metadata = {} } = {}) =>
  async (target) => {
    target.issuer.metadata = metadata;
    const server = await target.start(env);
    try {
      return await attack(server, target);
    } finally {
      server.end();
    }
  };

/** The answer of an authorization server, changed before it comes back. */
const answers = [
  ['of another state', (answer) => answer.searchParams.set('state', 'x'.repeat(22))],
  ['without a state', (answer) => answer.searchParams.delete('state')],
  ['of another issuer', (answer) => answer.searchParams.set('iss', 'https://evil.example')],
  ['of the issuer, at another path', (answer, url) => answer.searchParams.set('iss', `${url}/b`)],
  ['without the issuer, who promised to name itself', (answer) => answer.searchParams.delete('iss')],
].map(([name, change]) => ({
  ...{ name: `an answer ${name}`, want: '400' },
  attack: withServer(async (server, { issuer }) => {
    const { answer } = await server.consent();
    change(answer, issuer.url);
    return statusOf(answer);
  }),
}));

const pages = [
  ['under another name of this machine', '421', (url) => [url, { host: `evil.example:${url.port}` }]],
  ['at a guessed address', '404', (url) => [new URL(`/${'A'.repeat(22)}`, url)]],
  ['by a form of another page', '405', (url) => [url, { method: 'POST' }]],
].map(([name, want, change]) => ({
  ...{ name: `the page ${name}`, want },
  attack: withServer(async (server) => statusOf(...change(new URL(await server.begin())))),
}));

/** Metadata that would lead the person, or the code, elsewhere. */
const metadata = [
  ['a page of scripts', { authorization_endpoint: 'javascript:alert(1)' }],
  ['a file', { authorization_endpoint: 'file:///etc/passwd' }],
  ['a shell word', { authorization_endpoint: 'shell:$(reboot)' }],
  ['a page without TLS', { authorization_endpoint: 'http://issuer.example/authorize' }],
  ['a token endpoint without TLS', { token_endpoint: 'http://issuer.example/token' }],
  ['PKCE without a hash', { code_challenge_methods_supported: ['plain'] }],
].map(([name, members]) => ({
  ...{ name: `metadata with ${name}`, want: 'no page' },
  attack: withServer(
    async (server) => {
      const { text } = await server.call();
      return /Nobody can sign in/.test(text) ? 'no page' : '200';
    },
    { metadata: members },
  ),
}));

/** The lock names the origins that the project was made with. */
const urls = ['authorizationUrl', 'tokenUrl', 'deviceAuthorizationUrl', 'metadataUrl', 'issuer'];
const documents = urls.map((name) => ({
  ...{ name: `a document that changes its ${name}`, want: 'MCPG580' },
  attack: ({ change }) => change({ [name]: 'https://evil.example/x' }),
}));

const seen = ({ text }) => {
  const shown = SECRETS.filter((secret) => text.includes(secret));
  return shown.length === 0 ? 'nothing seen' : `seen: ${shown.join()}`;
};

/** Parts of the answer to another login. */
const mixtures = [
  ['an answer at the port of', {}, (answer, other) => (answer.port = other.port)],
  [
    'a code of',
    { grants: 1 },
    ({ searchParams }, other) => searchParams.set('code', other.searchParams.get('code')),
  ],
].map(([name, reaches, change]) => ({
  ...{ name: `${name} another login`, want: '400', reaches },
  attack: withServer(async (server, target) => {
    const other = await target.start();
    const { answer } = await server.consent();
    change(answer, (await other.consent()).answer);
    const status = await statusOf(answer);
    other.end();
    return status;
  }),
}));

/** Errors of the authorization server, on our page. */
const errors = [
  [
    'with a link',
    'no link',
    '<a href="https://evil.example">Go on</a>',
    ({ text }) => (text.includes('<a href="https://evil.example') ? '200' : 'no link'),
  ],
  ['that shows the secret of the client', 'nothing seen', SECRETS[2], seen],
].map(([name, want, error, judge]) => ({
  ...{ name: `an error ${name}`, want },
  attack: withServer(async (server) => {
    const { answer } = await server.consent();
    answer.searchParams.delete('code');
    answer.searchParams.set('error', error);
    const page = await (await fetch(answer)).text();
    return judge({ text: server.text + page });
  }),
}));

export const rows = [
  ...answers,
  ...mixtures,
  {
    name: 'a code that comes twice',
    want: '200,400',
    reaches: { grants: 1 },
    attack: withServer(async (server) => {
      const { answer } = await server.consent();
      return (await Promise.all([statusOf(answer), statusOf(answer)])).sort().join();
    }),
  },
  {
    name: 'a request for a code without PKCE',
    want: 'S256',
    attack: withServer(async (server) => {
      const { searchParams } = new URL((await server.consent()).link);
      const challenge = searchParams.get('code_challenge') ?? '';
      return challenge.length === 43 ? searchParams.get('code_challenge_method') : '200';
    }),
  },
  ...pages,
  ...metadata,
  ...documents,
  {
    name: 'a redirect to another machine',
    want: 'ended',
    attack: withServer(async (server) => (server.isOpen ? '200' : 'ended'), {
      env: { MCP_LOGIN_REDIRECT: 'http://evil.example/callback' },
    }),
  },
  {
    name: 'an API that shows the token, also in structuredContent, and what stands in URLs',
    want: 'nothing seen',
    reaches: { grants: 1, upstream: 1 },
    attack: withServer(async (server, target) => {
      const { answer } = await server.consent();
      await statusOf(answer);
      await server.call();
      if (!server.text.includes('"structuredContent":{"shown":')) return 'no structuredContent';
      return seen({ text: server.text + target.urls().join() });
    }),
  },
  ...errors,
];

const ANY_STATE_OF_LOGIN = ["answer.get('state') !== state || ", ''];

export const checks = [
  removal(/^an answer (?:of another state|without a state|at the port)/, ANY_STATE_OF_LOGIN),
  removal(/^an answer .*issuer/, ['isOfIssuer(iss, issuer, authorization) ?', 'true ?']),
  removal(/^a code that comes twice/, [' || isUsed', '']),
  removal(/^a (?:request for a code|code of another)/, [
    "    code_challenge: createHash('sha256').update(verifier).digest('base64url'),\n",
    '',
  ]),
  removal(/^the page under another name/, ['!isNamed || target?.origin !== base', 'false']),
  removal(/^the page at a guessed/, ['target.pathname === startPath', 'true']),
  removal(/^the page by a form/, ["method !== 'GET'", 'false']),
  removal(/^metadata with (?!PKCE)/, [
    'const secure = parseSecureUrl(text);',
    'const secure = URL.canParse(text) ? new URL(text) : undefined;',
  ]),
  removal(/^metadata with PKCE/, ["!challenges.includes('S256')", 'false']),
  inModule('src/project/check-origins', /^a document that/, never('refused.length > 0')),
  removal(/^an error with a link/, ['`&#${character.charCodeAt(0)};`', 'character']),
  removal(/^a redirect to another/, ['(127\\.0\\.0\\.1|localhost)', '([^:/]+)']),
  {
    ...removal(/^an API that shows/, ['return secretsOf(account.client, tokens);', 'return [];']),
    admits: /wanted nothing seen, got seen/,
  },
  {
    ...removal(/^an error that shows/, ['createRedactor(secrets)(error)', 'error']),
    admits: /wanted nothing seen, got seen/,
  },
];
