// CommonJS and ES modules of the user that load each other: what Node can't load is told of where it is written.
import { expect, test } from 'vitest';
import { compileFiles } from './compile-files.ts';

const TOOL = '/** @tool */\nexport const tool = (): string => common();\nexport const own = "";\n';
const TSCONFIG =
  '{ "compilerOptions": { "module": "nodenext", "target": "es2023", "strict": true, "types": ["node"] } }';

test.each<{ what: string; files: Record<string, string>; want: string[] }>([
  {
    what: 'each loads the other',
    files: {
      'tool.ts': `import { common } from './common.cjs';\n${TOOL}`,
      'common.cts': "import tool = require('./tool.js');\nexport const common = (): string => tool.own;\n",
    },
    want: ['common.cts:1:23 error cycle-of-module-kinds'],
  },
  {
    what: 'over a third file',
    files: {
      'tool.ts': `import { common } from './between.js';\n${TOOL}`,
      'between.ts': "export * from './common.cjs';\n",
      'common.cts': "import { own } from './tool.js';\nexport const common = (): string => own;\n",
    },
    want: ['common.cts:1:21 error cycle-of-module-kinds'],
  },
  {
    what: 'one alone loads the other',
    files: {
      'tool.ts': `import { common } from './common.cjs';\n${TOOL}`,
      'common.cts': "import { own } from './own.js';\nexport const common = (): string => own;\n",
      'own.ts': "export const own = '';\nexport const later = async () => await own;\n",
    },
    want: [],
  },
  {
    what: 'types lead back',
    files: {
      'tool.ts': `import { common } from './common.cjs';\n${TOOL}export type Own = string;\n`,
      'common.cts': "import type { Own } from './tool.js';\nexport const common = (): Own => '';\n",
    },
    want: [],
  },
  {
    what: 'a function loads it, when it is called',
    files: {
      'tool.ts': `import { common } from './common.cjs';\n${TOOL}`,
      'common.cts':
        "export const common = (): string => (require('./tool.js') as typeof import('./tool.js')).own;\nexport const later = () => import('./tool.js');\n",
    },
    want: [],
  },
  {
    what: 'both are CommonJS',
    files: {
      'tool.ts': `import { common } from './common.cjs';\n${TOOL}`,
      'common.cts':
        "import { other } from './other.cjs';\nexport const common = (): string => other;\nexport const one = '';\n",
      'other.cts': "import { one } from './common.cjs';\nexport const other = one;\n",
    },
    want: [],
  },
  {
    what: 'what is loaded waits',
    files: {
      'tool.ts': `import { common } from './common.cjs';\n${TOOL}`,
      'common.cts': "import { own } from './own.js';\nexport const common = (): string => own;\n",
      'own.ts': "export { own } from './deep.js';\n",
      'deep.ts': "export const own = await Promise.resolve('');\n",
    },
    want: ['common.cts:1:21 error required-module-waits'],
  },
])('$what', async ({ files, want }) => {
  const { problems } = await compileFiles({ 'tsconfig.json': TSCONFIG, ...files }, ['tool.ts']);
  expect(problems.filter((each) => !each.includes(' info '))).toEqual(want);
});

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
