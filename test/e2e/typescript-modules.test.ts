/** Every way in which modules export, import and are written, compiled to projects that type-check, start and answer. */
import { cp, rm, symlink } from 'node:fs/promises';
import path from 'node:path';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startClient } from './support/clients.ts';
import { fixtures, mcpgenHere, root, tsc } from './support/command.ts';
import { temporaryFolder } from './support/project.ts';

interface Row {
  what: string;
  tool: string;
  args?: Record<string, unknown>;
  want: unknown;
}

const modules: Row[] = [
  { what: 'overloads: the first', tool: 'over', args: { a: 'x' }, want: 'x' },
  {
    what: 'a generic with a default, of an alias of paths',
    tool: 'wrap',
    args: { value: 'v' },
    want: { value: 'v' },
  },
  { what: 'async, with a dynamic import', tool: 'later', args: { n: 1 }, want: 2 },
  { what: 'an async generator', tool: 'count', args: { to: 2 }, want: 'done' },
  { what: 'a default export; enums and namespaces', tool: 'sized', args: { size: 'S' }, want: 'S14' },
  { what: 'a JSON import', tool: 'cities', want: ['Bern', 'Basel'] },
  { what: 'a side-effect import', tool: 'effects', want: 1 },
  { what: 'imports of .cts and .cjs', tool: 'commons', args: { n: 4 }, want: [2, 8] },
  { what: 'a default and a namespace import', tool: 'base', args: { file: '/a/B.TXT' }, want: 'b.txt!' },
  { what: 'a decorated method of a class with a parameter property', tool: 'increase', want: 1 },
  { what: 'its instance is kept', tool: 'increase', args: { by: 2 }, want: 3 },
  { what: 'a static method', tool: 'zero', want: 0 },
  { what: 'a renamed re-export', tool: 'renamed', args: { text: 'a' }, want: 'a!' },
  { what: 'export *', tool: 'starred', args: { a: 'b' }, want: 'b' },
  { what: 'a re-exported default', tool: 'whispered', args: { text: 'A' }, want: 'a' },
  { what: 'JavaScript with JSDoc types', tool: 'js_sum', args: { a: 1 }, want: 3 },
];

const common: Row[] = [
  {
    what: 'import =, of a file of another project reference',
    tool: 'item',
    args: { id: 4 },
    want: { id: 2 },
  },
  { what: 'module.exports of a .js', tool: 'doubled', args: { n: 3 }, want: 6 },
  { what: 'export =', tool: 'halve', args: { n: 3 }, want: 1.5 },
  { what: 'export = of functions by name', tool: 'quint', args: { n: 10 }, want: 2 },
  { what: 'module.exports of a function by name', tool: 'third', args: { n: 6 }, want: 2 },
  { what: 'module.exports of an instance', tool: 'added', args: { n: 6 }, want: 8 },
  { what: 'a function within module.exports', tool: 'negative', args: { n: 6 }, want: -6 },
];

describe.each([
  { fixture: 'modules', files: ['src/tools.ts', 'src/index.ts', 'src/plain.js'], rows: modules },
  {
    fixture: 'common',
    files: ['app/tools.ts', 'app/equals.ts', 'app/named.js', 'app/listed.ts'],
    rows: common,
  },
])('$fixture', ({ fixture, files, rows }) => {
  let folder: string;
  let client: Client;

  beforeAll(async () => {
    folder = await temporaryFolder();
    await cp(path.join(fixtures, 'typescript', fixture), folder, { recursive: true });
    await symlink(path.join(root, 'node_modules'), path.join(folder, 'node_modules'));
    const { code, stderr } = await mcpgenHere(['ts', ...files, '-o', 'server'], { cwd: folder });
    expect(code, stderr).toBe(0);
    expect(stderr).not.toContain('warning');
    ({ client } = await startClient([path.join(folder, 'server/dist/main.js')]));
  });

  afterAll(async () => {
    await client.close();
    await rm(folder, { recursive: true, force: true });
  });

  test.each(rows)('$what', async ({ tool, args = {}, want }) => {
    const { structuredContent, content } = await client.callTool({ name: tool, arguments: args });
    const isObject = typeof want === 'object' && !Array.isArray(want);
    expect(structuredContent, JSON.stringify(content)).toEqual(isObject ? want : { result: want });
  });

  test('each of its tools is called here', async () => {
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name).sort()).toEqual([...new Set(rows.map(({ tool }) => tool))].sort());
  });

  test('the project type-checks', async () => {
    expect(await tsc(['-p', '.', '--noEmit'], { cwd: path.join(folder, 'server') })).toMatchObject({
      code: 0,
    });
  });
});
