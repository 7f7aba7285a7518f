import { readFileSync } from 'node:fs';
import { format, getFileInfo } from 'prettier';
import { expect, test } from 'vitest';
import { isHashOf, parseLock } from '../../src/emit/index.ts';
import type { HttpBinding, ResultBinding } from '../../src/model/bindings.ts';
import { RUNTIME_HEADER } from '../../src/emit/runtime-files.ts';
import { projectStyle } from '../../src/emit/templates/format.ts';
import { publishTargets } from '../../src/model/published.ts';
import { hostile, httpTool, models, petstore } from './models.ts';
import { contentsOf, emit } from './render-project.ts';

const cases = Object.entries(models);

test('emits the whole project, the lock last', async () => {
  const files = await emit(petstore, { publish: publishTargets });
  const glue = files.filter(({ path }) => !path.includes('/runtime/'));
  expect(glue.map(({ path, ownership, executable }) => [path, ownership, executable])).toEqual([
    ['package.json', 'generated', undefined],
    ['README.md', 'generated', undefined],
    ['.env.example', 'generated', undefined],
    ['.gitattributes', 'once', undefined],
    ['tsconfig.json', 'generated', undefined],
    ['src/main.ts', 'generated', undefined],
    ['dist/main.js', 'built', true],
    ['src/fetch.ts', 'generated', undefined],
    ['dist/fetch.js', 'built', undefined],
    ['src/server.ts', 'generated', undefined],
    ['dist/server.js', 'built', undefined],
    ['src/handlers/index.ts', 'once', undefined],
    ['dist/handlers/index.js', 'built', undefined],
    ['test/server.js', 'generated', undefined],
    ['test/wire.js', 'generated', undefined],
    ['.gitignore', 'generated', undefined],
    ['.dockerignore', 'generated', undefined],
    ['Dockerfile', 'generated', undefined],
    ['compose.yaml', 'generated', undefined],
    ['deploy/haproxy.cfg', 'generated', undefined],
    ['deploy/kubernetes.yaml', 'generated', undefined],
    ['server.json', 'generated', undefined],
    ['manifest.json', 'generated', undefined],
    ['bundle.mjs', 'generated', undefined],
    ['sbom.mjs', 'generated', undefined],
    ['.github/workflows/publish.yml', 'generated', undefined],
    ['.github/workflows/regenerate.yml', 'generated', undefined],
    ['fetch.d.ts', 'generated', undefined],
    ['src/generated/types.ts', 'generated', undefined],
    ['dist/generated/types.js', 'built', undefined],
    ['src/generated/catalog.json', 'generated', undefined],
    ['src/generated/bindings.json', 'generated', undefined],
    ['src/generated/search.json', 'generated', undefined],
    ['test/wire.json', 'generated', undefined],
    ['mcpgen.config.json', 'once', undefined],
    ['mcpgen.lock', 'generated', undefined],
  ]);
});

test('carries the runtime byte for byte, and built', async () => {
  const files = await emit(petstore);
  const runtime = new URL('../../templates/runtime/', import.meta.url);
  const built = files.filter(({ path }) => /^dist\/runtime\/.*\.js$/.test(path));
  const sources = files.filter(({ path }) => /^src\/runtime\/.*\.ts$/.test(path));
  expect(built.map(({ path }) => path.replace(/^dist(.*)js$/, 'src$1ts'))).toEqual(
    sources.map(({ path }) => path),
  );
  const licence = contentsOf(files, 'src/runtime/LICENSE');
  expect(licence).toBe(readFileSync(new URL('../../LICENSE', import.meta.url), 'utf8'));
  expect(contentsOf(files, 'dist/runtime/LICENSE')).toBe(licence);
  for (const { path, contents } of sources) {
    expect(contents.split(RUNTIME_HEADER), path).toEqual(['', expect.any(String)]);
    expect(contents, path).toBe(readFileSync(new URL(path.replace('src/runtime/', ''), runtime), 'utf8'));
  }
});

test.each(cases)('%s: the same input gives the same bytes, wherever the source lies', async (_, model) => {
  const [one, other] = [await emit(model), await emit(model, { source: 'elsewhere/petstore.yaml' })];
  expect(one).toEqual(other);
  expect(JSON.stringify(one.filter(({ path }) => !path.includes('/runtime/')))).not.toContain('/somewhere');
});

test.each(cases)('%s: text files end in one newline and have no carriage return', async (_, model) => {
  for (const { path, contents } of await emit(model)) {
    if (!path.includes('/runtime/')) expect(contents, path).not.toMatch(/\r|\n\n$|[^\n]$/);
  }
});

test.each(cases)('%s: code and JSON are as Prettier leaves them', async (_, model) => {
  const files = (await emit(model)).filter(
    ({ path }) => !/runtime|^dist|README|catalog|bindings|features|search|wire\.json/.test(path),
  );
  for (const { path, contents } of files) {
    const { inferredParser } = await getFileInfo(path);
    if (inferredParser === null) continue;
    expect(contents, path).toBe(await format(contents, { ...projectStyle, parser: inferredParser }));
  }
});

test.each(cases)('%s: JSON files are valid, and the lock lists what is ours', async (_, model) => {
  const files = await emit(model);
  for (const { path, contents } of files) if (path.endsWith('.json')) JSON.parse(contents);
  const lock = parseLock(contentsOf(files, 'mcpgen.lock'));
  const ours = files.filter(({ path, ownership }) => ownership === 'generated' && path !== 'mcpgen.lock');
  expect(Object.keys(lock?.files ?? {}).toSorted()).toEqual(ours.map(({ path }) => path).toSorted());
  for (const { path, contents } of ours) expect(isHashOf(lock?.files[path], contents), path).toBe(true);
});

