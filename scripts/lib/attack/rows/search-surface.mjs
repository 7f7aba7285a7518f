/** Tools called through the tools that call others: what these may not call, or the caller may not see, stays out of reach. */
import { openGuarded, refusalOf } from '../guarded-server.mjs';
import { bearer } from '../issuer.mjs';
import { callOf, sendModern } from '../session.mjs';

export const family = 'tools that call others';

/** `touch` may change anything, `admin` needs a scope, and `count` is excluded. */
export const open = (folder) =>
  openGuarded(folder, { options: ['--surface', 'search'], args: ['--exclude', 'op:count'] });

/** @type {[name: string, call: object, want: string][]} by a token without the scope `admin` */
const calls = [
  ['a destructive tool by the one that reads', through('call_read_tool', 'touch'), 'call it by another'],
  ['a destructive tool by the one that adds', through('call_write_tool', 'touch'), 'call it by another'],
  ['a name that is a list', through('call_read_tool', ['touch']), 'arguments'],
  ['a name beside another', callOf('call_read_tool', { name: 'touch', target: 'touch' }), 'arguments'],
  ['arguments as text', through('call_read_tool', 'touch', '{"text":"x"}'), 'call it by another'],
  ['arguments as a list', through('call_destructive_tool', 'touch', []), 'arguments'],
  ['arguments beside the name', callOf('call_destructive_tool', { name: 'touch', text: 'x' }), 'arguments'],
  [
    'a tool that calls, by one that calls',
    through('call_read_tool', 'call_destructive_tool', { name: 'touch', arguments: {} }),
    'by its own name',
  ],
  ['an excluded tool', through('call_destructive_tool', 'count', { to: 1 }), 'unknown'],
  ['a description of an excluded tool', callOf('describe_tool', { name: 'count' }), 'unknown'],
  ['a search for an excluded tool', callOf('search_tools', { query: 'count', limit: 20 }), 'not found'],
  ['a tool out of scope', through('call_destructive_tool', 'admin'), '403 insufficient_scope'],
  ['a tool out of scope by the one that reads', through('call_read_tool', 'admin'), 'unknown'],
  ['a description of a tool out of scope', callOf('describe_tool', { name: 'admin' }), 'unknown'],
  ['a search for a tool out of scope', callOf('search_tools', { query: 'admin', limit: 20 }), 'not found'],
];

function through(by, name, args = {}) {
  return callOf(by, { name, arguments: args });
}

/** What the answer says, in short. */
function heard(answer, { params }) {
  if (answer.status !== 200) return refusalOf(answer);
  const line = answer.text.split('\n').find((each) => /^(?:data: )?\{/.test(each)) ?? '{}';
  const { result, error } = JSON.parse(line.replace(/^data: /, ''));
  if (error !== undefined) return `error ${error.code}`;
  const { query } = params.arguments;
  if (query !== undefined)
    return result.structuredContent.tools.some(({ name }) => name === query) ? 'found' : 'not found';
  const words = result.content.map(({ text }) => text).join('\n');
  if (result.isError !== true) return `called: ${words}`;
  if (/^Unknown tool/.test(words)) return 'unknown';
  if (/do not match its input schema/.test(words)) return 'arguments';
  return /Call it by call_/.test(words)
    ? 'call it by another'
    : /by its own name/.test(words)
      ? 'by its own name'
      : words;
}

export const rows = calls.flatMap(([name, call, want]) => [
  {
    name: `${name}, in a session`,
    want,
    attack: async (target) => heard(await (await target.as({ scope: 'base' })).send(call), call),
  },
  {
    name: `${name}, in 2026-07-28`,
    want,
    attack: async ({ url, issuer }) =>
      heard(await sendModern(url, call, bearer(await issuer.token({ scope: 'base' }))), call),
  },
]);
