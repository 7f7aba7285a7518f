// `export * as`: which functions of the module are served, and what is said of the rest.
import { expect, test } from 'vitest';
import { type CompiledFiles, compileFiles } from './compile-files.ts';

const lib = `
/** Adds. @tool */
export function add(a: number, b: number): number { return a + b; }
/** @tool */
export default function (): void {}
export class Notes {
  /** @tool */ list(): string[] { return []; }
}
export * as deep from './deep.ts';
export * as self from './lib.ts';
`;
const deep = '/** @tool */\nexport function deepest(): void {}\n';

const NOTES = 'lib.ts:7:7 warning tagged-not-served';
const DEEPEST = 'deep.ts:1:5 warning tagged-not-served';

/** `tool: export.method`, in order. */
function called({ model }: CompiledFiles): string[] {
  return (model?.tools ?? []).map(({ name, binding }) => {
    if (binding.kind !== 'function') throw new Error(`${name} is no function.`);
    const { module, export: from, method } = binding;
    return `${name}: ${module} ${[from, method].filter((each) => each !== undefined).join('.')}`;
  });
}

test('what a class inherits there is told too', async () => {
  const code = `class Base { /** @tool */ go(): void {} }
export class Kid extends Base {}
`;
  const { model, problems } = await compileFiles(
    {
      'a.ts': "export * as kids from './lib.ts';\n/** @tool */\nexport function f(): void {}",
      'lib.ts': code,
    },
    ['a.ts'],
  );
  expect(model?.tools.map(({ name }) => name)).toEqual(['f']);
  expect(problems).toEqual(['lib.ts:1:18 warning tagged-not-served']);
});

test.each<{ given: string; taken?: string[]; want: string[]; problems: string[] }>([
  {
    given: "export * as math from './lib.ts';",
    want: ['add: app/a.ts math.add', 'lib: app/a.ts math.default'],
    problems: [NOTES, DEEPEST],
  },
  {
    given: "import * as math from './lib.ts';\nexport default math;",
    want: ['add: app/a.ts default.add', 'lib: app/a.ts default.default'],
    problems: [NOTES, DEEPEST],
  },
  {
    given:
      "export * as one from './lib.ts';\nexport * as two from './lib.ts';\nexport { add } from './lib.ts';",
    want: ['add: app/a.ts one.add', 'lib: app/a.ts one.default'],
    problems: [NOTES, DEEPEST],
  },
  {
    given:
      "export * as math from './lib.ts';\nexport { Notes } from './lib.ts';\nexport { deep } from './lib.ts';",
    want: [
      'add: app/a.ts math.add',
      'lib: app/a.ts math.default',
      'deepest: app/a.ts deep.deepest',
      'list: app/a.ts Notes.list',
    ],
    problems: [],
  },
  {
    given: "export * as math from './lib.ts';",
    taken: ['a.ts', 'lib.ts', 'deep.ts'],
    want: [
      'add: app/lib.ts add',
      'lib: app/lib.ts default',
      'list: app/lib.ts Notes.list',
      'deepest: app/deep.ts deepest',
    ],
    problems: [],
  },
])('$given $taken', async ({ given, taken = ['a.ts'], want, problems }) => {
  const compiled = await compileFiles({ 'a.ts': given, 'lib.ts': lib, 'deep.ts': deep }, taken);
  expect(called(compiled).toSorted()).toEqual(want.toSorted());
  expect(compiled.problems.toSorted()).toEqual(problems.toSorted());
});