test('.env.example has all variables that it may set, the README explains those of the API', async () => {
  const files = await emit(petstore);
  const readme = contentsOf(files, 'README.md');
  const limits = ['API_TIMEOUT_MS', 'API_RESPONSE_BYTES', 'API_RESULT_CHARACTERS'];
  for (const name of ['API_BASE_URL', 'PORT', 'MCP_ALLOWED_ORIGINS', 'MCP_RATE_LIMIT', ...limits])
    expect(contentsOf(files, '.env.example')).toMatch(new RegExp(`^# ${name}=`, 'm'));
  for (const name of ['API_BASE_URL', 'API_KEY_KEY']) expect(readme).toContain(`| \`${name}\` |`);
  expect(contentsOf(files, '.env.example')).not.toMatch(/^# (?:NODE_\w+|MCP_DOTENV)=/m);
  expect(contentsOf(files, '.env.example')).toMatch(/# API_CREDENTIALS=\n\n# [^]*\n\n# .*\n# PORT=/);
});

test('text of a document is markup nowhere', async () => {
  // A path stands in a code span, which a test of the helper covers.
  const tools = hostile.tools.map((tool) => ({
    ...tool,
    binding: petstore.tools[1]?.binding ?? tool.binding,
  }));
  const files = await emit({ ...hostile, tools });
  const readme = contentsOf(files, 'README.md');
  expect(readme).not.toMatch(/[^\\]<\/script>|^# head|[^\\]\[a\]/m);
  for (const row of readme.split('\n').filter((line) => line.startsWith('| ') && line.includes('title'))) {
    expect(row.replaceAll('\\|', '').split('|')).toHaveLength(5);
  }
  const environment = contentsOf(files, '.env.example').split('\n');
  expect(environment.every((line) => line === '' || line.startsWith('# '))).toBe(true);
  expect(contentsOf(files, 'Dockerfile')).not.toContain('process.exit(1) /*');
});

test('names of a document reach no prototype and no path', async () => {
  const files = await emit(hostile);
  const { tools } = JSON.parse(contentsOf(files, 'src/generated/bindings.json')) as { tools: object };
  expect(Object.keys(tools)).toEqual(['constructor', 'a.b-c']);
  expect(files.map(({ path }) => path)).toEqual((await emit(petstore)).map(({ path }) => path));
});

test('the package is what npm expects', async () => {
  const files = await emit(petstore);
  expect(JSON.parse(contentsOf(files, 'package.json'))).toMatchObject({
    name: 'petstore-mcp',
    version: '1.2.0',
    bin: { 'petstore-mcp': 'dist/main.js' },
    engines: { node: '>=20.19' },
  });
  expect(JSON.parse(contentsOf(files, 'package.json'))).not.toHaveProperty('dependencies');
  const scoped = contentsOf(await emit(models.empty), 'package.json');
  expect(JSON.parse(scoped)).toMatchObject({
    name: '@scope/nothing',
    version: '2.0.0',
    bin: { nothing: 'dist/main.js' },
  });
  const { version } = JSON.parse(contentsOf(await emit(hostile), 'package.json')) as { version: string };
  expect(version).toMatch(/^\d+\.\d+\.\d+$/);
});

test('types of operations that code calls: the whole body, and no argument that cuts it', async () => {
  const outputSchema = { type: 'object', properties: { id: { type: 'integer' } } } as const;
  const fields = { argument: 'fields', names: { id: {} } };
  const bound = (path: string, result: ResultBinding): HttpBinding => {
    return { kind: 'http', method: 'GET', path, parameters: [], result };
  };
  const tools = [
    httpTool('part', 'GET', '/a', {
      outputSchema,
      binding: bound('/a', { drop: { id: true } }),
    }),
    httpTool('chosen', 'GET', '/b', { outputSchema, binding: bound('/b', { fields }) }),
  ];
  const types = contentsOf(
    await emit({ ...petstore, tools, operations: { api: {} } }),
    'src/generated/types.ts',
  );
  expect(types).toContain("part<Body = unknown>(args?: Tools['part'],");
  expect(types).toMatch(/chosen<Body = \{\s*id\?: number;\s*\}>\(args\?: Omit<Tools\['chosen'\], 'fields'>,/);
});

test('the types of the export `fetch` are those of its code, and there without a build', async () => {
  const files = await emit(petstore);
  const declared = contentsOf(files, 'fetch.d.ts');
  const code = readFileSync(new URL('../../templates/runtime/features/fetch.ts', import.meta.url), 'utf8');
  for (const name of ['FetchHandler', 'FetchPeer', 'FetchOptions']) {
    const [own] = new RegExp(`export interface ${name} \\{.*?\\n\\}\\n`, 's').exec(code) ?? [];
    expect(declared).toContain(own ?? name);
  }
  const { exports, files: packed } = JSON.parse(contentsOf(files, 'package.json')) as {
    exports: Record<string, unknown>;
    files: string[];
  };
  expect(exports['./fetch']).toEqual({ types: './fetch.d.ts', default: './dist/fetch.js' });
  expect(packed).toContain('fetch.d.ts');
  const without = await emit(petstore, { features: ['http'] });
  expect(without.map(({ path }) => path)).not.toContain('fetch.d.ts');
  expect(contentsOf(without, 'package.json')).not.toContain('fetch');
});
