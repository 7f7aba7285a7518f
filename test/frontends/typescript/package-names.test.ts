// Imported packages are found at run time, or reported where they are written.
import { expect, test } from 'vitest';
import { compileFiles } from './compile-files.ts';

const TYPES =
  'export declare const one: string;\nexport declare const two: string;\nexport interface Shape { a: string }\ndeclare const all: { one: string };\nexport default all;\n';

const PACKAGES = {
  'package.json':
    '{ "name": "given", "version": "1.0.0", "type": "module", "dependencies": { "hid": "1", "seen": "1", "both": "1", "raw": "1", "typed": "1" } }',
  'sub/node_modules/hid/package.json': '{ "name": "hid", "version": "1.0.0", "types": "index.d.ts" }',
  'sub/node_modules/hid/index.js':
    "exports.two = '2';\nfor (const name of ['one']) exports[name] = name;\nthrow new Error('it was run');\n",
  'sub/node_modules/hid/index.d.ts': TYPES,
  'sub/node_modules/hid/deep.js': "exports.one = '1';\n",
  'sub/node_modules/hid/deep.d.ts': TYPES,
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
};

test.each<{ given: string; want: string[] }>([
  { given: "import { one } from 'seen';", want: [] },
  { given: "import { one } from '#own';", want: [] },
  { given: "import { one } from '@mine';", want: [] },
  { given: "import { one } from 'both';", want: [] },
  { given: "import { one } from 'hid/deep.js';", want: [] },
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
