// Settings that a tsconfig.json leaves open are those of the user's own TypeScript, so mcpgen reports what their `tsc` reports.
import { expect, test } from 'vitest';
import { compileFiles, toolNamed } from './compile-files.ts';

const CODE = `/** @tool */
export function f(a): string {
  const b: string = null;
  return Buffer.from(String(a) + b).toString('hex');
}
`;

const UNTYPED = 't.ts:2:19 error untyped-value';
const STRICT = [
  't.ts:2:19 error typescript-error',
  UNTYPED,
  't.ts:3:9 error typescript-error',
  't.ts:4:10 error typescript-error',
];

function project(installed: string | undefined, options: object, code = CODE): Record<string, string> {
  const compilerOptions = { module: 'nodenext', target: 'es2023', ...options };
  const manifest = JSON.stringify({ name: 'typescript', version: installed });
  return {
    'own/package.json': '{ "name": "own", "type": "module" }',
    'own/tsconfig.json': JSON.stringify({ compilerOptions }),
    'own/t.ts': code,
    ...(installed === undefined ? {} : { 'own/node_modules/typescript/package.json': manifest }),
  };
}

test.each([
  { installed: '5.9.3', options: {}, want: [UNTYPED] },
  { installed: '6.0.2', options: {}, want: STRICT },
  { installed: undefined, options: {}, want: STRICT },
  { installed: '5.9.3', options: { strict: true, types: [] }, want: STRICT },
  { installed: '6.0.2', options: { strict: false, types: ['node'] }, want: [UNTYPED] },
])('TypeScript $installed, $options', async ({ installed, options, want }) => {
  const { problems } = await compileFiles(project(installed, options), ['own/t.ts']);
  expect(problems).toEqual(want.map((each) => `own/${each}`));
});

const FINE = '/** @tool */\nexport const f = (a: string): string => a;\n';
const ignored = (option: string): string =>
  `warning tsconfig-option-unknown: own/tsconfig.json sets \`${option}\` in a way that TypeScript 6.0, with which mcpgen reads the code, does not know, so it is ignored.`;

test.each([
  {
    installed: '7.1.0',
    options: { target: 'es2026', lib: ['es2026', 'es2023'], module: 'node26' },
    want: [ignored('target'), ignored('lib'), ignored('module')],
  },
  { installed: '7.1.0', options: { ignoreDeprecations: '7.0' }, want: [] },
  // Removed options of older versions.
  {
    installed: '5.4.5',
    options: { target: 'es5', module: 'amd', moduleResolution: 'classic', baseUrl: '.', charset: 'utf8' },
    want: [],
  },
  {
    installed: '6.0.2',
    options: { checkers: 2 },
    want: [ignored('checkers')],
  },
  {
    installed: '7.1.0',
    options: { strict: 'yes' },
    want: [
      "error tsconfig-unusable: own/tsconfig.json can't be used: Compiler option 'strict' requires a value of type boolean.",
    ],
  },
])('options of TypeScript $installed: $options', async ({ installed, options, want }) => {
  const { messages } = await compileFiles(project(installed, options, FINE), ['own/t.ts']);
  expect(messages.toSorted()).toEqual(want.toSorted());
});

const NEWER_SYNTAX = `${FINE}import source w from './w.wasm';\nexport const made = w;\n`;
const OLDER_SYNTAX = `${FINE}module M {\n  export const x = 1;\n}\nexport const y = M.x;\n`;

test.each([
  { installed: '7.1.0', code: NEWER_SYNTAX, hint: 'and your project has 7.1.0' },
  { installed: '5.4.5', code: OLDER_SYNTAX, hint: 'and your project has 5.4.5' },
  { installed: '6.0.3', code: OLDER_SYNTAX, hint: '`npx tsc --noEmit` reports the same' },
])('code that only TypeScript $installed accepts', async ({ installed, code, hint }) => {
  const { problems, hints } = await compileFiles(project(installed, {}, code), ['own/t.ts']);
  expect(problems[0]).toMatch(/^own\/t\.ts:3:\d+ error typescript-error$/);
  expect(hints[0]).toContain(hint);
});

test('a namespace that TypeScript 5.4 lets code call, and Node does not', async () => {
  const options = { module: 'commonjs', moduleResolution: 'node10', esModuleInterop: false };
  const code = `import * as callable from 'callable';\n/** @tool */\nexport const f = (a: number): number => callable(a);\n`;
  const { messages } = await compileFiles(
    {
      ...project('5.4.5', options, code),
      'own/package.json': '{ "name": "own", "dependencies": { "callable": "1.0.0" } }',
      'own/node_modules/callable/package.json': '{ "name": "callable", "version": "1.0.0" }',
      'own/node_modules/callable/index.js': 'module.exports = (a) => a + 1;',
      'own/node_modules/callable/index.d.ts':
        'declare function callable(a: number): number;\ndeclare namespace callable {}\nexport = callable;',
    },
    ['own/t.ts'],
  );
  expect(messages).toEqual([
    expect.stringMatching(/^own\/t\.ts:3:41 error typescript-error: .*not callable/),
  ]);
});

const INTERSECTION = `interface Customer { id: number; name: string; city: string }
/** @tool */
export const f = (a: { id: number } & Partial<Omit<Customer, 'id'>>): number => a.id;
`;

test.each([true, false])('stableTypeOrdering: %s reads the same schema', async (stableTypeOrdering) => {
  const read = await compileFiles(project('6.0.3', { stableTypeOrdering }, INTERSECTION), ['own/t.ts']);
  expect(Object.keys(toolNamed('f', read).inputSchema.properties ?? {})).toEqual(['id', 'name', 'city']);
});
