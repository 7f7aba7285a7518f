/** Names that mean something to objects, in arguments: each is a member like any other, which the tool does not list. */
import { outcomeOf } from '../session.mjs';

export const family = 'pollution';

const values = {
  prototype: '{"__proto__":{"polluted":1}}',
  constructor: '{"constructor":{"prototype":{"polluted":1}}}',
  nested: '{"to":{"__proto__":{"polluted":1}}}',
  list: '{"to":[{"__proto__":{"polluted":1}}]}',
  doubled: '{"__proto__":{"__proto__":{"polluted":1}},"to":1}',
  escaped: '{"\\u005f_proto__":{"polluted":1},"to":1}',
  setter: '{"__defineSetter__":1,"to":1}',
  own: '{"hasOwnProperty":1,"to":1}',
};
const call = (name, args) =>
  `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"${name}","arguments":${args}}}`;

/** @type {[name: string, message: string, want: string][]} */
const table = [
  ...Object.entries(values).map(([what, args]) => [`arguments: ${what}`, call('count', args), 'tool error']),
  ...Object.entries(values).map(([what, args]) => [`a body: ${what}`, call('store', args), 'tool error']),
];

export const rows = table.map(([name, message, want]) => ({
  name,
  want,
  attack: async ({ session }) => outcomeOf(await session().send(message)),
}));
