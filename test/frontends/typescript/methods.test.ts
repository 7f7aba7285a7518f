// Methods as bindings: which export has them, and whose instance they are called on.
import { beforeAll, expect, test } from 'vitest';
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

test('the types of what is inherited are those of the class that has it', () => {
  const { inputSchema } = toolNamed('inherited', compiled);
  expect(inputSchema.properties).toEqual({ values: { type: 'array', items: { type: 'string' } } });
});
