// `--for`: names are short enough for clients, and the rest is reported.
import { expect, test } from 'vitest';
import { CLIENT_NAMES } from '../../../src/model/client-profiles.ts';
import { lintDocument, operation, query } from '../../lint/support/lint-document.ts';

const tree = {
  type: 'object',
  properties: { down: { type: 'array', items: { $ref: '#/components/schemas/Tree' } } },
};
const post = operation({
  operationId: 'a'.repeat(63),
  summary: 'Cats and dogs',
  parameters: [query('age', { schema: { type: 'integer', nullable: true } })],
  requestBody: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Tree' } } } },
});
const given = { paths: { '/pets': { post } }, components: { schemas: { Tree: tree } } };

test('a warning says what a client refuses, and schemas stay as they are', async () => {
  const [plain] = (await lintDocument(given)).model?.tools ?? [];
  for (const client of CLIENT_NAMES) {
    const { diagnostics, model } = await lintDocument(given, { for: [client] });
    const [tool] = model?.tools ?? [];
    expect(tool?.inputSchema).toEqual(plain?.inputSchema);
    const refused = diagnostics.filter(({ name }) => name === 'client-not-fitted');
    expect([client, refused.length]).toEqual([client, client === 'adk' || client === 'gemini' ? 1 : 0]);
  }
});

test('names have room for the name of the server', async () => {
  const { model } = await lintDocument(given, { for: ['gemini', 'cursor'], name: 'shop-of-pets-mcp' });
  const [tool] = model?.tools ?? [];
  expect('shop-of-pets-mcp'.length + (tool?.name.length ?? 0)).toBeLessThan(60);
});

test('a name without room is reported', async () => {
  const { diagnostics } = await lintDocument(given, { for: ['cursor'], name: 'x'.repeat(60) });
  const found = diagnostics.filter(({ name }) => name === 'client-not-fitted');
  expect(found.map(({ message }) => message)).toEqual([expect.stringContaining('refuses the name of')]);
});

test('a name in the lock stays, and is reported', async () => {
  const name = 'b'.repeat(64);
  const { model, diagnostics } = await lintDocument(given, {
    for: ['cursor'],
    nameLock: { 'POST /pets': name },
  });
  expect(model?.tools[0]?.name).toBe(name);
  expect(diagnostics.map((each) => each.name)).toContain('client-not-fitted');
});
