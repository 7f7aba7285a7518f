/** Emitted projects can be published: independent judges accept them, and they start where they were installed. `npm run e2e:publish` does more. */
import { readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { judgeProject } from '../../scripts/lib/publish/judge-project.mjs';
import { startHttp } from './support/clients.ts';
import { node } from './support/command.ts';
import { compileFixture, temporaryFolder } from './support/project.ts';

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
