/** Emitted projects can be published: independent judges accept them, and they start where they were installed. `npm run e2e:publish` does more. */
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { judgeProject } from '../../scripts/lib/publish/judge-project.mjs';
import { startHttp } from './support/clients.ts';
import { mcpgen, node } from './support/command.ts';
import { compileFixture, targetsWithoutPackages, temporaryFolder } from './support/project.ts';

const slow = { timeout: 120_000 };
let folder: string;

beforeAll(async () => {
  folder = await temporaryFolder();
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test('a project of an API is published as it was written', slow, async () => {
  const project = await compileFixture('petstore.yaml', folder, 'petstore-mcp');
  await writeFile(path.join(project, '.env'), 'API_KEY_SHOPKEY=secret\n');
  await writeFile(path.join(project, 'dist/.env'), 'API_KEY_SHOPKEY=secret\n');
  await writeFile(path.join(project, 'dist/handlers/index.test.js'), '// A test of the user.\n');
  expect(await judgeProject(project, path.join(folder, 'petstore-made'), { offline: true })).toEqual([]);
});

test('the health check of the image tells a server that runs from one that does not', slow, async () => {
  const project = await compileFixture('petstore.yaml', folder, 'healthy');
  const recipe = await readFile(path.join(project, 'Dockerfile'), 'utf8');
  const [, words = ''] = /^HEALTHCHECK .*CMD (\[.*\])$/m.exec(recipe) ?? [];
  const ask = async (url: string) => {
    const [, ...args] = JSON.parse(words.replace('http://127.0.0.1:3000', url)) as string[];
    return (await node(args)).code;
  };
  expect(await ask(await startHttp(project))).toBe(0);
  // A port that fetch takes, and that nobody listens on.
  expect(await ask('http://127.0.0.1:2')).toBe(1);
});

test('so is one of functions', slow, async () => {
  const code = path.join(folder, 'code');
  await mkdir(code);
  await writeFile(
    path.join(code, 'package.json'),
    '{ "name": "@ada/hello", "version": "0.3.0", "type": "module" }',
  );
  await writeFile(
    path.join(code, 'tools.ts'),
    '/** Greets. @tool */\nexport const hi = (): string => "hi";\n',
  );
  const targets = [...targetsWithoutPackages, '--feature', 'mock'];
  const compiled = await mcpgen(['ts', 'tools.ts', '-o', 'out', ...targets], { cwd: code });
  expect(compiled.code, compiled.stderr).toBe(0);
  expect(await judgeProject(path.join(code, 'out'), path.join(folder, 'made'), { offline: true })).toEqual(
    [],
  );
});

test(
  'what must not be published is a complaint, and so is a version that is not everywhere',
  slow,
  async () => {
    const project = await compileFixture('petstore.yaml', folder, 'spoilt');
    const manifest = JSON.parse(await readFile(path.join(project, 'package.json'), 'utf8')) as object;
    const spoilt = { ...manifest, files: ['dist', 'src'], bin: { spoilt: 'dist/none.js' } };
    await writeFile(path.join(project, 'package.json'), JSON.stringify(spoilt));
    const server = await readFile(path.join(project, 'server.json'), 'utf8');
    await writeFile(path.join(project, 'server.json'), server.replaceAll('"1.4.0"', '"1.3.0"'));
    const words = (await judgeProject(project, path.join(folder, 'spoilt-made'), { offline: true })).join(
      '\n',
    );
    for (const word of ['1.3.0 is not 1.4.0', 'src/main.ts would be published', 'cli.js', 'npx'])
      expect(words).toContain(word);
  },
);
