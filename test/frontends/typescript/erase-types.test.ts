// A module without its types equals TypeScript's output, with code in its original places.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { ts } from 'ts-morph';
import { expect, test } from 'vitest';
import { eraseTypes } from '../../../src/frontends/typescript/app/erase-types.ts';

const root = path.resolve(import.meta.dirname, '../../..');

const options: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2023,
  module: ts.ModuleKind.ESNext,
  verbatimModuleSyntax: true,
  rewriteRelativeImportExtensions: true,
  removeComments: true,
};

function erase(text: string, name = 'a.ts'): string | undefined {
  return eraseTypes(ts.createSourceFile(name, text, ts.ScriptTarget.ES2023, true));
}

/**
 * By TypeScript; of JavaScript too, so that only what runs is compared. Empty statements and members do nothing, and what
 * makes a module of a file with types alone is the manifest here.
 */
function printed(text: string, name: string): string {
  const { outputText, diagnostics } = ts.transpileModule(text, {
    fileName: name,
    compilerOptions: options,
    reportDiagnostics: true,
  });
  expect(diagnostics?.map(({ messageText }) => messageText)).toEqual([]);
  return (
    outputText
      .replace(/^(?:export \{\};|"use strict";)$/gm, '')
      .replace(/^\s*;?\n/gm, '')
      .replace(/'(\.{1,2}\/[^']*)'/g, '"$1"')
      // TypeScript leaves out those that stood around a cast.
      .replace(/[()]/g, '')
      .replace(/\s+/g, ' ')
      .replace(/, (?=[}\])])/g, ' ')
  );
}

test.each<[what: string, given: string, want: string | undefined]>([
  ['annotations', 'const a: number = 1;', 'const a         = 1;'],
  ['a result', 'function f(a?: string): void {}', 'function f(a         )       {}'],
  ['comments within', 'let a /* k: v */ : /* x: */ T;', 'let a                        ;'],
  ['type parameters', 'const f = <T,>(a: T) => a;', 'const f =     (a   ) => a;'],
  ['type arguments', 'f<{ a: 1 }>(1);', 'f          (1);'],
  ['a cast', 'f(a as string, b!);', 'f(a          , b );'],
  ['this', 'function f(this: A, b: B) {}', 'function f(         b   ) {}'],
  ['types', 'type A = 1;\nexport interface B {}', ';          \n;                    '],
  ['imports of types', "import type { A } from './a.ts';", ';                               '],
  ['imports', "import { type A, b } from './a.ts';", "import {         b } from './a.js';"],
  ['loads', "import('./a.mts'); export * from '../b.ts';", "import('./a.mjs'); export * from '../b.js';"],
  ['overloads', 'function f(a: 1): 1;\nfunction f(a) {}', ';                   \nfunction f(a) {}'],
  ['declarations', 'declare const a: 1;', ';                  '],
  [
    'a class',
    'abstract class A<T> extends B<T> implements C {}',
    '         class A    extends B                 {}',
  ],
  [
    'members',
    'class A { private a?: 1 = 1; readonly [b]: T; declare c; abstract d(): T; e?(): T {} static override f = 1 }',
    'class A { ;       a     = 1; ;        [b]   ; ;          ;                e ()    {} static          f = 1 }',
  ],
  [
    'a member that would run on',
    'class A { a = 1\n  private *b() {} }',
    'class A { a = 1\n  ;       *b() {} }',
  ],
  ['a line that would run on', 'a as T\n(b)', undefined],
  ['an arrow on the next line', 'const f = (): {\n  a: 1;\n} => a;', undefined],
  ['parameters on the next line', 'const f = async <\n  T,\n>(a: T) => a;', undefined],
  ['an enum', 'enum A {}', 'var A; (function (A) {})(A || (A = {}));'],
  [
    'an enum of texts',
    "export enum A {\n  a = 'x', // one\n  'b-c' = `y`,\n}",
    'export var A; (function (A) {\n  A["a"] = "x"; // one\n  A["b-c"] = "y";\n})(A || (A = {}));',
  ],
  [
    'an enum of numbers',
    'enum A\n{ a, b = -2, c /* , */ , d = 0x10, e }',
    'var A; (function (A) {\n A[A["a"] = 0] = "a"; A[A["b"] = -2] = "b"; A[A["c"] = -1] = "c" /* , */ ; A[A["d"] = 16] = "d"; A[A["e"] = 17] = "e" })(A || (A = {}));',
  ],
  ['an enum that is computed', "enum A { a = 'x'.length }", undefined],
  ['an enum of its own members', 'enum A { a = 1, b = a }', undefined],
  ['an enum of constants', 'const enum A { a }', undefined],
  ['enums of one name', 'enum A { a } enum A { b = 1 }', undefined],
  ['an enum in a function', 'function f() { enum A { a } return A; }', undefined],
  ['an import of types with =', "import type a = require('a');", ';                            '],
  ['a namespace', 'namespace A { f(); }', undefined],
  ['a parameter property', 'class A { constructor(private a: 1) {} }', undefined],
  ['an import with =', "import a = require('a');", undefined],
  ['an export with =', 'export = a;', undefined],
  ['a type in front', 'f(<T>a);', undefined],
  ['a decorator', '@a class A {}', undefined],
  ['an accessor', 'class A { accessor a = 1 }', undefined],
  ['using', 'using a = b;', undefined],
  ['instantiation', 'const a = b<string>;', undefined],
  ['an import of what is computed', 'import(a);', undefined],
])('%s', (_what, given, want) => {
  expect(erase(given)).toBe(want);
  if (want !== undefined) expect(printed(want, 'a.js')).toBe(printed(given, 'a.ts'));
});

test.each(['a.cts', 'a.cjs', 'a.tsx', 'a.jsx'])('%s is left to TypeScript', (name) => {
  expect(erase('f();', name)).toBeUndefined();
});

const sources = [
  'src/frontends/typescript',
  'test/frontends/typescript',
  'templates/runtime/functions',
].flatMap((folder) =>
  readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.d.ts'))
    .map((name) => path.join(folder, name)),
);

test('of modules as people write them the same is left as TypeScript leaves, on the same lines', () => {
  const left = sources.flatMap((name) => {
    const text = readFileSync(path.join(root, name), 'utf8');
    const erased = erase(text);
    if (erased === undefined) return [name];
    expect(erased.split('\n').length, name).toBe(text.split('\n').length);
    expect(printed(erased, 'a.js'), name).toBe(printed(text, 'a.ts'));
    return [];
  });
  // Blanking is the rule.
  expect(left.length / sources.length).toBeLessThan(0.2);
});
