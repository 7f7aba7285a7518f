// A project has the features that it names and needs: it starts, lists and calls, type-checks, and says how to add the others.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { chooseFeatures } from '../../src/emit/features.ts';
import { FEATURE_NAMES } from '../../src/model/features.ts';
import { FEATURES } from '../../templates/runtime/features.ts';
import { META } from '../../templates/runtime/protocol/revisions.ts';
import { type FakeApi, startApi } from '../runtime/core/upstream-fake.ts';
import type { ServerModel } from '../../src/model/server-model.ts';
import { petstore } from './models.ts';
import { emit, placeProject, removeProject } from './render-project.ts';

const tsc = fileURLToPath(new URL('../../node_modules/typescript-7/bin/tsc', import.meta.url));
const SEED = 20_260_728;

/** Three subsets by the seed (mulberry32), the smallest one and the whole. */
function subsets(): string[][] {
  let state = SEED;
  const random = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    const mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    return ((mixed ^ (mixed >>> 7)) >>> 0) / 2 ** 32;
  };
  const drawn = Array.from({ length: 3 }, () => FEATURE_NAMES.filter(() => random() < 0.5));
  return [['stdio'], ...drawn, [...FEATURE_NAMES]];
}

let api: FakeApi;
beforeAll(async () => {
  api = await startApi((target) => ({ json: { target } }));
});
afterAll(() => api.close());

