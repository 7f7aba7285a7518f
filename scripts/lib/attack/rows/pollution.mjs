/** Names that mean something to objects, in arguments: each is a member like any other, which the tool does not list. */
import { ANY_ARGUMENTS, removal } from '../prove/check.mjs';
import { outcomeOf } from '../session.mjs';

export const family = 'pollution';

const values = [
  '{"__proto__":{"polluted":1},"to":1}',
  '{"constructor":{"prototype":{"polluted":1}},"to":1}',
  '{"toString":1,"to":1}',
];

export const rows = values.map((args) => ({
  name: `arguments ${args}`,
  want: 'tool error',
  attack: async ({ session }) =>
    outcomeOf(
      await session().send(
        `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"count","arguments":${args}}}`,
      ),
    ),
}));

export const checks = [removal(/./, ANY_ARGUMENTS)];
