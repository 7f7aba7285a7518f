// Settings that a tsconfig.json leaves open are those of the user's own TypeScript, so mcpgen reports what their `tsc` reports.
import { expect, test } from 'vitest';
import { compileFiles } from './compile-files.ts';

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

test.each([
  { installed: '5.9.3', options: {}, want: [UNTYPED] },
  { installed: '6.0.2', options: {}, want: STRICT },
  { installed: undefined, options: {}, want: STRICT },
  { installed: '5.9.3', options: { strict: true, types: [] }, want: STRICT },
  { installed: '6.0.2', options: { strict: false, types: ['node'] }, want: [UNTYPED] },
])('TypeScript $installed, $options', async ({ installed, options, want }) => {
  const compilerOptions = { module: 'nodenext', target: 'es2023', ...options };
  const { problems } = await compileFiles(
    {
      'own/package.json': '{ "name": "own", "type": "module" }',
      'own/tsconfig.json': JSON.stringify({ compilerOptions }),
      'own/t.ts': CODE,
      ...(installed === undefined
        ? {}
        : {
            'own/node_modules/typescript/package.json': JSON.stringify({
              name: 'typescript',
              version: installed,
            }),
          }),
    },
    ['own/t.ts'],
  );
  expect(problems).toEqual(want.map((each) => `own/${each}`));
});
