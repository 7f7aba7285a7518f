// The checker sorts alternatives by when it met each, anywhere in a program: another file changes nothing that is emitted.
import { expect, test } from 'vitest';
import { programOf, readerOf } from './type-program.ts';

const shared = `
export interface Cat { claws: number; at: Date }
export interface Dog { tail: string; at: Date }
export interface Owl { night: boolean; at: Date }
export interface Page<T> { items: T[] }
export type Patch<T> = { [K in keyof T]?: T[K] extends object ? Patch<T[K]> : T[K] };
export type Deep<T> = T extends string ? { of: T } : T extends object ? { [K in keyof T]?: Deep<T[K]> } : T;
export enum Level { Low, High }
`;

const head = "import type { Cat, Dog, Owl, Page, Patch, Deep, Level } from './shared.js';\n";

/** What another file says, and so what the checker meets first where that is read before. */
const other = `${head}
export type T = [
  'z' | 'y', 'x', 'c', 'b', 'a', 9 | 8 | 7 | 3 | 2 | 1, 30n | 20n | 10n, Level.High, \`\${'z' | 'b' | 'a'}-\${number}\`,
  Owl | Dog | Cat, Page<Owl | Dog | Cat>, Set<Owl>, URL | RegExp | Date, Map<string, URL>, null | undefined | boolean | string | number,
  { kind: 'z' | 'c' | 'a' }, { n: 2 } | { n: 1 }, Dog[] | Cat[], [Owl], Exclude<Owl | Dog | Cat, Owl>, Date[], number[], string[],
];
`;

const rows = [
  "{ a: Patch<{ k: 'a' | 'b' | 'c' }> }",
  "Page<'a' | 'b' | 'c'>[]",
  'Page<1 | 2 | 3>[]',
  'Page<Cat | Dog>[]',
  'Page<Date | URL>[]',
  'Page<string | number | null>[]',
  'Page<{ n: 1 } | { n: 2 }>[]',
  "Page<Exclude<'a' | 'b' | 'c', 'b'>>[]",
  "{ a?: ('a' | 'b')[]; b?: Patch<{ all: ('c' | 'a')[] }> }",
  "Deep<{ all: 'a' | 'b' | 'c'; level: Level }>",
  "Exclude<'a' | 'b' | 'c' | 'z', 'b'>",
  'Exclude<1 | 2 | 3 | 9, 2>',
  'Exclude<10n | 20n | 30n, 20n>[]',
  'Exclude<Cat | Dog | Owl, Dog>[]',
  'Exclude<Cat | URL | Date | RegExp, RegExp>[]',
  'Exclude<Cat[] | Dog[] | { n: 1 }, { n: 1 }>[]',
  'Exclude<string | number | boolean | null | Date, number>[]',
  'Exclude<{ n: 1 } | { n: 2 } | { n: 3 }, { n: 3 }>',
  'Exclude<[Cat] | [Dog, Owl] | [Owl] | Cat[], Cat[]>',
  'NonNullable<Cat | Dog | null>',
  "Record<'a' | 'b' | 'c', number>",
  "{ [K in Exclude<'a' | 'b' | 'c', 'b'>]: K }",
  "Map<'a' | 'b' | 'c', Cat | Dog>",
  "Map<Exclude<'a' | 'b' | 'z', 'b'>, Date>",
  "Set<Exclude<'a' | 'b' | 'z', 'b'>>",
  "`${'a' | 'b'}-${number | bigint}`",
  '`x-${string}` | `y-${number}`',
  "`${number}-${Exclude<'a' | 'b' | 'z', 'b'>}`",
  "Cat & { k: 'a' | 'b' }",
  "Extract<{ kind: 'a'; at: Date } | { kind: 'c'; at: URL } | { kind: 'z' }, { at: unknown }>",
  "({ kind: 'a' | 'c'; at: Date } | { kind: 'z'; at: URL })[]",
  "Cat[keyof Cat] | Dog['tail']",
  'Level | Cat',
  '{ of: (Cat | Dog)[keyof (Cat | Dog)] }',
];

function readBoth(given: string, first: 'a.ts' | 'z.ts', direction: 'input' | 'output'): string {
  const files = { 'shared.ts': shared, 'a.ts': `${head}export type T = ${given};`, 'z.ts': other };
  const names = first === 'a.ts' ? Object.keys(files) : Object.keys(files).toReversed();
  const program = programOf(Object.fromEntries(names.map((name) => [name, files[name as 'a.ts']])));
  const { reader, read } = readerOf(program);
  if (first === 'z.ts') {
    program.getSemanticDiagnostics();
    readerOf(program).read('T', { direction: 'output' }, 'z.ts');
  }
  const { schema, codec } = read('T', { inline: true, direction });
  return JSON.stringify([reader.schemas, reader.codecs, schema, codec], null, 1);
}

test.each(rows)('%s', (given) => {
  for (const direction of ['input', 'output'] as const)
    expect(readBoth(given, 'z.ts', direction)).toBe(readBoth(given, 'a.ts', direction));
});
