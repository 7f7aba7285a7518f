/** The project's own code in the server that is attacked: what its tools do is counted where it is done. */
/** `members`: of the handlers, beside their tools; `tools`: more of these. */
export const handlersWith = (members, tools) => `import type { Tools } from '../generated/types.ts';
import type { Handlers } from '../runtime/types.ts';

let ran = 0;
const form = { type: 'object' as const, properties: { sure: { type: 'boolean' as const } } };

export const handlers: Handlers<Tools> = {
${members}  extraTools: [
    {
      name: 'witness',
      inputSchema: { type: 'object' },
      annotations: { readOnlyHint: true },
      handler: () => JSON.stringify({ handlers: ran, polluted: Reflect.has({}, 'polluted') ? 1 : 0 }),
    },
    {
      name: 'touch',
      inputSchema: { type: 'object', properties: { text: { type: 'string' } } },
      handler: () => {
        ran++;
        return 'touched';
      },
    },
    {
      name: 'count',
      inputSchema: { type: 'object', properties: { to: { type: 'integer' } }, required: ['to'], additionalProperties: false },
      handler: () => {
        ran++;
        return 'counted';
      },
    },
    {
      name: 'ask',
      inputSchema: { type: 'object', properties: { what: { type: 'string' } } },
      handler: async (_, { elicit }) => {
        const { action } = await elicit('Sure?', form, { key: 'sure' });
        ran++;
        return action;
      },
    },
    {
      name: 'pay',
      inputSchema: { type: 'object' },
      handler: async (_, { elicit }) => {
        const { action } = await elicit('Pay?', form, { key: 'sure', once: true });
        ran++;
        return action;
      },
    },
    {
      name: 'admin',
      inputSchema: { type: 'object' },
      scopes: ['admin'],
      execution: { taskSupport: 'optional' },
      handler: () => {
        ran++;
        return 'done';
      },
    },
    {
      name: 'slow',
      inputSchema: { type: 'object' },
      execution: { taskSupport: 'optional' },
      // Long enough that a task of it can still be cancelled.
      handler: () => new Promise((resolve) => setTimeout(resolve, 1_000, 'a result of somebody')),
    },
    {
      name: 'steps',
      inputSchema: { type: 'object' },
      handler: async (_, { log }) => {
        await log('info', 'a step of somebody');
        return 'done';
      },
    },
${tools}  ],
};
`;
