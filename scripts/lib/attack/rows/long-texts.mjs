/** Texts and lists that are longer than what is searched, matched or compared: they are refused before anything looks at them. */
import { ANY_SIZE, inModule, never, removal } from '../prove/check.mjs';
import { openServer } from '../server.mjs';
import { callOf, outcomeOf } from '../session.mjs';

export const family = 'long texts';

const members = `  resourceTemplates: { 'own://{id}': { name: 'own', read: () => 'one' } },
  prompts: { ask: { arguments: [{ name: 'what' }], handler: () => 'asked' } },
  completions: { ask: { what: () => ['one'] } },
`;

export const open = (folder) =>
  openServer(folder, { options: ['--surface', 'both'], features: ['uri-templates'], members });

const NAME = 1_000;
const URI = 8 * 1024;
const request = (method, params) => ({ jsonrpc: '2.0', id: 1, method, params });

/** Each would be served if it were shorter, but for the last. @type {[name: string, message: object, want: string][]} */
const messages = [
  ['a query', callOf('search_tools', { query: `touch${' '.repeat(NAME)}` }), 'tool error'],
  ['a path', callOf('describe_tool', { name: 'filtered', path: `${'/'.repeat(NAME)}filter` }), 'tool error'],
  ['names of members', callOf('filtered', { fields: Array(101).fill('id') }), 'tool error'],
  [
    'a text to complete',
    request('completion/complete', {
      ref: { type: 'ref/prompt', name: 'ask' },
      argument: { name: 'what', value: 'x'.repeat(NAME + 1) },
    }),
    '200 -32602',
  ],
  ['a URI', request('resources/read', { uri: `own://${'x'.repeat(URI)}` }), '200 -32602'],
  ['an id', { ...request('ping', {}), id: 'x'.repeat(NAME + 1) }, '400 -32600'],
  [
    'a message of too many members',
    request('ping', { _meta: { list: Array(100_001).fill(1) } }),
    '400 -32600',
  ],
  [
    'a path through a schema that contains itself three times',
    callOf('describe_tool', { name: 'filtered', path: `/filter${'/args/0'.repeat(20)}/no` }),
    'tool error',
  ],
];

export const rows = messages.map(([name, message, want]) => ({
  name,
  want,
  attack: async ({ session }) => outcomeOf(await session().send(message)),
}));

export const checks = [
  removal(/^(?:a query|a path|a text to complete|an id)$/, [
    'const MAX_NAME = 1_000;',
    'const MAX_NAME = 1e9;',
  ]),
  removal(/^a URI/, ['const MAX_URI = 8_192;', 'const MAX_URI = 1e9;']),
  removal(/^a message of too many/, ANY_SIZE),
  // The input schema states the number.
  inModule('bin/chunks/compiler', /^names of members/, [
    '[fields.argument]: listed',
    '[fields.argument]: { ...listed, maxItems: 1e9 }',
  ]),
  {
    ...removal(
      /^a path through/,
      ['let schemas = new Set([root]);', 'let schemas = [root];'],
      ['schemas = new Set(parts.flatMap', 'schemas = (parts.flatMap'],
      ['if (schemas.size > 0)', 'if (schemas.length > 0)'],
      ['const all = new Set(schemas);', 'const all = [...schemas]; all.add = all.push;'],
      never('steps.length > MAX_STEPS'),
    ),
    // The server is kept busy.
    admits: /no answer/,
  },
];
