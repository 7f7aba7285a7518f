/** Texts and lists that are longer than what is searched, matched or compared: they are refused before anything looks at them. */
import { openServer } from '../server.mjs';
import { callOf, outcomeOf, sendModern } from '../session.mjs';

export const family = 'long texts';

const members = `  resourceTemplates: { 'own://{id}': { name: 'own', read: () => 'one' } },
  prompts: { ask: { arguments: [{ name: 'what' }], handler: () => 'asked' } },
  completions: { ask: { what: () => ['one'] } },
`;

export const open = (folder) =>
  openServer(folder, { options: ['--surface', 'both', '--feature', 'uri-templates'], members });

const NAME = 1_000;
const URI = 8 * 1024;
const request = (method, params) => ({ jsonrpc: '2.0', id: 1, method, params });
const completion = (what) => ({
  ref: { type: 'ref/prompt', name: 'ask' },
  argument: { name: 'what', value: '', ...what },
});

/** Each would be served if it were shorter, but for the last. @type {[name: string, message: object, want: string][]} */
const messages = [
  ['a query', callOf('search_tools', { query: `touch${' '.repeat(NAME)}` }), 'tool error'],
  ['a path', callOf('describe_tool', { name: 'filtered', path: `${'/'.repeat(NAME)}filter` }), 'tool error'],
  ['names of members', callOf('filtered', { fields: Array(101).fill('id') }), 'tool error'],
  [
    'a text to complete',
    request('completion/complete', completion({ value: 'x'.repeat(NAME + 1) })),
    '200 -32602',
  ],
  [
    'an argument to complete',
    request('completion/complete', completion({ name: 'x'.repeat(NAME + 1) })),
    '200 -32602',
  ],
  ['a URI', request('resources/read', { uri: `own://${'x'.repeat(URI)}` }), '200 -32602'],
  ['a URI of escapes', request('resources/read', { uri: `own://${'%4a'.repeat(URI)}` }), '200 -32602'],
  ['an id', { ...request('ping', {}), id: 'x'.repeat(NAME + 1) }, '400 -32600'],
  [
    'a query of one word 32,000 times',
    callOf('search_tools', { query: 'turn '.repeat(32_000) }),
    'tool error',
  ],
  [
    'a path through a schema that contains itself three times',
    callOf('describe_tool', { name: 'filtered', path: `/filter${'/args/0'.repeat(20)}/no` }),
    'tool error',
  ],
];

export const rows = messages.flatMap(([name, message, want]) => [
  {
    name: `${name}, in a session`,
    want,
    attack: async (target) => outcomeOf(await target.session().send(message)),
  },
  // A header has the URI too, and holds no more than 16 KiB.
  ...(message.method === 'resources/read' || message.method === 'ping'
    ? []
    : [
        {
          name: `${name}, in 2026-07-28`,
          want,
          attack: async ({ url }) => outcomeOf(await sendModern(url, message)),
        },
      ]),
]);
