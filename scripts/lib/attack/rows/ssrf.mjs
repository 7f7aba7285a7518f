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

export const rows = named;
