// Which tools a server lists: the surface that the options say or that `auto` chooses once, pins, and reserved names.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { diffSurfaces } from '../../src/diff/surface-diff.ts';
import { makeSurface } from '../../src/diff/surface.ts';
import { parseLock } from '../../src/emit/index.ts';
import { compile, generate } from '../../src/index.ts';
import type { CompileOptions, GenerateOptions } from '../../src/api/options.ts';
import { SURFACE_TOOLS } from '../../src/model/listed-items.ts';
import { put, temporaryFolder } from '../write/project-on-disk.ts';

type Operations = Record<string, object>;

function document(operations: Operations): object {
  const responses = { 200: { description: 'Fine' } };
  const paths = Object.fromEntries(
    Object.entries(operations).map(([id, more]) => [
      `/${id.toLowerCase()}`,
      { get: { operationId: id, responses, ...more } },
    ]),
  );
  return {
    openapi: '3.1.0',
    info: { title: 'Pets', version: '1' },
    servers: [{ url: 'https://pets.example' }],
    paths,
  };
}

const alike = (count: number, each: object): Operations =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`op${at}`, each]));

const many = (count: number): Operations => alike(count, {});

async function compiled(operations: Operations, options: Partial<CompileOptions> = {}) {
  const stdin = (): Promise<Buffer> => Promise.resolve(Buffer.from(JSON.stringify(document(operations))));
  const { model, diagnostics } = await compile({ source: '-', stdin, ...options });
  const found = diagnostics.filter(({ name }) => /surface|reserved|many|selector|tool-renamed/.test(name));
  return { model, found: found.map(({ name }) => name), hints: found.map(({ hint }) => hint) };
}

test.each<[CompileOptions['surface'], number, string | undefined, string[]]>([
  [undefined, 2, undefined, []],
  ['tools', 2, undefined, []],
  ['search', 2, 'search', []],
  ['both', 2, 'both', []],
  ['auto', 128, 'tools', ['surface-chosen', 'many-tools']],
  ['auto', 129, 'search', ['surface-chosen']],
  ['tools', 129, undefined, ['many-tools']],
  ['search', 129, 'search', []],
])('%s of %i tools: %s', async (surface, count, want, names) => {
  const { model, found } = await compiled(many(count), surface === undefined ? {} : { surface });
  expect(model?.surface).toBe(want);
  expect(found.toSorted()).toEqual(names.toSorted());
});

test.each<[Partial<CompileOptions>, number, string[]]>([
  [{}, 16, ['many-tools']],
  [{}, 2, []],
  [{ surface: 'both' }, 16, ['many-tools']],
  [{ surface: 'search' }, 16, []],
  [{ budget: { listTokens: 1e6 } }, 16, []],
])('%j, %i long tools: %j', async (options, count, want) => {
  const { found, hints } = await compiled(
    alike(count, { tags: ['a'], parameters: longParameters() }),
    options,
  );
  expect(found).toEqual(want);
  for (const hint of hints) expect(hint).toMatch(/tools by tag: a \(16\).*`--surface search`/);
});

function longParameters(): object[] {
  return Array.from({ length: 60 }, (_, at) => ({
    name: `p${at}`,
    in: 'query',
    description: 'An argument that does a lot. '.repeat(40),
    schema: { enum: Array.from({ length: 60 }, (__, value) => `value number ${value} of many`) },
  }));
}

test.each(SURFACE_TOOLS)('an operation named %s is renamed, and says so', async (name) => {
  const { model, found } = await compiled({ [name]: {} });
  const renamed = `${name}_get_${name}`;
  expect(model?.tools.map((tool) => tool.name)).toEqual([renamed]);
  expect(found).toEqual(['tool-renamed']);
});

test('a function with a reserved name is an error, which names another way', async () => {
  const cwd = temporaryFolder();
  put(cwd, {
    'own.ts': '/** Finds. @tool search_tools */\nexport function find(): string { return "x"; }\n',
  });
  const { ok, diagnostics } = await compile({ source: 'own', typescript: { files: ['own.ts'] }, cwd });
  expect(ok).toBe(false);
  expect(diagnostics).toMatchObject([{ name: 'name-taken', origin: { file: 'own.ts' } }]);
});

test.each<[string[], Operations, string[], string[]]>([
  [[], { a: {}, b: { 'x-mcp': { pin: true } } }, ['b'], []],
  [['op:a'], { a: {}, b: {} }, ['a'], []],
  [['op:*'], { a: {}, b: { 'x-mcp': { pin: false } } }, ['a'], []],
  [['tag:x', 'path:/b'], { a: { tags: ['x'] }, b: {}, c: {} }, ['a', 'b'], []],
  [['op:z'], { a: {} }, [], ['selector-matches-nothing']],
])('the pins %j', async (pin, operations, want, names) => {
  const { model, found } = await compiled(operations, { surface: 'search', pin });
  expect(model?.tools.flatMap((tool) => (tool.pin === true ? tool.name : []))).toEqual(want);
  expect(found).toEqual(names);
});

test('what auto chose stays until the surface is named, and another surface breaks clients', async () => {
  const cwd = temporaryFolder();
  const write = async (count: number, options: Partial<GenerateOptions> = {}) => {
    put(cwd, { 'pets.json': JSON.stringify(document(many(count))) });
    const { model, diagnostics, ok } = await generate({
      source: 'pets.json',
      dir: 'out',
      cwd,
      surface: 'auto',
      ...options,
    });
    expect(ok).toBe(true);
    const read = (file: string): string => readFileSync(join(cwd, 'out', file), 'utf8');
    return {
      model,
      locked: parseLock(read('mcpgen.lock'))?.surface,
      server: /"surface": "(\w+)"/.exec(read('src/server.ts'))?.[1],
      config: JSON.parse(read('mcpgen.config.json')) as { surface?: string },
      found: diagnostics.map(({ name }) => name).filter((name) => name.startsWith('surface')),
    };
  };
  const small = await write(3);
  expect(small).toMatchObject({
    locked: 'tools',
    server: undefined,
    config: { surface: 'auto' },
    found: ['surface-chosen'],
  });
  const grown = await write(130);
  expect(grown).toMatchObject({ locked: 'tools', server: undefined, found: ['surface-kept'] });
  const accepted = await write(130, { surface: 'search' });
  expect(accepted).toMatchObject({ server: 'search', found: [] });
  if (grown.model === undefined || accepted.model === undefined) throw new Error('there is no model');
  const { changes } = diffSurfaces(makeSurface(grown.model), makeSurface(accepted.model));
  expect(changes).toMatchObject([
    {
      item: 'server',
      kind: 'surface-changed',
      effect: 'breaking',
      text: 'surface changed from tools to search',
    },
  ]);
});
