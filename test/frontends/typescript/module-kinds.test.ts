// What only a CommonJS module has is an error in an ES module.
import { expect, test } from 'vitest';
import { compileFiles } from './compile-files.ts';

const TSCONFIG =
  '{ "compilerOptions": { "module": "nodenext", "target": "es2023", "strict": true, "types": ["node"] } }';

test.each<{ given: string; files?: Record<string, string>; want: string[] }>([
  {
    given: 'export const tool = () => __dirname + __filename + __dirname;',
    want: ['tool.ts:2:27 error name-of-commonjs', 'tool.ts:2:39 error name-of-commonjs'],
  },
  {
    given: "export const tool = (): string => require('node:path').sep;",
    want: ['tool.ts:2:35 error name-of-commonjs'],
  },
  {
    given: "const { join } = require('node:path');\nexport const tool = (): string => join('a');",
    files: {
      'package.json': '{ "name": "open" }',
      'tsconfig.json': TSCONFIG.replace('nodenext', 'preserve'),
    },
    want: [],
  },
  {
    given: 'export const tool = () => __dirname + import.meta.url;',
    files: {
      'package.json': '{ "name": "open" }',
      'tsconfig.json': TSCONFIG.replace('nodenext', 'preserve'),
    },
    want: ['tool.ts:2:27 error name-of-commonjs'],
  },
  {
    given: "export const tool = () => (typeof __dirname === 'string' ? __dirname : import.meta.dirname);",
    want: [],
  },
  {
    given:
      "import { createRequire } from 'node:module';\nconst require = createRequire(import.meta.url);\nexport const tool = (): string => require('node:path').sep;",
    want: [],
  },
  { given: 'const __dirname = import.meta.dirname;\nexport const tool = () => __dirname;', want: [] },
  { given: 'export const tool = (module: string) => module;', want: [] },
])('an ES module with what CommonJS has: $given', async ({ given, files, want }) => {
  // A tag belongs to the statement behind it.
  const at = given.lastIndexOf('export');
  const text = `// Given:\n${given.slice(0, at)}/** @tool */ ${given.slice(at)}\n`;
  const { problems } = await compileFiles({ 'tsconfig.json': TSCONFIG, ...files, 'tool.ts': text });
  const shift = '/** @tool */ '.length;
  const wanted = want.map((each) => each.replace(/:(\d+) /, (_all, column) => `:${Number(column) + shift} `));
  expect(problems.filter((each) => !each.includes(' info '))).toEqual(wanted);
});
