// `@param o.page.size`: what a function says of what is within its arguments.
import { expect, test } from 'vitest';
import { compileFiles, toolNamed } from './compile-files.ts';

interface Row {
  given: string;
  /** What is said, a tag a line. */
  said: string[];
  /** The arguments, by name. */
  want: Record<string, unknown>;
  /** Named types that the tool refers to. Default none. */
  defs?: Record<string, unknown>;
}

const declarations = `
/** A page. */
interface Page { size: number; /** From 1. */ at?: number }
interface Tree { name: string; parts?: Tree[] }
type Either = { kind: 'a'; a: string } | { kind: 'b'; b: string };
`;
const size = { type: 'number', description: 'Rows.', minimum: 1 };
const at = { type: 'number', description: 'From 1.' };

const rows: Row[] = [
  {
    given: '(o: { a: string; b?: number })',
    said: ['o.a Words. @minLength 2', '[o.b=3] - More words.'],
    want: {
      a: { type: 'string', description: 'Words.', minLength: 2 },
      b: { type: 'number', description: 'More words.' },
    },
  },
  {
    // The named type stays as it is for others.
    given: '(o: { page: Page; other?: Page })',
    said: ['o.page.size Rows. @minimum 1'],
    want: {
      page: { type: 'object', description: 'A page.', properties: { size, at }, required: ['size'] },
      other: { $ref: '#/$defs/Page' },
    },
    defs: {
      Page: {
        type: 'object',
        description: 'A page.',
        properties: { size: { type: 'number' }, at },
        required: ['size'],
      },
    },
  },
  {
    given: '(page: Page, more?: number)',
    said: ['page Which.', 'page.size Rows. @minimum 1', 'page.at Of no use here.'],
    want: {
      page: { type: 'object', description: 'Which.', properties: { size, at }, required: ['size'] },
      more: { type: 'number' },
    },
  },
  {
    given: '(nums: number[], more: string[][])',
    said: ['nums[] Of one. @minimum 0', 'more[][] @maxLength 5'],
    want: {
      nums: { type: 'array', items: { type: 'number', description: 'Of one.', minimum: 0 } },
      more: { type: 'array', items: { type: 'array', items: { type: 'string', maxLength: 5 } } },
    },
  },
  {
    given: '(pair: [/** Of the first. @minimum 1 */ a: number, /** @maxLength 3 */ b?: string])',
    said: ['pair Two.'],
    want: {
      pair: {
        type: 'array',
        description: 'Two.',
        prefixItems: [
          { type: 'number', title: 'a', description: 'Of the first.', minimum: 1 },
          { type: 'string', title: 'b', maxLength: 3 },
        ],
        minItems: 1,
        maxItems: 2,
      },
    },
  },
  {
    given: '({ size, at = 2 }: Page)',
    said: ['options.size Rows. @minimum 1'],
    want: { size, at: { ...at, default: 2 } },
  },
  {
    given: '(o: { a: string; secret?: string })',
    said: ['o.secret @hidden'],
    want: { a: { type: 'string' } },
  },
];

test.each(rows)('$given $said', async ({ given, said, want, defs }) => {
  const block = ['/** Words. @tool', ...said.map((each) => `@param ${each}`), '*/'].join('\n');
  const compiled = await compileFiles({
    'a.ts': `${declarations}${block}\nexport function f${given}: void {}\n`,
  });
  expect(compiled.messages).toEqual([]);
  const { inputSchema } = toolNamed('f', compiled);
  expect(inputSchema.properties).toEqual(want);
  expect(inputSchema.$defs).toEqual(defs);
});

test('what is said of an alternative counts in it, and a member may be repeated in a header', async () => {
  const text = `${declarations}
/** @tool
 * @param o.either.a Of the first. @minLength 1
 * @param o.region Where. @header Region
 */
export function f(o: { either: Either; region: string }): void {}
`;
  const compiled = await compileFiles({ 'a.ts': text });
  expect(compiled.messages).toEqual([]);
  const { properties = {} } = toolNamed('f', compiled).inputSchema;
  expect(properties['region']).toEqual({ type: 'string', description: 'Where.', 'x-mcp-header': 'Region' });
  expect(JSON.stringify(properties['either'])).toContain(
    JSON.stringify({ type: 'string', description: 'Of the first.', minLength: 1 }),
  );
});

test('JavaScript: a named type, and one that the tags make', async () => {
  const text = `
/** @typedef {{ a: string, b?: { c: number } }} Query */
/** @tool
 * @param {Query} o
 * @param o.a Words. @minLength 1
 * @param o.b.c Number. */
export function f(o) { void o; }
/** @tool
 * @param {object} o
 * @param {string} o.a Words. @minLength 1 */
export function g(o) { void o; }
`;
  const compiled = await compileFiles({ 'a.js': text }, ['a.js']);
  expect(compiled.messages).toEqual([]);
  const a = { type: 'string', description: 'Words.', minLength: 1 };
  const c = { type: 'number', description: 'Number.' };
  expect(toolNamed('f', compiled).inputSchema.properties).toEqual({
    a,
    b: { type: 'object', properties: { c }, required: ['c'] },
  });
  expect(toolNamed('g', compiled).inputSchema.properties).toEqual({ a });
});

test('of one object of arguments, what is said of the whole is the description of the schema', async () => {
  const compiled = await compileFiles({
    'a.ts':
      '/** What it is. */\ninterface Order { id: string }\n/** Orders. @tool\n * @param input The order. */\nexport function f(input: Order): void {}\n/** @tool */\nexport function g(input: Order): void {}',
  });
  expect(toolNamed('f', compiled)).toMatchObject({
    description: 'Orders.',
    inputSchema: { description: 'The order.' },
  });
  expect(toolNamed('g', compiled).inputSchema).not.toHaveProperty('description');
});
