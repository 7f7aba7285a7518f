// Each tool of the shop, called by name and through the tools that call others: the same bytes to the API, and the same result.
import { readFileSync } from 'node:fs';
import { load } from 'js-yaml';
import { expect, onTestFinished, test } from 'vitest';
import { compile } from '../../src/api/compile.ts';
import { makeWireCalls } from '../../src/emit/wire/wire-calls.ts';
import { mayCall, readAccess } from '../../templates/runtime/features/access.ts';
import { CALL_TOOLS } from '../../templates/runtime/features/search/tools.ts';
import { serveDocument, serveModel } from './serve-document.ts';

const shop = new URL('../../fixtures/shop.yaml', import.meta.url);

async function compileShop() {
  const stdin = (): Promise<Buffer> =>
    Promise.resolve(Buffer.from(JSON.stringify(load(readFileSync(shop, 'utf8')))));
  const { model } = await compile({ source: '-', stdin });
  if (model === undefined) throw new Error('the shop does not compile');
  return model;
}

test('by name and by call', { timeout: 60_000 }, async () => {
  const model = await compileShop();
  const { calls } = await makeWireCalls(model);
  const served = await serveModel(model, undefined, { surface: 'search' });
  onTestFinished(() => served.close());
  const withoutId = (text: string): string => text.replace(/"id":\d+/, '"id":0');
  let same = 0;
  for (const { tool, arguments: args } of calls) {
    const access = readAccess(model.tools.find(({ name }) => name === tool) ?? {});
    const named = await served.call(tool, args);
    for (const by of Object.keys(CALL_TOOLS) as (keyof typeof CALL_TOOLS)[]) {
      const called = await served.call(CALL_TOOLS[by], { name: tool, arguments: args });
      if (mayCall(by, access)) {
        expect({ tool, sent: called.sent, text: withoutId(called.text) }).toEqual({
          tool,
          sent: named.sent,
          text: withoutId(named.text),
        });
        same += 1;
      } else {
        expect(called).toMatchObject({ sent: [], isError: true });
        expect(called.words).toContain(`Call it by ${CALL_TOOLS[access]}.`);
      }
    }
  }
  expect(same).toBeGreaterThan(calls.length);
  expect(calls.length).toBeGreaterThan(40);
});

test('where a schema is cut, all tools are listed with the one that describes them', async () => {
  const members = Array.from({ length: 300 }, (_, at) => [
    `member_${at}`,
    {
      type: 'object',
      description: 'One of many members. '.repeat(8),
      properties: { deep: { type: 'integer' } },
    },
  ]);
  const schema = {
    type: 'object',
    properties: { spec: { type: 'object', properties: Object.fromEntries(members) as object } },
  };
  const post = {
    operationId: 'apply',
    requestBody: { required: true, content: { 'application/json': { schema } } },
    responses: { 201: { description: 'Fine' } },
  };
  const info = { title: 'Large', version: '1' };
  const paths = { '/apply': { post } };
  const document = { openapi: '3.1.0', info, servers: [{ url: 'https://large.example' }], paths };
  const served = await serveDocument(document, undefined, { surface: 'tools' });
  onTestFinished(() => served.close());
  const [, current] = await served.clients();
  const { tools } = await (
    current as { listTools: () => Promise<{ tools: { name: string }[] }> }
  ).listTools();
  expect(tools.map(({ name }) => name)).toEqual(['apply', 'describe_tool']);
  const part = await served.call('describe_tool', { name: 'apply', path: '/spec/member_299' });
  expect(part.words).toContain('deep?: integer');
  expect((await served.call('describe_tool', { name: 'apply' })).words.length).toBeLessThanOrEqual(6_000);
  expect(await served.call('apply', { spec: { member_299: { deep: 'x' } } })).toMatchObject({
    sent: [],
    isError: true,
  });
  expect((await served.call('apply', { spec: { member_299: { deep: 1 } } })).sent).toHaveLength(1);
});
