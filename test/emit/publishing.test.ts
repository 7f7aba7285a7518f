// Metadata of a project where it is published, the same everywhere.
import { load } from 'js-yaml';
import { expect, test } from 'vitest';
import { isRegistryName } from '../../src/model/published.ts';
import { hostile, models, petstore } from './models.ts';
import { contentsOf, emit } from './render-project.ts';

type Emitted = Awaited<ReturnType<typeof emit>>;

const readJson = (files: Emitted, path: string) =>
  JSON.parse(contentsOf(files, path)) as Record<string, unknown>;

const versionsOf = (files: Emitted) => ({
  package: readJson(files, 'package.json')['version'],
  registry: readJson(files, 'server.json')['version'],
  packages: (readJson(files, 'server.json')['packages'] as { version: string }[]).map(
    ({ version }) => version,
  ),
  manifest: readJson(files, 'manifest.json')['version'],
});

/** Rules of the schema of 2025-12-11 for the members written here. */
function registryComplaints(entry: Record<string, unknown>): string[] {
  const { name, title, description, version, packages } = entry;
  const isText = (value: unknown, most: number) =>
    typeof value === 'string' && value.length > 0 && value.length <= most;
  const [first] = packages as Record<string, unknown>[];
  return [
    ...(isRegistryName(String(name)) ? [] : ['name']),
    ...(isText(title, 100) ? [] : ['title']),
    ...(isText(description, 100) ? [] : ['description']),
    ...(isText(version, 255) && /^\d+\.\d+\.\d+/.test(String(version)) ? [] : ['version']),
    ...(first?.['registryType'] === 'npm' && first['identifier'] !== '' ? [] : ['package']),
    ...(JSON.stringify(first?.['transport']) === '{"type":"stdio"}' ? [] : ['transport']),
    ...(first?.['environmentVariables'] as { name: string; format: string }[])
      .filter((variable) => !/^\w+$/.test(variable.name) || variable.format !== 'string')
      .map((variable) => variable.name),
  ];
}

test.each(Object.entries(models))(
  '%s: one version and one name everywhere, as the registry takes them',
  async (_, model) => {
    const files = await emit(model);
    const entry = readJson(files, 'server.json');
    expect(registryComplaints(entry)).toEqual([]);
    expect(readJson(files, 'package.json')['mcpName']).toBe(entry['name']);
    const { package: version, packages, ...others } = versionsOf(files);
    expect(packages).toEqual([version]);
    expect([others.registry, others.manifest]).toEqual([version, version]);
  },
);

test('a placeholder of the registry is in package.json only beside server.json', async () => {
  const nameIn = async (options: Parameters<typeof emit>[1]): Promise<unknown> =>
    readJson(await emit(petstore, options), 'package.json')['mcpName'];
  expect(await nameIn({ publish: ['npm'] })).toBeUndefined();
  expect(await nameIn({ publish: ['registry'] })).toMatch(/^io\.github\.owner\//);
  expect(await nameIn({ publish: [], published: { mcpName: 'io.github.ada/pets' } })).toBe(
    'io.github.ada/pets',
  );
});

test.each([
  { given: 'io.github.ada/pets-mcp', want: true },
  { given: 'pets', want: false },
  { given: 'io.github.ada/pets/mcp', want: false },
  { given: 'io.github.ada/-pets', want: false },
  { given: `io.github.ada/${'a'.repeat(200)}`, want: false },
])('$given is a name in the registry: $want', ({ given, want }) => {
  expect(isRegistryName(given)).toBe(want);
});

test('secrets are marked wherever variables are listed', async () => {
  const files = await emit(petstore);
  const [{ environmentVariables = [] } = {}] = readJson(files, 'server.json')['packages'] as {
    environmentVariables?: { name: string; isSecret: boolean }[];
  }[];
  const settings = readJson(files, 'manifest.json')['user_config'] as Record<string, { sensitive: boolean }>;
  expect(environmentVariables.find(({ name }) => name === 'API_KEY_KEY')?.isSecret).toBe(true);
  expect(settings['api_key_key']?.sensitive).toBe(true);
  expect(settings['api_base_url']?.sensitive).toBe(false);
});

test('compose hands variables on by name, and holds no value', async () => {
  const { services } = load(contentsOf(await emit(petstore), 'compose.yaml')) as {
    services: Record<string, { environment: string[]; ports: string[]; image: string }>;
  };
  expect(Object.keys(services)).toEqual(['petstore-mcp']);
  expect(services['petstore-mcp']).toMatchObject({ image: 'petstore-mcp', ports: ['127.0.0.1:3000:3000'] });
  expect(services['petstore-mcp']?.environment).toContain('API_KEY_KEY');
  for (const name of services['petstore-mcp']?.environment ?? []) expect(name).toMatch(/^\w+$/);
  expect(load(contentsOf(await emit(models.empty), 'compose.yaml'))).toHaveProperty('services.nothing');
  const guarded = load(contentsOf(await emit(petstore, { auth: {} }), 'compose.yaml')) as typeof services;
  expect(JSON.stringify(guarded)).toContain('"MCP_AUTH_ISSUER"');
});

test('the image ends without a shell and without root, and installs what the lock says, where there is one', async () => {
  const lines = contentsOf(await emit(petstore), 'Dockerfile').split('\n');
  const last = lines.findLastIndex((line) => line.startsWith('FROM '));
  const final = lines.slice(last).join('\n');
  for (const line of lines.filter((each) => each.startsWith('FROM ')))
    expect(line).toMatch(/^FROM [\w./-]+:[\w.-]+@sha256:[\da-f]{64}(?: |$)/);
  expect(final).toMatch(/^FROM gcr\.io\/distroless\/nodejs\d+-debian\d+:nonroot@sha256:[\da-f]{64}\n/);
  expect(final).toContain('\nUSER nonroot\n');
  expect(final).not.toMatch(/^RUN /m);
  for (const instruction of ['HEALTHCHECK --interval=30s --timeout=5s CMD', 'ENTRYPOINT', 'CMD'])
    expect(final).toContain(`\n${instruction} ["`);
  expect(lines.slice(0, last).join('\n')).toContain(
    '\nCOPY package.json package-lock.json* ./\n' +
      'RUN if [ -f package-lock.json ]; then npm ci --omit=dev; else npm install --omit=dev --no-package-lock; fi\n',
  );
});

/** Targets of links in Markdown. */
const linksOf = (readme: string) =>
  [...readme.matchAll(/\[[^\]]*[^\]\\]\]\((\S+?)\)/g)].map(([, target = '']) => target);

