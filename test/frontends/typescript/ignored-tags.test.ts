// Tags that other tools know are not dropped in silence, and faults do not hide each other.
import { describe, expect, test } from 'vitest';
import { compileFiles, toolNamed } from './compile-files.ts';

const tool = (docs: string, type: string): string =>
  `/** Takes it.\n * @tool take\n */\nexport function take(\n  /** ${docs} */ value: ${type},\n  other: string,\n): void { void [value, other]; }`;

test('of two `@param` of a name the first counts', async () => {
  const text = `/**\n * Takes it.\n * @tool take\n * @param days How many. @minimum 1\n * @param days Others. @maximum 3\n */\nexport function take(days: number, other: string): void { void [days, other]; }`;
  const compiled = await compileFiles({ 'a.ts': text });
  expect(compiled.problems).toEqual([]);
  expect(toolNamed('take', compiled).inputSchema.properties?.['days']).toEqual({
    type: 'number',
    description: 'How many.',
    minimum: 1,
  });
});

test('arguments of prompts list their choices and defaults', async () => {
  const text = `/** Plans. @prompt plan */ export function plan(/** When. */ season: 'summer' | 'winter', days = 3, unit: 'c' | 'f' = 'c'): string { return [season, days, unit].join(); }`;
  const { model } = await compileFiles({ 'a.ts': text });
  expect(model?.prompts[0]?.arguments).toEqual([
    { name: 'season', description: 'When. One of: summer, winter.', required: true },
    { name: 'days', description: 'Default: 3.' },
    { name: 'unit', description: 'One of: c, f. Default: c.' },
  ]);
});

describe('budgets', () => {
  test('descriptions of arguments and members are plain text within the budget', async () => {
    const long = 'A word and another. '.repeat(40);
    const text = tool(`<p>The <b>name</b> of it.</p> ${long}`, `{ /** <div>Inner</div> */ a: string }`);
    const { properties = {} } = toolNamed('take', await compileFiles({ 'a.ts': text })).inputSchema;
    const value = properties['value'] as { description: string; properties: Record<string, object> };
    expect(value.description).toMatch(/^The \*?\*?name/);
    expect(value.description).not.toContain('<');
    expect(value.description.length).toBeLessThanOrEqual(300);
    expect(value.properties['a']).toEqual({ type: 'string', description: 'Inner' });
  });

  test('items are described without HTML', async () => {
    const { model } = await compileFiles({
      'a.ts': `/** <p>Takes <code>all</code> of List<T>.</p> @tool take @resource a://b @prompt plan */
export function take(): string { return ''; }`,
    });
    const said = [...(model?.tools ?? []), ...(model?.resources ?? []), ...(model?.prompts ?? [])];
    expect(said.map(({ description }) => description)).toEqual([
      'Takes `all` of List<T>.',
      'Takes `all` of List<T>.',
      'Takes `all` of List<T>.',
    ]);
  });

  test('a tool of very many tokens is a warning', async () => {
    const members = Array.from(
      { length: 400 },
      (_, at) => `/** Member number ${at} of many. */ member${at}?: string`,
    );
    const { problems } = await compileFiles({ 'a.ts': tool('All.', `{ ${members.join('; ')} }`) });
    expect(problems).toEqual(['a.ts:4:17 warning tool-dear']);
  });
});

test('Temporal types', async () => {
  const text = tool('When.', 'Temporal.PlainDate | null')
    .replace('): void { void', '): Temporal.Instant { void')
    .replace('; }', '; throw new Error(); }');
  const compiled = await compileFiles({
    'a.ts': text,
    'tsconfig.json':
      '{ "compilerOptions": { "strict": true, "module": "nodenext", "lib": ["esnext"], "types": [] } }',
  });
  expect(compiled.messages).toEqual([]);
  const { inputSchema, binding } = toolNamed('take', compiled);
  expect(inputSchema.properties?.['value']).toMatchObject({ type: ['string', 'null'], format: 'date' });
  expect(JSON.stringify(binding)).toContain('{"kind":"temporal","as":"PlainDate"}');
});
