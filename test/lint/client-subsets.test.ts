// What is compiled for a client keeps that client's rules, by a judge that does not read the compiler's profiles.
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { expect, test } from 'vitest';
import { compile } from '../../src/index.ts';
import { printCatalog } from '../../src/emit/data-files.ts';
import { findDraft07Fault } from '../../src/lint/draft-07.ts';
import { CLIENT_NAMES, type ClientName } from '../../src/model/client-profiles.ts';
import { CatalogStore } from '../../templates/runtime/core/catalog-store.ts';
import type { JsonSchema, ObjectSchema } from '../../templates/runtime/contract/json-schema.ts';
import { SUBSET_NAMES, unreportedFaults } from '../../scripts/lib/corpus/client-subsets.mjs';
import { documents, fixtures } from '../support/fixture-documents.ts';

test('each profile has a judge', () => {
  expect(SUBSET_NAMES.toSorted()).toEqual([...CLIENT_NAMES].toSorted());
});

interface Compiled {
  server: string;
  tools: readonly { name: string; inputSchema: ObjectSchema }[];
  /** What the compiler says that it could not fit. */
  reported: string[];
}

async function compileFor(document: string, client: ClientName): Promise<Compiled | undefined> {
  const { model, diagnostics } = await compile({ source: join(fixtures, document), for: [client] });
  if (model === undefined) return undefined;
  const names = ['client-not-fitted', 'client-takes-fewer-tools'];
  const reported = diagnostics.filter(({ name }) => names.includes(name)).map(({ message }) => message);
  return { server: model.name, tools: new CatalogStore(printCatalog(model)).items('tools'), reported };
}

test.each(CLIENT_NAMES)(
  '%s takes what is compiled for it, or a warning says what not',
  { timeout: 120_000 },
  async (client) => {
    let tools = 0;
    const refused: string[] = [];
    for (const document of documents) {
      const compiled = await compileFor(document, client);
      if (compiled === undefined) continue;
      tools += compiled.tools.length;
      refused.push(...unreportedFaults(client, compiled).map((fault) => `${document} ${fault}`));
    }
    expect(refused).toEqual([]);
    expect(tools).toBeGreaterThan(100);
  },
);

const ajv = new Ajv({ strict: false, validateFormats: false });

test.each<[string, JsonSchema, string]>([
  ['a schema', { type: 'object', properties: { a: { type: ['string', 'null'] } }, required: ['a'] }, ''],
  ['a boolean', true, ''],
  ['an unknown keyword', { prefixItems: 3 } as unknown as JsonSchema, ''],
  ['a wrong type', { properties: { a: { type: 'text' } } } as unknown as JsonSchema, '#/properties/a/type'],
  ['a required twice', { required: ['a', 'a'] }, '#/required'],
  [
    'an exclusive minimum of draft-04',
    { exclusiveMinimum: true } as unknown as JsonSchema,
    '#/exclusiveMinimum',
  ],
  ['an empty anyOf', { items: { anyOf: [] } }, '#/items'],
  ['a multiple of 0', { multipleOf: 0 }, '#/multipleOf'],
  ['a title that is no text', { title: 3 } as unknown as JsonSchema, '#/title'],
])('the meta-schema of draft-07: %s', (_what, schema, want) => {
  expect(findDraft07Fault(schema) === undefined).toBe(ajv.validateSchema(schema));
  expect(findDraft07Fault(schema)?.at ?? '').toMatch(new RegExp(`^${want.replace('$', '\\$')}`));
  if (want === '') expect(findDraft07Fault(schema)).toBeUndefined();
});
