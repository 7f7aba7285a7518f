/** Arguments and answers that name another server: nothing but the API is asked, and it in one place. */
import { callOf, outcomeOf } from '../session.mjs';

export const family = 'other servers';

/** @type {((stranger: string) => string)[]} of the address of a server that nobody was told of */
const spellings = [
  (host) => `http://${host}/`,
  (host) => `//${host}/`,
  (host) => `\\\\${host}\\`,
  (host) => `@${host}`,
  (host) => `.${host}`,
  (host) => `x@${host}/..`,
  (host) => `?@${host}`,
  (host) => `#@${host}`,
  (host) => `/../..//${host}`,
  (host) => `http:${host}`,
  (host) => `http://${host}#.api.test`,
  (host) => ` http://${host}`,
];
const tools = [
  ['simple', 'id'],
  ['search', 'q'],
  ['reserved', 'q'],
  ['traced', 'X-Trace'],
  ['store', 'name'],
];

/** Where the API sends on to: what only this machine and its network can reach, or no HTTP. */
const locations = [
  'http://169.254.169.254/latest/meta-data/',
  'http://0xa9fea9fe/',
  'http://2852039166/',
  'http://[::ffff:169.254.169.254]/',
  'http://[fe80::1]/',
  'file:///etc/passwd',
  'gopher://127.0.0.1/',
  'ftp://127.0.0.1/',
  'data:application/json,{}',
  'javascript:1',
];

const redirects = locations.map((location) => ({
  name: `a redirect to ${location}`,
  want: 'tool error',
  reaches: { upstream: 1 },
  attack: async ({ session }) =>
    outcomeOf(await session().send(callOf('search', { q: `redirect=${location}` }))),
}));

const named = tools.flatMap(([tool, argument]) =>
  spellings.map((spell) => ({
    name: `${tool} ${spell('<stranger>')}`,
    want: 'the API alone',
    reaches: { upstream: 1 },
    attack: async ({ session, stranger, upstream }) => {
      const args = { [argument]: spell(new URL(stranger.url).host) };
      const outcome = outcomeOf(await session().send(callOf(tool, args)));
      if (outcome !== '200') return outcome;
      const host = /^host: (.*)$/im.exec(upstream.requests.at(-1))?.[1];
      return host?.trim() === new URL(upstream.url).host ? 'the API alone' : `asked ${host}`;
    },
  })),
);

export const rows = [...named, ...redirects];
