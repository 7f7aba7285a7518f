// A project has the features that it names and needs: it starts, lists and calls, type-checks, and says how to add the others.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { chooseFeatures, listSettings } from '../../src/emit/features.ts';
import { FEATURES } from '../../src/model/feature-table.ts';
import { FEATURE_NAMES } from '../../src/model/features.ts';
import { META } from '../../templates/runtime/json-rpc.ts';
import { type FakeApi, startApi } from '../runtime/upstream-fake.ts';
import { petstore } from './models.ts';
import { emit, placeProject, removeProject } from './render-project.ts';

const tsc = fileURLToPath(new URL('../../node_modules/typescript-7/bin/tsc', import.meta.url));
const SEED = 20_260_728;

/** The smallest subset, one by the seed (mulberry32), and the whole. */
function subsets(): (readonly string[])[] {
  let state = SEED;
  const random = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    const mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    return ((mixed ^ (mixed >>> 7)) >>> 0) / 2 ** 32;
  };
  return [['stdio'], FEATURE_NAMES.filter(() => random() < 0.5), FEATURE_NAMES];
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
    const shows = (setting: string) => new RegExp(`${setting}(?![\\w-])`).test(help);
    const settings = await Promise.all(
      FEATURES.map(async (row) => ({ name: row.name, rows: await listSettings([row]) })),
    );
    // Several features may read a variable.
    const read = new Set(
      settings.flatMap(({ name, rows }) =>
        present.has(name) ? rows.flatMap(({ flag, variable }) => [flag, variable]) : [],
      ),
    );
    for (const { flag, variable } of settings.flatMap(({ rows }) => rows)) {
      if (flag !== undefined) expect(shows(`--${flag}`), flag).toBe(read.has(flag));
      if (variable !== undefined) expect(shows(`\\b${variable}`), variable).toBe(read.has(variable));
    }
    const absent = settings.find(({ name, rows }) => !present.has(name) && rows[0]?.flag !== undefined);
    if (absent !== undefined)
      expect(start([`--${absent.rows[0]?.flag ?? ''}`])).toMatchObject({
        status: 2,
        stderr: expect.stringContaining(`generate --feature ${absent.name}\n`) as string,
      });

    const client = new Client({ name: 'tests', version: '1.0.0' });
    const env = { API_BASE_URL: api.url, API_KEY_KEY: 'k' };
    const args = [join(project, 'dist/main.js')];
    await client.connect(new StdioClientTransport({ command: process.execPath, args, env }));
    const added = present.has('steps') ? ['run_read_steps', 'run_write_steps'] : [];
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual([
      ...petstore.tools.map(({ name }) => name),
      ...added,
    ]);
    const { content } = await client.callTool({ name: 'addPet', arguments: {} });
    expect(JSON.stringify(content)).toContain('POST /pets');
    await client.close();
  },
);

test('a variable of a missing feature, without which the server would behave otherwise, keeps it from starting', async () => {
  const project = placeProject(await emit(petstore, { features: ['stdio'], publish: [] }));
  onTestFinished(() => removeProject(project));
  const start = (env: Record<string, string>) =>
    spawnSync(process.execPath, [join(project, 'dist/main.js')], { encoding: 'utf8', env, input: '' });
  expect(start({ MCP_AUDIT: 'stderr' })).toMatchObject({
    status: 2,
    stderr:
      'petstore-mcp: MCP_AUDIT needs audit, and this server was generated without it. Add it: npx mcpgen generate --feature audit\n',
  });
  expect(start({ MCP_MOCK: '1' }).status).toBe(2);
  expect(start({ MCP_MOCK: '0' }).status).toBe(0);
  expect(start({ MCP_TLS_CERT: 'cert.pem' }).status).toBe(2);
});

