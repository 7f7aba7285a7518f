// How tools are ranked for a question: kinds of work, one or many, other forms of words, and what the schemas say.
import { expect, test } from 'vitest';
import type { IndexedTool } from '../../../templates/runtime/contract/search-index.ts';
import { printIndex } from '../../../templates/runtime/contract/search-index.ts';
import { SearchIndex } from '../../../templates/runtime/search/open-index.ts';
import { rankTools } from '../../../templates/runtime/search/rank.ts';
import { SAID, SYNONYMS } from '../../../templates/runtime/search/synonyms.ts';

function tool(operation: string, description: string, more: Partial<IndexedTool> = {}): IndexedTool {
  const [method = '', path = ''] = operation.split(' ');
  return {
    name: operation.replaceAll(/\W+/g, '_'),
    description,
    inputSchema: { type: 'object', properties: {} },
    binding: { kind: 'http', method, path, parameters: [] },
    ...more,
  };
}

const tools = [
  tool('GET /invoices', 'List invoices'),
  tool('POST /invoices', 'Create an invoice'),
  tool('GET /invoices/{id}', 'Retrieve an invoice'),
  tool('PATCH /invoices/{id}', 'Update an invoice'),
  tool('DELETE /invoices/{id}', 'Delete an invoice'),
  tool('GET /invoices/{id}/lines', 'List the lines of an invoice'),
  tool('POST /invoices/{id}/approvals', 'Create an approval'),
  tool('GET /playlists', 'List playlists'),
  tool('GET /me/playlists', 'List playlists of the current user'),
  tool('DELETE /webhooks/{id}', 'Delete a webhook'),
  tool('GET /leases', 'List leases', { about: 'A lock for the election of a leader.' }),
  tool('GET /account', 'Retrieve the account'),
  tool('DELETE /session', 'End the session'),
  tool('GET /plugins', 'List plugins'),
  tool('GET /issuetypeschemes', 'List all'),
  tool('GET /settings', 'Retrieve the settings'),
];
const operations = tools.map(({ binding }) =>
  binding?.kind === 'http' ? `${binding.method} ${binding.path}` : '',
);
const compiled = new SearchIndex(printIndex(tools, []));
const own = new SearchIndex(printIndex([], []), tools);

function ask(question: string, index = compiled): string[] {
  return rankTools(index, question, 20, () => true).map(({ tool: number }) => operations[number] ?? '');
}

test.each([
  ['未付款的订单', 'GET /orders'],
  ['订单', 'GET /orders'],
  ['ユーザーの一覧を見たい', 'GET /users'],
  ['API一覧', 'GET /users'],
])('scripts without spaces: %s', (question, want) => {
  const unspaced = [
    tool('GET /orders', '查询所有未付款的订单并按日期排序'),
    tool('GET /users', 'APIユーザーの一覧を新しい順に取得します'),
  ];
  const [first] = rankTools(new SearchIndex(printIndex(unspaced, [])), question, 9, () => true);
  expect(first === undefined ? undefined : unspaced[first.tool]?.binding).toMatchObject({
    path: want.slice('GET '.length),
  });
});

test.each([
  ['list invoices', 'GET /invoices'],
  ['what invoices are there', 'GET /invoices'],
  ['create an invoice', 'POST /invoices'],
  ['show one invoice', 'GET /invoices/{id}'],
  ['correct the invoice', 'PATCH /invoices/{id}'],
  ['throw the invoice away', 'DELETE /invoices/{id}'],
  ['get rid of an invoice', 'DELETE /invoices/{id}'],
  ['please delete that invoice', 'DELETE /invoices/{id}'],
  // Other words, other forms, letters that are wrong, and words that are one.
  ['show me that bill', 'GET /invoices/{id}'],
  ['approve the invoice', 'POST /invoices/{id}/approvals'],
  ['delete the webhok', 'DELETE /webhooks/{id}'],
  ['delete the web hook', 'DELETE /webhooks/{id}'],
  ['show the subaccount', 'GET /account'],
  ['show my playlists', 'GET /me/playlists'],
  ['show playlists', 'GET /playlists'],
  ['who is the leader', 'GET /leases'],
  ['what plug-ins are there', 'GET /plugins'],
  ['what issue type schemes are there', 'GET /issuetypeschemes'],
  ['set the invoice to paid', 'PATCH /invoices/{id}'],
  // Words that mean another together, and what somebody no longer wants.
  ['sign me out', 'DELETE /session'],
  ['how many bills are there', 'GET /invoices'],
  ['we do not need that invoice any more', 'DELETE /invoices/{id}'],
  ['for which invoice is anything created', 'GET /invoices/{id}'],
  ["we don't need the invoice", 'DELETE /invoices/{id}'],
])('%s: %s', (question, want) => {
  expect(ask(question)[0]).toBe(want);
  expect(ask(question, own)[0]).toBe(want);
});

test('a question is answered by tools that read before those that delete', () => {
  const found = ask('is the webhook or the invoice there');
  expect(found.at(-1)).toMatch(/^(?:DELETE|PATCH|POST) /);
  expect(found.indexOf('GET /invoices/{id}')).toBeLessThan(found.indexOf('DELETE /invoices/{id}'));
});

test.each([
  ['the users of the group', 0],
  ['the groups of the user', 1],
])('things end the path, and their context stands before: %s', (question, want) => {
  const known = [tool('GET /groups/{id}/users', ''), tool('GET /users/{id}/groups', '')];
  expect(rankTools(new SearchIndex(printIndex(known, [])), question, 2, () => true)[0]?.tool).toBe(want);
});

test('an order whose verb is in no list is answered by tools that write', () => {
  expect(ask('stamp the invoice')[0]).toMatch(/^(?:POST|PATCH) /);
});

test('tools of a word that no tool has are not found', () => {
  expect(ask('quux')).toEqual([]);
});

test('at most 100 words and phrases have synonyms, each said once, and none is its own', () => {
  expect(SAID.length).toBeLessThanOrEqual(100);
  expect(SYNONYMS.size).toBe(SAID.length);
  for (const [word, others] of SYNONYMS) expect(others).not.toContain(word);
});
