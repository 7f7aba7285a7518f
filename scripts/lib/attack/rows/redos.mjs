/** Texts that keep a server busy that tries its patterns step by step: those of a document, and its own. */
import { patterns } from '../document.mjs';
import { callOf, outcomeOf, textOf } from '../session.mjs';
import { refusalsIn, requestOf, sendRaw } from '../wire.mjs';

export const family = 'regular expressions';

/** Repetitions of what a pattern is tried on: longer texts are refused untried. */
const TRIED = 99_000;

/** Many at once: a pattern that takes a field's length squared takes all the patience there is. */
const MANY = 2_000;

/** @type {[name: string, field: string, want: string][]} a field that is as long as a head may be */
const floods = [
  ['an Accept of blanks', `accept: text/html${' '.repeat(12_000)};q=x`, '406 -32600'],
  ['an Accept of weights', `accept: ${';q=0.1'.repeat(2_000)}`, '406 -32600'],
  ['an Accept of commas', `accept: ${','.repeat(12_000)}`, '406 -32600'],
  ['a type of blanks', `content-type: text/json${' '.repeat(12_000)};x`, '415 -32600'],
  ['a type of quotes', `content-type: a="${'\\'.repeat(12_000)}`, '415 -32600'],
  ['a coding of blanks', `content-encoding: identity${' '.repeat(12_000)}x`, '415 -32600'],
  ['a session of blanks', `mcp-session-id: a${' '.repeat(12_000)}b`, '404 -32600'],
  ['an Origin of points', `origin: http://${'a.'.repeat(6_000)}`, '403 -32600'],
  ['a Host of points', `host: ${'a.'.repeat(6_000)}`, '403 -32600'],
  ['a Host of digits', `host: ${'1'.repeat(12_000)}:x`, '403 -32600'],
];

const usual = [
  'host: 127.0.0.1',
  'accept: application/json, text/event-stream',
  'content-type: application/json',
];

/** @param {string} field in place of the usual one */
function flood(field) {
  const body = JSON.stringify(callOf('touch', {}));
  const [name] = field.split(':');
  const lines = ['POST /mcp HTTP/1.1', field, ...usual.filter((each) => !each.startsWith(`${name}:`))];
  const request = requestOf([...lines, `content-length: ${body.length}`], body);
  return (
    request.repeat(MANY - 1) +
    requestOf([...lines, `content-length: ${body.length}`, 'connection: close'], body)
  );
}

export const rows = [
  ...floods.map(([name, field, want]) => ({
    name,
    want: `${MANY} times ${want}`,
    attack: async ({ url }) => {
      const refusals = refusalsIn(await sendRaw(url, flood(field))).split(', ');
      return `${refusals.length} times ${[...new Set(refusals)].join()}`;
    },
  })),
  ...patterns.map(([pattern, part], at) => ({
    name: `a text for ${pattern}`,
    want: 'tool error, tried and no match',
    attack: ({ session }) => tried(session(), `t${at}`, `${part.repeat(TRIED)}!`),
  })),
];

async function tried(session, name, value) {
  const answer = await session.send(callOf('matched', { [name]: value }));
  return outcomeOf(answer) + (/must match the pattern/.test(textOf(answer)) ? ', tried and no match' : '');
}
