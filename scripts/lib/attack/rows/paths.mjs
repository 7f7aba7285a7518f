/** Arguments that would reach another resource of the API: refused, or one segment of the path. */
import { never, removal } from '../prove/check.mjs';
import { callOf, outcomeOf } from '../session.mjs';

export const family = 'paths';

const refused = [
  ['a step up', 'simple', '..'],
  ['a step up, encoded', 'simple', '%2e%2e'],
  ['a step up of servers that take a sign out', 'whole', '..;x/admin'],
  ['an empty segment', 'simple', ''],
];

export const rows = [
  {
    name: 'a path of several segments',
    want: 'one segment',
    reaches: { upstream: 1 },
    attack: async ({ session, upstream }) => {
      const outcome = outcomeOf(await session().send(callOf('simple', { id: 'a/../../admin' })));
      if (outcome !== '200') return outcome;
      const [line] = upstream.requests.at(-1).split('\r\n');
      return line === 'GET /v1/files/a%2F..%2F..%2Fadmin HTTP/1.1' ? 'one segment' : line;
    },
  },
  ...refused.map(([name, tool, id]) => ({
    name,
    want: 'tool error',
    attack: async ({ session }) => outcomeOf(await session().send(callOf(tool, { id }))),
  })),
];

const DOTS = never('DOT_SEGMENT.test(path)');

export const checks = [
  {
    ...removal(
      /^a path of several/,
      ['const encodeValue = encoderOf(parameter);', 'const encodeValue = String;'],
      DOTS,
    ),
    admits: /got GET \/v1\/admin /,
  },
  removal(/^a step up$/, DOTS),
  removal(/^a step up, encoded/, ['(?:\\.|%(?:25)*2e){1,2}(?:$|', '\\.{1,2}(?:$|']),
  removal(/take a sign out/, ['{1,2}(?:$|[/?#;]|%(?:25)*3b)/i', '{1,2}(?:$|[/?#])/i']),
  removal(/^an empty/, ['!/^\\/*$/.test(text)', 'true']),
];