test.each(subsets().map((features) => ({ features, title: features.join(', ') })))(
  'a project with the features $title',
  { timeout: 60_000 },
  async ({ features }) => {
    const files = await emit(petstore, { features, publish: [] });
    const project = placeProject(files);
    onTestFinished(() => removeProject(project));
    const present = new Set(chooseFeatures(petstore, { features }).map(({ name }) => name));

    for (const { path, contents } of files)
      for (const [, specifier = ''] of contents.matchAll(/(?:from|import\()\s*["'](\.[^"']+\.[jt]s)["']/g))
        expect(existsSync(join(project, dirname(path), specifier)), `${path} imports ${specifier}`).toBe(
          true,
        );
    const checked = spawnSync(process.execPath, [tsc, '-p', project, '--noEmit'], { encoding: 'utf8' });
    expect(checked.stdout).toBe('');

    const start = (args: string[], env: Record<string, string> = {}) =>
      spawnSync(process.execPath, [join(project, 'dist/main.js'), ...args], {
        encoding: 'utf8',
        env: { PATH: process.env['PATH'], ...env },
        input: '',
      });
    const help = start(['--help']).stdout;
    const readme = readFileSync(join(project, 'README.md'), 'utf8');
    // A variable may belong to several features.
    const isRead = (variable: string) =>
      FEATURES.some(
        (row) => present.has(row.name) && (row.variables ?? []).some((each) => each.name === variable),
      );
    for (const { name, flags = {}, variables = [] } of FEATURES) {
      expect(readme.includes(`| \`${name}\` |`)).toBe(present.has(name));
      for (const [flag] of Object.entries(flags).filter(([, each]) => each.with === undefined))
        expect(help.includes(`--${flag} `), flag).toBe(present.has(name));
      for (const { name: variable } of variables.filter((each) => each.with === undefined))
        expect(new RegExp(`^ {2}${variable} `, 'm').test(help), variable).toBe(isRead(variable));
    }
    const absent = FEATURES.find(({ name, flags }) => !present.has(name) && flags !== undefined);
    if (absent !== undefined) {
      const [flag = ''] = Object.keys(absent.flags ?? {});
      const words = `This server was generated without ${absent.name}. Add it: npx --no mcpgen generate --feature ${absent.name}`;
      expect(start([`--${flag}`])).toMatchObject({ status: 2, stderr: `petstore-mcp: ${words}\n` });
    }

    const client = new Client({ name: 'tests', version: '1.0.0' });
    const env = { API_BASE_URL: api.url, API_KEY_KEY: 'k' };
    const args = [join(project, 'dist/main.js')];
    await client.connect(new StdioClientTransport({ command: process.execPath, args, env }));
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(
      petstore.tools.map(({ name }) => name),
    );
    const { content } = await client.callTool({ name: 'addPet', arguments: {} });
    expect(JSON.stringify(content)).toContain('POST /pets');
    await client.close();
  },
);

test('a set variable of a missing feature keeps the server from starting, or is a warning', async () => {
  const project = placeProject(await emit(petstore, { features: ['stdio'], publish: [] }));
  onTestFinished(() => removeProject(project));
  const start = (env: Record<string, string>) =>
    spawnSync(process.execPath, [join(project, 'dist/main.js')], { encoding: 'utf8', env, input: '' });
  expect(start({ MCP_AUDIT: 'stderr' })).toMatchObject({
    status: 2,
    stderr:
      'petstore-mcp: MCP_AUDIT is set. This server was generated without audit. Add it: npx --no mcpgen generate --feature audit\n',
  });
  expect(start({ MCP_MOCK: '1' }).status).toBe(2);
  expect(start({ MCP_STATE_SECRET: 'short' })).toMatchObject({
    status: 0,
    stderr: expect.stringMatching(/warning: .*mcpgen generate --feature signed-sessions/) as string,
  });
  expect(start({ MCP_MOCK: '0' })).toMatchObject({ status: 0, stderr: '' });
  const warned = start({ MCP_CONNECTIONS: '5', MCP_ALLOWED_HOSTS: 'a.example' });
  expect(warned.stderr).toMatch(
    /warning: ignored: MCP_\w+, MCP_\w+\. This server was generated without http\./,
  );
  expect(start({ PORT: '80' }).stderr).not.toContain('ignored');
});

async function place(model: ServerModel, options: Parameters<typeof emit>[1]) {
  const project = placeProject(await emit(model, { publish: [], ...options }));
  onTestFinished(() => removeProject(project));
  return (env: Record<string, string>, args: string[] = []) =>
    spawnSync(process.execPath, [join(project, 'dist/main.js'), ...args], {
      encoding: 'utf8',
      env,
      input: '',
    });
}

const withoutHttp = 'This server was generated without http. Add it: npx --no mcpgen generate --feature http';

test('a variable of a missing feature is one warning, whatever its value', async () => {
  const start = await place(petstore, { features: ['stdio'] });
  for (const [name, value, words] of [
    ['MCP_PASS_HEADERS', 'X-Tenant', withoutHttp],
    ['MCP_PASS_HEADERS', 'Cookie', withoutHttp],
    ['MCP_ALLOWED_ORIGINS', 'https://a.example', withoutHttp],
    ['MCP_ALLOWED_ORIGINS', 'nonsense', withoutHttp],
    [
      'MCP_FILES_ROOT',
      '/',
      'This server was generated without transfers. Add it: npx --no mcpgen generate --feature transfers',
    ],
    [
      'MCP_FILES_ROOT',
      '/no/such/folder',
      'This server was generated without transfers. Add it: npx --no mcpgen generate --feature transfers',
    ],
  ] as const)
    expect(
      start({ API_BASE_URL: api.url, API_KEY_KEY: 'k', [name]: value }),
      `${name}=${value}`,
    ).toMatchObject({
      status: 0,
      stderr: `petstore-mcp: warning: ignored: ${name}. ${words}\n`,
    });
  expect(start({ MCP_ALLOWED_ORIGINS: '0', MCP_FILES_ROOT: '0' })).toMatchObject({ status: 0, stderr: '' });
});

test('what a model, OAuth and publish targets need comes without being named', () => {
  const names = (options: Parameters<typeof chooseFeatures>[1], model = petstore) =>
    chooseFeatures(model, options).map(({ name }) => name);
  expect(names({})).toEqual(['stdio', 'http', 'audit', 'api', 'client-credentials']);
  expect(names({ features: ['stdio'] })).toEqual(['stdio', 'api', 'client-credentials']);
  expect(names({ features: ['stdio'], publish: ['docker'] })).toEqual([
    'stdio',
    'http',
    'metrics',
    'signed-sessions',
    'api',
    'client-credentials',
  ]);
  expect(names({ features: ['redis'] })).toEqual(expect.arrayContaining(['http', 'signed-sessions']));
  expect(names({ features: ['stdio'], publish: ['kubernetes'] })).toEqual(
    expect.arrayContaining(['http', 'metrics', 'signed-sessions', 'redis']),
  );
  expect(names({ features: ['stdio'], auth: {} })).toEqual([
    'stdio',
    'http',
    'api',
    'client-credentials',
    'oauth',
  ]);
  expect(names({ features: ['websocket'] })).toEqual([
    'stdio',
    'http',
    'websocket',
    'api',
    'client-credentials',
  ]);
  const tools = petstore.tools.map((tool) => ({ ...tool, execution: { taskSupport: 'optional' as const } }));
  expect(names({ features: ['stdio'] }, { ...petstore, tools })).toContain('tasks');
});

test.each([
  ["import type { Context, FormField } from 'mcpgen/runtime';", true],
  ["import type {\n  Root,\n} from './runtime/types.ts';", true],
  ["import { Root } from './ui/root.ts'; import type { Context } from 'mcpgen/runtime';", false],
])('code with %j brings the types of questions: %j', (contents, isThere) => {
  const app = { files: [{ contents }] } as unknown as NonNullable<
    Parameters<typeof chooseFeatures>[1]['app']
  >;
  const names = chooseFeatures(petstore, { features: ['stdio'], app }).map(({ name }) => name);
  expect(names.includes('ask')).toBe(isThere);
});

test('handlers that use a missing feature are type errors, and a task without tasks stops the start', async () => {
  const project = placeProject(await emit(petstore, { features: ['stdio'], publish: [] }));
  onTestFinished(() => removeProject(project));
  const words = (name: string) =>
    `This server was generated without ${name}. Add it: npx --no mcpgen generate --feature ${name}`;
  const tool =
    "{ name: 'own', inputSchema: { type: 'object' }, execution: { taskSupport: 'optional' }, handler: async (_, context) => String(await context.roots()) }";
  writeFileSync(
    join(project, 'src/handlers/index.ts'),
    `import type { Tools } from '../generated/types.ts';
import type { Handlers } from '../runtime/types.ts';
export const handlers: Handlers<Tools> = { extraTools: [${tool}] };
`,
  );
  const checked = spawnSync(process.execPath, [tsc, '-p', project, '--noEmit'], { encoding: 'utf8' });
  expect(checked.stdout).toContain(words('ask'));
  writeFileSync(
    join(project, 'dist/handlers/index.js'),
    `export const handlers = { extraTools: [${tool}] };\n`,
  );
  const started = spawnSync(process.execPath, [join(project, 'dist/main.js')], {
    encoding: 'utf8',
    input: '',
  });
  expect(started.status).toBe(2);
  expect(started.stderr).toContain(words('tasks'));
});

test.each([
  { features: ['stdio'], title: 'without' },
  { features: ['stdio', 'ask'], title: 'with' },
])(
  'a modern call with a state that is not its own is refused $title the feature ask',
  async ({ features }) => {
    const project = placeProject(await emit(petstore, { features, publish: [] }));
    onTestFinished(() => removeProject(project));
    expect(existsSync(join(project, 'src/runtime/core/rounds.ts'))).toBe(features.includes('ask'));
    const _meta = { [META.protocolVersion]: '2026-07-28', [META.clientCapabilities]: {} };
    const params = { name: 'addPet', arguments: {}, requestState: 'x', _meta };
    const input = `${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })}\n`;
    const main = join(project, 'dist/main.js');
    const { stdout } = spawnSync(process.execPath, [main], { encoding: 'utf8', input });
    expect(JSON.parse(stdout)).toMatchObject({
      error: {
        code: -32602,
        message: expect.stringContaining('`requestState` is not of this request') as string,
      },
    });
  },
);

test.each(FEATURES.map(({ name, docs, flags }) => [name, docs, Object.keys(flags ?? {})] as const))(
  '%s has a page, with its flags: %s',
  (_, docs, flags) => {
    const [file = '', anchor] = docs.split('#');
    const page = readFileSync(new URL(`../../docs/${file}`, import.meta.url), 'utf8');
    const anchors = [...page.matchAll(/^#+ (.*)$/gm)].map(([, title = '']) =>
      title
        .toLowerCase()
        .replace(/[^\w -]/g, '')
        .replaceAll(' ', '-'),
    );
    if (anchor !== undefined) expect(anchors).toContain(anchor);
    for (const flag of flags) expect(page).toContain(`--${flag}`);
  },
);

test('mcpgen serve loads each feature from the modules of its row', () => {
  const serve = readFileSync(new URL('../../templates/runtime/all-features.ts', import.meta.url), 'utf8');
  const loaded = [...serve.matchAll(/^ {2}(\w+): \(\) => import\('\.\/(.*)\.ts'\)/gm)].map(
    ([, loader, module]) => [loader, module],
  );
  const rows = FEATURES.flatMap(({ entries }) => entries).filter(
    ({ loader }) => loader !== 'functions' && loader !== 'auth',
  );
  expect(loaded.sort()).toEqual(rows.map(({ loader, module }) => [loader, module]).sort());
});
