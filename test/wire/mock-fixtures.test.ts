/** `--mock` on whole documents: every tool answers, and so does every resource that is one request. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { compile } from '../../src/api/compile.ts';
import { makeSample } from '../../templates/runtime/features/mock/sample.ts';
import { FEATURES } from '../../src/model/feature-table.ts';
import { serveModel } from './serve-document.ts';

const inFolder = (folder: string) =>
  readdirSync(folder)
    .filter((name) => /\.(?:json|yaml)$/.test(name))
    .map((name) => join(folder, name));
const documents = [
  'fixtures/petstore.yaml',
  'fixtures/shop.yaml',
  ...inFolder('fixtures/features'),
  ...inFolder('fixtures/hostile'),
];

test.each(documents)('%s', async (source) => {
  const { model } = await compile({ source });
  // Rules, parts of documents, and those that can't be compiled.
  if (model === undefined) return;
  // As the project has them.
  const unneeded = FEATURES.filter(({ isNeeded }) => isNeeded?.({ model, isCut: false }) === false);
  const without = unneeded.map(({ name }) => name);
  const served = await serveModel(model, undefined, { isMock: true, baseUrl: undefined, without });
  expect(served.server.describe()).not.toContain('no address');
  for (const { name, inputSchema } of model.tools) {
    const args = makeSample(inputSchema, { full: true });
    if (args === undefined) continue;
    const { sent, isError, words, text } = await served.call(name, args as object);
    expect({ name, sent, isError, words: isError ? words : '' }).toEqual({
      name,
      sent: [],
      isError: false,
      words: '',
    });
    expect(text).toContain('"content":[{');
  }
  for (const { uri } of model.resources) expect(await served.read(uri)).toMatchObject([{ uri }]);
  await served.close();
});
