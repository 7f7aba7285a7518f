// Methods as bindings: which export has them, and whose instance they are called on.
import { beforeAll, describe, expect, test } from 'vitest';
import { type CompiledFiles, compileFiles, toolNamed } from './compile-files.ts';

const file = `
/** @instance session */
abstract class Base<T> {
  /** @tool inherited */
  first(values: T[]): T | undefined { return values[0]; }
  /** @tool implemented */
  abstract label(): string;
  /** @tool shared */
  static shared(): string { return 'shared'; }
}

export class Words extends Base<string> {
  label(): string { return 'words'; }
}

export const tools = {
  /** @tool of_object */
  add: (a: number): number => a,
};

export default class {
  /** @tool of_default */
  run(): void {}
}
`;

let compiled: CompiledFiles;

beforeAll(async () => {
  compiled = await compileFiles({ 'a.ts': file });
});

test.each([
  { tool: 'inherited', want: { export: 'Words', method: 'first', instance: 'session' } },
  { tool: 'implemented', want: { export: 'Words', method: 'label', instance: 'session' } },
  { tool: 'shared', want: { export: 'Words', method: 'shared' } },
  { tool: 'of_object', want: { export: 'tools', method: 'add' } },
  { tool: 'of_default', want: { export: 'default', method: 'run', instance: 'process' } },
])('$tool', ({ tool, want }) => {
  const { binding } = toolNamed(tool, compiled);
  if (binding.kind !== 'function') throw new Error('no function');
  const { export: name, method, instance } = binding;
  expect({ export: name, method, ...(instance === undefined ? {} : { instance }) }).toEqual(want);
});

describe('what overrides a method', () => {
  const row = (base: string, sub: string, more = '') =>
    `class Base {\n/** ${base} */ run(): void {} }\n${more}export class Sub extends ${more === '' ? 'Base' : 'Middle'} {\n/** ${sub} */ override run(): void {} }`;

  test.each<{
    given: string;
    want: { tool: string; scopes: string[]; annotations?: object };
    problems?: string[];
  }>([
    { given: row('@tool @scope a', '@tool other'), want: { tool: 'other', scopes: ['a'] } },
    { given: row('@tool @scope a', '@tool other @scope b'), want: { tool: 'other', scopes: ['b', 'a'] } },
    { given: row('@tool @scope a', '@scope b'), want: { tool: 'run', scopes: ['b', 'a'] } },
    {
      given: row(
        '@tool @scope a',
        '@tool other',
        'class Middle extends Base {\n/** @scope b */ override run(): void {} }\n',
      ),
      want: { tool: 'other', scopes: ['b', 'a'] },
    },
    {
      given: row('@tool @destructive @idempotent', '@tool other @destructive false'),
      want: { tool: 'other', scopes: [], annotations: { destructiveHint: false, idempotentHint: true } },
    },
    {
      given: row('@tool @readOnly', '@readOnly false'),
      want: { tool: 'run', scopes: [], annotations: { readOnlyHint: false } },
    },
    {
      given: row('@tool @scope a', '@task'),
      want: { tool: 'run', scopes: ['a'] },
      problems: ['a.ts:4:5 warning idle-tag'],
    },
  ])('$given', async ({ given, want, problems = [] }) => {
    const compiled = await compileFiles({ 'a.ts': given });
    expect(compiled.problems).toEqual(problems);
    const { scopes, annotations } = toolNamed(want.tool, compiled);
    expect(scopes).toEqual(want.scopes);
    expect(annotations ?? {}).toMatchObject(want.annotations ?? {});
  });

  test('a prompt asks for the scopes of the tool that it overrides, and has no hints', async () => {
    const given = row('@tool @scope a @readOnly', '@prompt other');
    const { model, problems } = await compileFiles({
      'a.ts': given.replaceAll('run(): void {}', "run(): string { return ''; }"),
    });
    expect(problems).toEqual([]);
    expect(model?.prompts).toMatchObject([{ name: 'other', binding: { scopes: ['a'] } }]);
  });
});
