// Whatever a document says stays data, in every file of the project.
import { expect, test } from 'vitest';
import { compileText } from './compile-text.ts';
import { type Sayings, sayingsOf } from './judge-files.ts';
import { payloads } from './payloads.ts';
import { documentWith } from './text-everywhere.ts';

async function sayingsWith(text: string): Promise<Sayings> {
  const document = JSON.stringify(documentWith(text));
  // A long text makes a schema that is listed in part, and so a server that can describe the rest; here each can.
  const { files, diagnostics } = await compileText(document, 'api.yaml', { surface: 'both' });
  if (files === undefined) throw new Error(diagnostics.map(({ message }) => message).join('\n'));
  return await sayingsOf(files);
}

/** A document that means no harm. */
const twin = await sayingsWith('plain');

test('the twin has something to say', () => {
  expect(Object.keys(twin.code)).toEqual(
    expect.arrayContaining(['src/server.ts', 'src/generated/types.ts', 'test/wire.js']),
  );
  expect(twin.wrong).toEqual([]);
  expect(twin.markdown['README.md']).toContain('table');
  expect(twin.commands).toHaveProperty('Dockerfile');
});

test.each(Object.entries(payloads))('%s', async (_what, text) => {
  expect(await sayingsWith(text)).toEqual(twin);
});
