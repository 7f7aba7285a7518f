/** Arguments that would reach another resource of the API: refused, or one segment of the path. */
import { never, removal } from '../prove/check.mjs';
import { callOf, outcomeOf } from '../session.mjs';

export const family = 'paths';

const refused = [
  ['a step up', 'simple', '..'],
  ['a step up, encoded', 'simple', '%2e%2e'],
  ['a step up of servers that take a sign out', 'whole', '..;x/admin'],
  ['steps up behind slashes that a server decodes', 'simple', 'a/../../admin'],
  ['an empty segment', 'simple', ''],
];

export const rows = refused.map(([name, tool, id]) => ({
  name,
  want: 'tool error',
  attack: async ({ session }) => outcomeOf(await session().send(callOf(tool, { id }))),
}));

const DOTS = never('DOT_SEGMENT.test(path)');

export const checks = [
  removal(/^a step up$|^steps up behind/, DOTS),
  removal(/^a step up, encoded/, ['(?:\\.|%(?:25)*2e){1,2}(?:$|', '\\.{1,2}(?:$|']),
  removal(/take a sign out/, ['[/?#;]|%(?:25)*(?:2f|3b|5c))/i', '[/?#]|%(?:25)*(?:2f|5c))/i']),
  removal(/^an empty/, ['!/^\\/*$/.test(text)', 'true']),
];
