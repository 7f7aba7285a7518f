// Each tool of the shop, called by name and through the tools that call others: the same bytes to the API, and the same result.
import { readFileSync } from 'node:fs';
import { load } from 'js-yaml';
import { expect, onTestFinished, test } from 'vitest';
import { compile } from '../../src/api/compile.ts';
import { makeWireCalls } from '../../src/emit/wire/wire-calls.ts';
import { mayCall, readAccess } from '../../templates/runtime/features/access.ts';
import { CALL_TOOLS } from '../../templates/runtime/features/search/tools.ts';
import { serveModel } from './serve-document.ts';

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
