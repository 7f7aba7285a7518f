// Which Node a project says it needs, and by which types of Node it is compiled, where the user's package.json says something too.
import { expect, test } from 'vitest';
import { developmentPackages, nodeEngine } from '../../src/emit/versions.ts';
import type { AppFiles } from '../../src/model/app-files.ts';
import { contentsOf, emit } from './render-project.ts';
import { petstore } from './models.ts';

const OWN = developmentPackages['@types/node'];

const app = (more: Partial<AppFiles>): AppFiles => ({
  root: '/home/me/src',
  files: [],
  dependencies: {},
  devDependencies: {},
  compilerOptions: {},
  ...more,
});

async function packageOf(more: Partial<AppFiles>): Promise<{
  engines: { node: string };
  devDependencies: Record<string, string>;
}> {
  return JSON.parse(contentsOf(await emit(petstore, { app: app(more) }), 'package.json'));
}

test.each<[engines: string[], want: string]>([
  [[], nodeEngine],
  [['>=22.5'], '>=22.5'],
  [['>=18'], nodeEngine],
  [['^22.5.0 || >=24'], '^22.5.0 || >=24'],
  [['22 - 24'], '22 - 24'],
  [['<26 >=22'], '<26 >=22'],
  [['*'], nodeEngine],
  [['lts/*'], nodeEngine],
  [['>=22', '>=24', '>=23'], '>=24'],
])('engines.node %j beside the own becomes %s', async (engines, want) => {
  expect((await packageOf({ engines })).engines.node).toBe(want);
});

test.each<[users: string, want: string]>([
  ['^22.5.0', '^22.5.0'],
  ['*', '*'],
  ['>=18', '>=18'],
  ['^18 || ^24', '^18 || ^24'],
  ['^18.0.0', OWN],
  ['~20.3.1', OWN],
  ['18 - 19', OWN],
])('@types/node %s becomes %s', async (users, want) => {
  const { devDependencies } = await packageOf({ devDependencies: { '@types/node': users } });
  expect(devDependencies).toEqual({ ...developmentPackages, '@types/node': want });
});

test('a project whose code stays elsewhere is compiled without it', async () => {
  const files = await emit(petstore, {
    app: app({ devDependencies: { '@types/node': '^24.0.0' }, engines: ['>=24'] }),
    link: true,
  });
  const { devDependencies, engines } = JSON.parse(contentsOf(files, 'package.json'));
  expect([devDependencies['@types/node'], engines.node]).toEqual([OWN, '>=24']);
});

test('all that is published says the same', async () => {
  const files = await emit(petstore, { app: app({ engines: ['^22.5.0 || >=24'] }) });
  expect(contentsOf(files, 'README.md')).toContain('Node.js `^22.5.0 || >=24`');
  expect(JSON.parse(contentsOf(files, 'manifest.json')).compatibility.runtimes.node).toBe('^22.5.0 || >=24');
  const others = await emit(petstore, { app: app({ engines: ['>=22.5'] }) });
  expect(contentsOf(others, 'README.md')).toContain('Node.js 22.5 or newer');
});
