/** A petstore: what it weighs, that it compiles, and that its own tests hold. */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { emitProject, type GeneratedFile } from '../../src/emit/index.ts';
import { compile } from '../../src/index.ts';
import { placeProject, removeProject } from '../emit/render-project.ts';

const tsc = fileURLToPath(new URL('../../node_modules/typescript-7/bin/tsc', import.meta.url));
const source = fileURLToPath(new URL('../../fixtures/petstore.yaml', import.meta.url));
let files: GeneratedFile[] = [];
let project = '';

beforeAll(async () => {
  const { model } = await compile({ source });
  if (model === undefined) throw new Error('The petstore does not compile.');
  files = await emitProject(model, { source, compilerVersion: '9.9.9', config: '{}\n' });
  project = placeProject(files);
});
afterAll(() => removeProject(project));

const run = (args: string[]) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: project, encoding: 'utf8' });
  return { status, output: stdout + stderr };
};

test('it is small enough to be read', () => {
  const committed = files.filter(({ ownership }) => ownership !== 'built');
  const linesOf = (path: RegExp): number =>
    committed
      .filter((file) => path.test(file.path))
      .reduce((sum, { contents }) => sum + contents.split('\n').length - 1, 0);
  expect(committed.length).toBeLessThanOrEqual(42);
  expect(committed.filter(({ path }) => /^src\/runtime\/.*\.ts$/.test(path)).length).toBeLessThanOrEqual(22);
  expect(linesOf(/^\.env\.example$/)).toBeLessThanOrEqual(40);
  expect(linesOf(/^README\.md$/)).toBeLessThanOrEqual(90);
  const { scripts } = JSON.parse(files.find(({ path }) => path === 'package.json')?.contents ?? '') as {
    scripts: Record<string, string>;
  };
  for (const script of Object.values(scripts)) expect(script.length).toBeLessThanOrEqual(100);
});

test('its tests hold as it is emitted, and after its build', () => {
  const tests = ['--test', 'test/server.test.js', 'test/wire.test.js'];
  const emitted = run(tests);
  expect(emitted.status, emitted.output).toBe(0);
  expect(emitted.output).toMatch(/^# pass 15$/m);
  const build = run([tsc]);
  expect(build.output).toBe('');
  const built = run(tests);
  expect(built.status, built.output).toBe(0);
});

test('a project for Kubernetes is on the core, with Redis and its manifest', async () => {
  const { model } = await compile({ source });
  if (model === undefined) throw new Error('The petstore does not compile.');
  const options = { source, compilerVersion: '9.9.9', config: '{}\n', publish: ['kubernetes' as const] };
  const files = new Map(
    (await emitProject(model, options)).map(({ path, contents }) => [path, String(contents)]),
  );
  expect([...files.keys()]).toContain('src/runtime/features/redis/index.ts');
  const manifest = files.get('deploy/kubernetes.yaml') ?? '';
  const [settings = '', pods = ''] = manifest.split('kind: Deployment');
  expect(settings).toMatch(/^ {2}MCP_NODES: '2'$/m);
  expect(settings).not.toMatch(/MCP_STATE_SECRET:|MCP_REDIS_URL:|API_KEY/);
  for (const secret of ['MCP_STATE_SECRET', 'MCP_REDIS_URL', 'API_KEY_SHOPKEY'])
    expect(pods).toContain(`key: '${secret}'`);
  expect(files.get('package.json')).toContain('"@redis/client"');
});
