/** Texts that keep a server busy that tries its patterns step by step: those of a document, and its own. */
import { patterns } from '../document.mjs';
import { removal } from '../prove/check.mjs';
import { callOf, outcomeOf, textOf } from '../session.mjs';
import { refusalsIn, requestOf, sendRaw } from '../wire.mjs';

export const family = 'regular expressions';

/** Repetitions of what a pattern is tried on: longer texts are refused untried. */
const TRIED = 99_000;

/** Many at once: a pattern that takes a field's length squared takes all the patience there is. */
const MANY = 2_000;

/** A call whose `Accept` is as long as a head may be. */
function flood() {
  const body = JSON.stringify(callOf('touch', {}));
  const lines = [
    ...['POST /mcp HTTP/1.1', 'host: 127.0.0.1', 'content-type: application/json'],
    ...[`accept: text/html${' '.repeat(12_000)};q=x`, `content-length: ${body.length}`],
  ];
  return requestOf(lines, body).repeat(MANY - 1) + requestOf([...lines, 'connection: close'], body);
}

export const rows = [
  {
    name: 'an Accept of blanks',
    want: `${MANY} times 406 -32600`,
    attack: async ({ url }) => {
      const refusals = refusalsIn(await sendRaw(url, flood())).split(', ');
      return `${refusals.length} times ${[...new Set(refusals)].join()}`;
    },
  },
  ...patterns.map(([pattern, part], at) => ({
    name: `a text for ${pattern}`,
    want: 'tool error, tried and no match',
    attack: async ({ session }) => {
      const answer = await session().send(callOf('matched', { [`t${at}`]: `${part.repeat(TRIED)}!` }));
      const isTried = /must match the pattern/.test(textOf(answer));
      return outcomeOf(answer) + (isTried ? ', tried and no match' : '');
    },
  })),
];

/** The server is kept busy. */
const keepsBusy = (check) => ({ ...check, admits: /no answer|answers no more/ });

export const checks = [
  keepsBusy(
    removal(/an Accept of blanks/, [
      "readHeader(request, 'accept') ?? '*/*'",
      "(readHeader(request, 'accept') ?? '*/*').replace(/\\s+$/, '')",
    ]),
  ),
  keepsBusy(removal(/a text for/, ['patterns: { linear: makeTest }', ''])),
];
