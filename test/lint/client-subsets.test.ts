// What is compiled for a client keeps that client's rules, by a judge that does not read the compiler's profiles.
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { compile } from '../../src/index.ts';
import { printCatalog } from '../../src/emit/data-files.ts';
import { CLIENT_NAMES, type ClientName } from '../../src/model/client-profiles.ts';
import type { ObjectSchema } from '../../src/util/json-schema.ts';
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
  const { tools } = JSON.parse(printCatalog(model)) as Pick<Compiled, 'tools'>;
  return { server: model.name, tools, reported };
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
