// Packages of the user's own workspace, which `node_modules` links to.
import { mkdir, rm, symlink } from 'node:fs/promises';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { DiagnosticCollector } from '../../../src/diagnostics/collector.ts';
import { readTypeScript } from '../../../src/frontends/typescript/index.ts';
import { folderOf } from './compile-files.ts';

const TOOL = `import { shared } from '@own/shared';
import { plain } from '@own/shared/plain';

/** @tool */
export const tool = (): string => shared(plain);
`;

interface Row {
  what: string;
  manifest: object;
  files: Record<string, string>;
  carried: string[];
  dependencies: Record<string, string>;
}

const ROWS: Row[] = [
  {
    what: 'TypeScript is carried as code of the user, with the packages that it imports',
    manifest: { exports: { '.': './src/index.ts', './plain': './src/plain.ts' } },
    files: {
      'src/index.ts':
        "import far from 'far';\nimport { two } from './two.ts';\nexport const shared = (a: string): string => a + two + String(far);\n",
      'src/two.ts': "export const two = '2';\n",
      'src/plain.ts': "export const plain = 'plain';\n",
      'node_modules/far/package.json': '{ "name": "far", "version": "3.2.1", "types": "index.d.ts" }',
      'node_modules/far/index.d.ts': 'declare const far: string;\nexport default far;\n',
    },
    carried: [
      'src/app/packages/shared/src/two.ts',
      'src/app/packages/shared/src/index.ts',
      'src/app/packages/shared/src/plain.ts',
      'src/app/server/tool.ts',
    ],
    dependencies: { far: '^3.0.0' },
  },
  {
    what: 'what is built is a package like any other',
    manifest: {
      exports: {
        '.': { types: './dist/index.d.ts', default: './dist/index.js' },
        './plain': { types: './dist/plain.d.ts', default: './dist/plain.js' },
      },
    },
    files: {
      'dist/index.d.ts': 'export declare const shared: (a: string) => string;\n',
      'dist/index.js': 'export const shared = (a) => a;\n',
      'dist/plain.d.ts': 'export declare const plain: string;\n',
      'dist/plain.js': "export const plain = 'plain';\n",
    },
    carried: ['src/app/tool.ts'],
    dependencies: { '@own/shared': '^1.4.2' },
  },
];

test.each(ROWS)('$what', async ({ manifest, files, carried, dependencies }) => {
  const shared = { name: '@own/shared', version: '1.4.2', type: 'module', dependencies: { far: '^3.0.0' } };
  const folder = await folderOf({
    'package.json': '{ "name": "whole", "private": true, "workspaces": ["packages/*", "server"] }',
    'packages/shared/package.json': JSON.stringify({ ...shared, ...manifest }),
    ...Object.fromEntries(
      Object.entries(files).map(([name, text]): [string, string] => [`packages/shared/${name}`, text]),
    ),
    'server/package.json':
      '{ "name": "server", "version": "1.0.0", "type": "module", "dependencies": { "@own/shared": "workspace:^" } }',
    'server/tool.ts': TOOL,
  });
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await mkdir(path.join(folder, 'server/node_modules/@own'), { recursive: true });
  await symlink('../../../packages/shared', path.join(folder, 'server/node_modules/@own/shared'));
  const diagnostics = new DiagnosticCollector();
  const app = readTypeScript({ groups: [['server/tool.ts']], cwd: folder }, diagnostics).app();
  expect(diagnostics.found).toEqual([]);
  expect(app.files.map(({ path: name }) => name)).toEqual(carried);
  expect(app.dependencies).toEqual(dependencies);
});
