// The page on types shows what types become; each block of TypeScript is compared with the JSON that follows it.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { LIMITS } from '../../../src/frontends/typescript/schema/form.ts';
import { VALUE_TAGS } from '../../../src/frontends/typescript/tags/tag-registry.ts';
import { libraryTypes } from '../../../src/frontends/typescript/schema/library-types.ts';
import { expectCompiled, programOf, readerOf } from './type-program.ts';

const page = readFileSync(new URL('../../../docs/types.md', import.meta.url), 'utf8');
const pairs = [...page.matchAll(/```ts\n([^`]*)```\s+```json\n([^`]*)```/g)].map(([, given, want]) => ({
  given: given ?? '',
  want: JSON.parse(want ?? '') as Record<string, unknown>,
}));

test('the page shows types', () => {
  expect(pairs.length).toBeGreaterThanOrEqual(2);
});

test.each(pairs)('$given', ({ given, want }) => {
  const program = programOf({ 'a.ts': given });
  expectCompiled(program);
  const { read, reader, problems } = readerOf(program);
  const { schema } = read('T', { inline: true });
  const { schemas } = reader;
  expect({ ...schema, ...(Object.keys(schemas).length === 0 ? {} : { $defs: schemas }) }).toEqual(want);
  expect(problems()).toEqual([]);
});

test('the page names every tag and every limit', () => {
  for (const tag of VALUE_TAGS) expect(page).toContain(`@${tag}`);
  const { depth, types, members, pattern } = LIMITS;
  const words = page.replaceAll(/\s+/g, ' ');
  expect(words).toContain(`at most ${depth.most} types inside one another`);
  expect(words).toContain(`${types.most.toLocaleString('en')} types for one parameter`);
  expect(words).toContain(`${members.most.toLocaleString('en')} alternatives of one union`);
  expect(words).toContain(`${pattern.most.toLocaleString('en')} characters of one pattern`);
});

test('the page names every class that has a JSON form, and no other in the table', () => {
  const table = /### Classes of JavaScript[\s\S]*?\n\n([\s\S]*?)\n\n/.exec(page)?.[1] ?? '';
  const named = [...table.matchAll(/^\| ([^|]*)/gm)].flatMap(
    ([, cell = '']) => cell.match(/[\w.]+(?=`)/g) ?? [],
  );
  const formed = Object.entries(libraryTypes).filter(([, { as }]) => as !== 'nothing');
  expect(named.toSorted()).toEqual(formed.map(([name]) => name).toSorted());
});
