// Imported packages are found at run time, or reported where they are written.
import { expect, test } from 'vitest';
import { compileFiles } from './compile-files.ts';

const TYPES =
  'export declare const one: string;\nexport declare const two: string;\nexport interface Shape { a: string }\ndeclare const all: { one: string };\nexport default all;\n';

const PACKAGES = {
  'package.json':
    '{ "name": "given", "version": "1.0.0", "type": "module", "dependencies": { "hid": "1", "seen": "1", "both": "1", "raw": "1", "typed": "1", "made": "1", "mended": "1" } }',
  'sub/node_modules/hid/package.json': '{ "name": "hid", "version": "1.0.0", "types": "index.d.ts" }',
  'sub/node_modules/hid/index.js':
    "exports.two = '2';\nfor (const name of ['one']) exports[name] = name;\nthrow new Error('it was run');\n",
  'sub/node_modules/hid/index.d.ts': TYPES,
  'sub/node_modules/hid/deep.js': "exports.one = '1';\n",
  'sub/node_modules/hid/deep.d.ts': TYPES,
  'sub/node_modules/made/package.json': '{ "name": "made", "version": "1.0.0", "types": "index.d.ts" }',
  'sub/node_modules/made/index.js':
    "Object.defineProperty(exports, '__esModule', { value: true });\nexports.one = '1';\nexports.default = exports;\n",
  'sub/node_modules/made/index.d.ts': TYPES,
  'sub/node_modules/mended/package.json': '{ "name": "mended", "version": "1.0.0", "types": "index.d.ts" }',
  'sub/node_modules/mended/index.js':
    "Object.defineProperty(exports, '__esModule', { value: true });\nexports.default = { one: '1' };\nmodule.exports = exports.default;\n",
  'sub/node_modules/mended/index.d.ts': TYPES,
  'sub/package.json': '{ "type": "module", "imports": { "#seen": "seen", "#own": "./own.ts" } }',
  'sub/own.ts': "export const one = '1';\n",
  'sub/node_modules/seen/package.json': '{ "name": "seen", "version": "1.0.0", "types": "index.d.ts" }',
  'sub/node_modules/seen/index.js': "module.exports = require('./inner');\n",
  'sub/node_modules/seen/inner.js': "const one = '1';\nmodule.exports = { one };\n",
  'sub/node_modules/seen/index.d.ts': TYPES,
  // Its ES module is what is imported.
  'sub/node_modules/both/package.json':
    '{ "name": "both", "version": "1.0.0", "exports": { "types": "./index.d.ts", "import": "./index.mjs", "require": "./index.js" } }',
  'sub/node_modules/both/index.mjs': "export const one = '1';\n",
  'sub/node_modules/both/index.js': "module.exports = Object.assign({}, { one: '1' });\n",
  'sub/node_modules/both/index.d.ts': TYPES,
  'sub/node_modules/raw/package.json':
    '{ "name": "raw", "version": "1.0.0", "type": "module", "exports": "./index.ts" }',
  'sub/node_modules/raw/index.ts': "export const one = '1';\nexport interface Shape { a: string }\n",
  'sub/node_modules/typed/package.json': '{ "name": "typed", "version": "1.0.0", "types": "index.d.ts" }',
  'sub/node_modules/typed/index.d.ts': TYPES,
};

const HIDDEN = 'error name-hidden-in-package';

test.each<{ given: string; want: string[] }>([
  { given: "import { one } from 'hid';", want: [`sub/t.ts:1:10 ${HIDDEN}`] },
  {
    given: "import { two, one as other } from 'hid';\nconst one = other;",
    want: [`sub/t.ts:1:15 ${HIDDEN}`],
  },
  { given: "export { one } from 'hid';\nconst one = '';", want: [`sub/t.ts:1:10 ${HIDDEN}`] },
  { given: "import * as all from 'hid';\nconst one = all.one + all.two;", want: [`sub/t.ts:2:17 ${HIDDEN}`] },
  { given: "const { one } = await import('hid');", want: [`sub/t.ts:1:9 ${HIDDEN}`] },
  { given: "const one = (await import('hid')).one;", want: [`sub/t.ts:1:35 ${HIDDEN}`] },
  { given: "import { two as one } from 'hid';", want: [] },
  { given: "import all from 'hid';\nconst { one } = all;", want: [] },
  { given: "import { Shape } from 'hid';\nconst { a: one }: Shape = { a: '' };", want: [] },
  { given: "import { one } from 'seen';", want: [] },
  { given: "import { one } from '#own';", want: [] },
  { given: "import { one } from '#seen';", want: ['sub/t.ts:1:21 error alias-of-package'] },
  { given: "import { one } from '@alias';", want: ['sub/t.ts:1:21 error alias-of-package'] },
  { given: "import { one } from '@mine';", want: [] },
  {
    given: "import all from 'made';\nconst { one } = all;",
    want: ['sub/t.ts:1:8 error default-of-commonjs'],
  },
  { given: "import all, { one } from 'mended';\nexport const b = all;", want: [`sub/t.ts:1:15 ${HIDDEN}`] },
  { given: "import { one } from 'made';", want: [] },
  { given: "import { one } from 'both';", want: [] },
  { given: "import { one } from 'hid/deep.js';", want: [] },
  { given: "import { one } from 'hid/deep';", want: ['sub/t.ts:1:21 error package-not-loadable'] },
  { given: "import { one } from 'typed';", want: ['sub/t.ts:1:21 error package-not-loadable'] },
  { given: "import { one } from 'raw';", want: ['sub/t.ts:1:21 error package-of-typescript'] },
  { given: "import type { Shape } from 'raw';\nconst { a: one }: Shape = { a: '' };", want: [] },
])('$given', async ({ given, want }) => {
  const { problems } = await compileFiles(
    {
      ...PACKAGES,
      'tsconfig.json':
        '{ "compilerOptions": { "module": "esnext", "moduleResolution": "bundler", "target": "es2023", "strict": true, "paths": { "@alias": ["./sub/node_modules/seen"], "@mine": ["./sub/own.ts"] } } }',
      'sub/t.ts': `${given}\n/** @tool */\nexport const tool = (): string => one;\n`,
    },
    ['sub/t.ts'],
  );
  expect(problems).toEqual(want);
});

test('a file that is a CommonJS module by its name finds them all', async () => {
  const { problems } = await compileFiles(
    {
      ...PACKAGES,
      'sub/t.cts': "import { one } from 'hid';\n/** @tool */\nexport const tool = (): string => one;\n",
    },
    ['sub/t.cts'],
  );
  expect(problems).toEqual([]);
});

test('where TypeScript reads a package as Node does, it says itself what the default export is', async () => {
  const { problems } = await compileFiles(
    {
      ...PACKAGES,
      'tsconfig.json': '{ "compilerOptions": { "module": "nodenext", "target": "es2023", "strict": true } }',
      'sub/t.ts':
        "import all from 'made';\n/** @tool */\nexport const tool = (): string => all.default.one;\n",
    },
    ['sub/t.ts'],
  );
  expect(problems).toEqual([]);
});