test.each([
  { model: petstore, name: 'petstore-mcp' },
  { model: { ...models.empty, name: '@scope/nothing' }, name: '@scope/nothing' },
])('the links of $name install the package on npm', async ({ model, name }) => {
  const links = linksOf(contentsOf(await emit(model), 'README.md'));
  const targetOf = (start: string) => links.find((target) => target.startsWith(start)) ?? '';
  const page = new URL(targetOf('https://insiders.vscode.dev/redirect?'));
  const [, code = ''] = /^vscode:mcp\/install\?(.*)$/.exec(page.searchParams.get('url') ?? '') ?? [];
  expect(JSON.parse(decodeURIComponent(code))).toMatchObject({ name, command: 'npx', args: ['-y', name] });
  const { searchParams } = new URL(targetOf('https://cursor.com/en/install-mcp?'));
  expect(searchParams.get('name')).toBe(name);
  const config = Buffer.from(searchParams.get('config') ?? '', 'base64').toString();
  expect(JSON.parse(config)).toMatchObject({ command: 'npx', args: ['-y', name] });
});

test('the words of a hostile document reach no link that installs', async () => {
  const readme = contentsOf(await emit(hostile), 'README.md');
  const row = readme.split('\n').find((line) => line.startsWith('[Install in VS Code]')) ?? '';
  const targets = linksOf(row);
  expect(targets).toHaveLength(2);
  for (const target of targets) expect(target).toMatch(/^https:\/\/[\w.~:/?&=%@-]+$/);
});

interface Step {
  uses?: string;
  run?: string;
  if?: string;
}

test('the workflow pins what it uses, keeps no token, and checks before it publishes', async () => {
  const text = contentsOf(await emit(petstore), '.github/workflows/publish.yml');
  const { permissions, jobs } = load(text) as {
    permissions: object;
    jobs: Record<'build' | 'publish', { needs?: string; permissions: object; steps: Step[] }>;
  };
  expect(permissions).toEqual({});
  const { build, publish } = jobs;
  expect([Object.keys(jobs), build.permissions]).toEqual([['build', 'publish'], { contents: 'read' }]);
  expect([publish.needs, publish.permissions]).toEqual(['build', { 'id-token': 'write' }]);
  const { steps } = build;
  for (const { uses } of [...steps, ...publish.steps])
    if (uses !== undefined) expect(uses).toMatch(/^[\w-]+\/[\w-]+@[\da-f]{40}$/);
  expect(text).not.toMatch(/secrets\.|NODE_AUTH_TOKEN|\$\{\{/);
  const commands = steps.flatMap(({ run }) => (run === undefined ? [] : [run]));
  expect(commands.slice(0, 4)).toEqual([
    'npm ci',
    'npx --no-install mcpgen check',
    'npm run build',
    'npm test',
  ]);
  expect(commands.at(-1)).toBe('npm pack --pack-destination packed');
  // No code of the repository runs where there is the right to publish.
  expect(publish.steps.flatMap(({ run }) => (run === undefined ? [] : [run]))).toEqual([
    'npm publish ./packed/*.tgz --provenance --access public --ignore-scripts',
  ]);
  expect(publish.steps.some(({ uses = '' }) => uses.startsWith('actions/checkout'))).toBe(false);
});

test('the workflow that compiles again runs code with the right to read alone, and only git with the right to write', async () => {
  const text = contentsOf(await emit(petstore), '.github/workflows/regenerate.yml');
  const { permissions, jobs } = load(text) as {
    permissions: object;
    jobs: Record<'generate' | 'propose', { needs?: string; if?: string; permissions: object; steps: Step[] }>;
  };
  const { generate, propose } = jobs;
  expect([permissions, generate.permissions]).toEqual([{}, { contents: 'read' }]);
  expect(propose.permissions).toEqual({ contents: 'write', 'pull-requests': 'write' });
  expect([propose.needs, propose.if]).toEqual(['generate', "needs.generate.outputs.changed != ''"]);
  for (const { uses } of [...generate.steps, ...propose.steps])
    if (uses !== undefined) expect(uses).toMatch(/^[\w-]+\/[\w-]+@[\da-f]{40}$/);
  const commands = generate.steps.flatMap(({ run = [] }) => run);
  expect(commands.slice(0, 2)).toEqual(['npm ci', 'npx --no mcpgen generate']);
  expect(
    propose.steps.flatMap(({ run = '' }) => run.match(/^\s*\w+/gm) ?? []).map((word) => word.trim()),
  ).toEqual(expect.not.arrayContaining(['npm', 'npx', 'node']));
  // Expressions within a command would make a shell run what they hold.
  for (const { run = '' } of [...generate.steps, ...propose.steps]) expect(run).not.toContain('${{');
});
