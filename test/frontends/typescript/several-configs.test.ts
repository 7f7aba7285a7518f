// One program has one set of compiler options: nothing is taken for files that say otherwise without a word.
import { expect, test } from 'vitest';
import { compileFiles } from './compile-files.ts';

const config = (options: object, rest: object = {}): string =>
  JSON.stringify({ compilerOptions: { module: 'nodenext', strict: true, ...options }, ...rest });

const tool = (name: string): string => `/** @tool */\nexport const ${name} = (): string => '';\n`;

const FILES = { 'a/a.ts': tool('a'), 'a/more.ts': tool('more'), 'b/b.ts': tool('b') };

const told = (other: string, used: string): string =>
  `b/b.ts:1:1 warning several-tsconfigs: b/b.ts has a different configuration (${other}) than the first file (${used}), ` +
  'whose compiler options apply to all.';

test.each<{ what: string; files: Record<string, string>; tsconfig?: string; want: string[] }>([
  { what: 'no configuration', files: {}, want: [] },
  { what: 'one above all', files: { 'tsconfig.json': config({}) }, want: [] },
  {
    what: 'the same in both, put elsewhere',
    files: {
      'a/tsconfig.json': config({ outDir: 'x' }, { include: ['*.ts'] }),
      'b/tsconfig.json': config({ outDir: 'y', rootDir: '.' }),
    },
    want: [],
  },
  {
    what: 'another',
    files: { 'a/tsconfig.json': config({}), 'b/tsconfig.json': config({ strict: false }) },
    want: [told('b/tsconfig.json', 'a/tsconfig.json')],
  },
  {
    what: 'one of one',
    files: { 'b/tsconfig.json': config({ strict: false }) },
    want: [told('b/tsconfig.json', 'no tsconfig.json')],
  },
  {
    what: 'another that is no JSON',
    files: { 'a/tsconfig.json': config({}), 'b/tsconfig.json': '{' },
    want: [told('b/tsconfig.json', 'a/tsconfig.json')],
  },
  {
    what: 'another, and one is named',
    files: { 'a/tsconfig.json': config({}), 'b/tsconfig.json': config({ strict: false }) },
    tsconfig: 'a/tsconfig.json',
    want: [],
  },
])('$what', async ({ files, tsconfig, want }) => {
  const taken = ['a/*.ts', 'b/*.ts'];
  const { messages } = await compileFiles({ ...FILES, ...files }, taken, {
    typescript: { files: taken, ...(tsconfig === undefined ? {} : { tsconfig }) },
  });
  expect(messages).toEqual(want);
});
