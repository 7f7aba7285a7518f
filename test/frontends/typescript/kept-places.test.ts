// The map of code that stands where its source stands says so of every place.
import { SourceMap } from 'node:module';
import { expect, test } from 'vitest';
import { keptPlaces } from '../../../src/frontends/typescript/app/kept-places.ts';

const LONG = `${'x'.repeat(700)}(y)`;

test.each<[what: string, code: string]>([
  ['one line', 'const a = f(b.c);'],
  ['lines', "import 'x';\n\n\n  throw new Error(`${a}`);\n}\n"],
  ['places far to the right', `${LONG};\n${LONG};\n1`],
  ['a line after 40 that are empty', `a${'\n'.repeat(40)}b`],
  ['nothing', ''],
])('%s', (_what, code) => {
  const map = new SourceMap(JSON.parse(keptPlaces(code)) as ConstructorParameters<typeof SourceMap>[0]);
  const places = code
    .split('\n')
    .flatMap((text, line) => [...text.matchAll(/[$\w]+|\S/g)].map(({ index }) => ({ line, column: index })));
  const found = places.map(({ line, column }) => map.findEntry(line, column));
  expect(found).toMatchObject(
    places.map(({ line, column }) => ({ originalLine: line, originalColumn: column, originalSource: '' })),
  );
});
