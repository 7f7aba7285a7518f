// Each use of TypeScript that its declarations do not name: another TypeScript with another form fails here, and says which.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ts } from 'ts-morph';
import { expect, test } from 'vitest';
import * as internals from '../../../src/frontends/typescript/program/compiler-internals.ts';
import { repositoryRoot } from '../../architecture/support/source-files.ts';
import { programOf } from './type-program.ts';

const program = programOf({
  'a.ts': `
    export type Box<T> = { value: T; list: T[] };
    export type Named = 'a' | 'b';
    export type Union = Named | 'c';
    export type Text = Box<string>;
    export type Mapped = { [K in Named]: K };
    export let open: <T>(box: Box<T>) => void;
    export let lost: Missing;
    export let loose: any;
    /** One. */
    /** Two. */
    export let documented: string;
  `,
});
const checker = program.getTypeChecker();
const file = program.getSourceFiles().find(({ fileName }) => fileName.endsWith('virtual/a.ts'));

function typeNamed(name: string): ts.Type {
  const module = file && checker.getSymbolAtLocation(file);
  const symbol = module && checker.getExportsOfModule(module).find((each) => each.name === name);
  if (symbol === undefined) throw new Error(`${name} is not exported`);
  return symbol.flags & ts.SymbolFlags.TypeAlias
    ? checker.getDeclaredTypeOfSymbol(symbol)
    : checker.getTypeOfSymbol(symbol);
}

/** What is written, with all members. */
function print(type: ts.Type): string {
  return checker.typeToString(type, undefined, ts.TypeFormatFlags.InTypeAlias);
}

function parse(text: string): ts.SourceFile {
  return ts.createSourceFile('/b.ts', text, ts.ScriptTarget.ES2023, true);
}

const PINS: Record<keyof typeof internals, () => void> = {
  originOf: () => {
    const union = typeNamed('Union');
    const origin = union.isUnion() ? internals.originOf(union) : undefined;
    expect(origin?.isUnion() === true && origin.types.map(print)).toEqual(['"a" | "b"', '"c"']);
  },
  jsDocOf: () => {
    const last = file?.statements.at(-1);
    expect(last && internals.jsDocOf(last).map(({ comment }) => comment)).toEqual(['One.', 'Two.']);
    expect(internals.jsDocOf(parse(';'))).toEqual([]);
  },
  keysOfMapped: () => {
    const mapped = typeNamed('Mapped');
    mapped.getProperties();
    expect(print(internals.keysOfMapped(mapped) ?? mapped)).toBe('"a" | "b"');
    expect(internals.keysOfMapped(typeNamed('Box'))).toBeUndefined();
  },
};

test.each(Object.entries(PINS))('%s', (_name, pin) => {
  pin();
});

test('no other module looks inside', () => {
  const folder = join(repositoryRoot, 'src');
  const casts =
    /as unknown as ts\.|\bextends ts\.\w+ \{|\bts\.\w+ & \{|as ts\.\w+ & |\bjsDoc\b(?!Parsing)|\bintrinsicName\b|\bresolvedReturnType\b/;
  const found = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('compiler-internals.ts'))
    .filter((name) => casts.test(readFileSync(join(folder, name), 'utf8')));
  expect(found).toEqual([]);
});
