// A text that people do not see reaches nothing that a model reads, and somebody is told of it.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { compile } from '../../src/api/compile.ts';
import type { Diagnostic } from '../../src/diagnostics/collector.ts';
import type { ServerModel } from '../../src/model/server-model.ts';
import { type Compiled, compileText, emitCompiled } from './compile-text.ts';
import { code, documentWith, holdsHidden, keys, kinds, prose, values } from './hidden-texts.ts';

interface Outcome {
  model: ServerModel;
  diagnostics: readonly Diagnostic[];
  /** By path, without the runtime. */
  files: Map<string, string>;
}

const compileDocument = async (document: object) => outcomeOf(await compileText(JSON.stringify(document)));

function outcomeOf({ model, diagnostics, files = [] }: Compiled): Outcome {
  if (model === undefined) throw new Error(diagnostics.map(({ message }) => message).join('\n'));
  const others = files.filter(({ path }) => !path.includes('/runtime/'));
  return { model, diagnostics, files: new Map(others.map(({ path, contents }) => [path, contents])) };
}

/** Everything but data that is sent. */
const wordy = ['README.md', 'package.json', 'server.json', 'manifest.json', '.env.example', 'src/server.ts'];

function pointersOf(diagnostics: readonly Diagnostic[], name: string, shown: RegExp): string[] {
  return diagnostics
    .filter((each) => each.name === name && shown.test(each.message))
    .map(({ origin }) => (origin?.kind === 'document' ? origin.pointer : ''));
}

describe.each(Object.entries(kinds))('%s', (_kind, { hidden, shown }) => {
  test.each(prose)('in the words at %s', async (pointer) => {
    const { files, model, diagnostics } = await compileDocument(documentWith(pointer, hidden));
    expect([...files].filter(([, contents]) => holdsHidden(contents)).map(([path]) => path)).toEqual([]);
    expect(holdsHidden(JSON.stringify(model))).toBe(false);
    expect(pointersOf(diagnostics, 'hidden-text', shown)).toEqual([pointer]);
  });

  test.each(values)('in the value at %s', async (pointer, part) => {
    const document = documentWith(pointer, hidden);
    const { files, model, diagnostics } = await compileDocument(document);
    expect(JSON.stringify(model[part])).toContain(hidden);
    expect(wordy.filter((path) => holdsHidden(files.get(path) ?? ''))).toEqual([]);
    expect(pointersOf(diagnostics, 'hidden-text', shown)).toEqual([pointer]);
    expect(model.tools.filter(({ name, title }) => holdsHidden(`${name} ${title ?? ''}`))).toEqual([]);
  });

  test.each(keys)('in the key at %s', async (pointer) => {
    const { files, model, diagnostics } = await compileDocument(documentWith(pointer, hidden, true));
    expect(JSON.stringify(model)).toContain(hidden);
    expect(wordy.filter((path) => holdsHidden(files.get(path) ?? ''))).toEqual([]);
    expect(pointersOf(diagnostics, 'hidden-text', shown)).toContain(`${pointer}${hidden}`);
    const names = model.tools.flatMap(({ name, inputSchema }) => [
      name,
      ...Object.keys(inputSchema.properties ?? {}),
    ]);
    expect(names.filter((name) => holdsHidden(name))).toEqual([]);
  });
});

const folder = mkdtempSync(join(tmpdir(), 'hidden-'));
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

test.each(Object.entries(code))('in the comment of %s', async (what, textWith) => {
  const file = `${what.replaceAll(' ', '-')}.ts`;
  const { hidden, shown } = kinds['tags'] ?? { hidden: '', shown: /^$/ };
  writeFileSync(join(folder, file), textWith(hidden));
  const outcome = outcomeOf(
    await emitCompiled(await compile({ source: file, typescript: { files: [file] }, cwd: folder })),
  );
  const told = outcome.diagnostics.filter(({ name }) => name === 'hidden-text');
  expect(told).toHaveLength(1);
  expect(told[0]?.message).toMatch(shown);
  expect(told[0]?.origin).toMatchObject({ kind: 'code', file });
  expect(holdsHidden(JSON.stringify(outcome.model))).toBe(false);
  expect([...outcome.files].filter(([, contents]) => holdsHidden(contents)).map(([path]) => path)).toEqual(
    [],
  );
});

test('a text that a reference leads to as a description is clean, wherever it stands', async () => {
  const { hidden } = kinds['tags'] ?? { hidden: '' };
  const document = {
    openapi: '3.1.0',
    info: { title: 'T', version: '1' },
    paths: {
      '/a': {
        post: {
          operationId: 'a',
          requestBody: { content: { 'application/json': { schema: { $ref: '#/x-data/example/default' } } } },
          responses: {},
        },
      },
    },
    'x-data': {
      example: { default: { type: 'object', description: `Words ${hidden}`, properties: { a: {} } } },
    },
  };
  const { model, diagnostics } = await compileDocument(document);
  expect(holdsHidden(JSON.stringify(model))).toBe(false);
  expect(diagnostics.map(({ name }) => name)).toContain('hidden-text');
});

test('a reference to a character stays spelled out', async () => {
  const document = documentWith('/info/description', '&#xe0041;&#8203;');
  const { model } = await compileDocument(document);
  expect(holdsHidden(JSON.stringify(model))).toBe(false);
});

test.each([
  ['aliases that lead in a circle', 'x-loop: &loop { self: *loop }', []],
  [
    'an alias of a text with a hidden one',
    'x-loop: &loop { note: "a\u200bb" }\nx-again: *loop',
    ['/x-loop/note'],
  ],
  ['an escape behind an escaped backslash', 'x-note: "a\\\\\\u200bb"', ['/x-note']],
])('a document with %s is searched to its end', async (_name, more, found) => {
  const text = `openapi: 3.1.0
info: { title: Signs ⚠️, version: '1' }
paths: { /signs: { get: { responses: {} } } }
${more}
`;
  const { diagnostics } = await compile({ source: '-', stdin: () => Promise.resolve(Buffer.from(text)) });
  expect(pointersOf(diagnostics, 'hidden-text', /U\+200B/)).toEqual(found);
});