test('the feature steps adds modules, and changes only what names the features', async () => {
  const [before = [], after = []] = await Promise.all(
    [['stdio'], ['stdio', 'steps']].map((features) => emit(petstore, { features, publish: [] })),
  );
  const contentsOf = new Map(before.map(({ path, contents }) => [path, contents]));
  const changed = after.filter(({ path, contents }) => contentsOf.get(path) !== contents);
  const [added, others] = [false, true].map((isThere) =>
    changed.filter(({ path }) => contentsOf.has(path) === isThere).map(({ path }) => path),
  );
  expect(others).toEqual(['src/server.ts', 'dist/server.js', 'mcpgen.lock']);
  expect(added?.filter((path) => !/^(?:src|dist)\/runtime\/features\//.test(path))).toEqual([]);
});

test('what a model, OAuth and publish targets need comes without being named', () => {
  const names = (options: Parameters<typeof chooseFeatures>[1], model = petstore) =>
    chooseFeatures(model, options).map(({ name }) => name);
  expect(names({})).toEqual(['api', 'resources', 'client-credentials', 'http']);
  expect(names({ features: ['stdio'] })).toEqual(['api', 'resources', 'client-credentials']);
  expect(names({ features: ['stdio'], publish: ['docker'] })).toContain('http');
  expect(names({ features: ['stdio'], publish: ['kubernetes'] })).toEqual(
    expect.arrayContaining(['http', 'metrics', 'signed-sessions', 'resumption', 'redis']),
  );
  const common = ['api', 'resources', 'client-credentials', 'http'];
  expect(names({ features: ['stdio'], auth: {} })).toEqual(['oauth', ...common]);
  expect(names({ features: ['websocket'] })).toEqual([...common, 'websocket']);
  const tools = petstore.tools.map((tool) => ({ ...tool, execution: { taskSupport: 'optional' as const } }));
  expect(names({ features: ['stdio'] }, { ...petstore, tools })).toContain('tasks');
});

const toolsOnly = { ...petstore, resources: [], resourceTemplates: [], prompts: [], completions: [] };

test.each([
  { keys: [], isThere: false },
  { keys: ['extraTools'], isThere: false },
  { keys: ['resources'], isThere: true },
  { keys: ['resourceTemplates'], isThere: true },
  { keys: ['prompts'], isThere: true },
])('handlers with the keys $keys bring resources and prompts: $isThere', ({ keys, isThere }) => {
  const handlers = { files: [], members: new Set<string>(), keys: new Set<string>(keys) };
  const names = chooseFeatures(toolsOnly, { features: ['stdio'], handlers }).map(({ name }) => name);
  expect(names.includes('resources')).toBe(isThere);
});

test('a project of tools alone has no module for resources and prompts, and does not know their methods', async () => {
  const project = placeProject(await emit(toolsOnly, { features: ['stdio', 'http'], publish: [] }));
  onTestFinished(() => removeProject(project));
  expect(existsSync(join(project, 'src/runtime/features/resources.ts'))).toBe(false);
  const clientInfo = { name: 'tests', version: '1.0.0' };
  const hello = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
  const methods = ['resources/list', 'resources/read', 'prompts/list', 'prompts/get', 'completion/complete'];
  const messages = [['initialize', hello] as const, ...methods.map((method) => [method, {}] as const)];
  const { stdout } = spawnSync(process.execPath, [join(project, 'dist/main.js')], {
    encoding: 'utf8',
    input: messages
      .map(([method, params], id) => `${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`)
      .join(''),
  });
  const replies = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, Record<string, unknown>>);
  expect(replies[0]?.['result']?.['capabilities']).toEqual({ tools: {}, logging: {} });
  expect(replies.slice(1).map(({ error }) => error?.['code'])).toEqual(methods.map(() => -32601));
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

test('a modern call with a state is refused without the feature ask', async () => {
  const project = placeProject(await emit(petstore, { features: ['stdio'], publish: [] }));
  onTestFinished(() => removeProject(project));
  const _meta = { [`${META}protocolVersion`]: '2026-07-28', [`${META}clientCapabilities`]: {} };
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
});

test.each(FEATURES)('$name has a page, with its flags', async (row) => {
  const [file = '', anchor] = row.page.split('#');
  const page = readFileSync(new URL(`../../docs/${file}`, import.meta.url), 'utf8');
  const anchors = [...page.matchAll(/^#+ (.*)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replace(/[^\w -]/g, '')
      .replaceAll(' ', '-'),
  );
  if (anchor !== undefined) expect(anchors).toContain(anchor);
  for (const { flag } of await listSettings([row]))
    if (flag !== undefined) expect(page).toContain(`--${flag}`);
});
