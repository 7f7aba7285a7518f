/** Functions of packages that nobody here wrote, with one tag each: what they take is shown, what they answer was worked out by hand. */
import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startClient } from './support/clients.ts';
import { mcpgenHere, root } from './support/command.ts';
import { temporaryFolder } from './support/project.ts';

const files = {
  'package.json': JSON.stringify({
    name: 'libraries',
    type: 'module',
    dependencies: { 'date-fns': '^4.4.0', mathjs: '^15.2.0', zod: '^4.2.0' },
  }),
  'src/dates.ts': `/** @tool */
export { addDays } from 'date-fns';
/** @tool @readOnly */
export { eachDayOfInterval, intervalToDuration } from 'date-fns';
import { max } from 'date-fns';
/** @tool latest */
export const latest = max;
/** Reads a date. @tool */
export { parseISO as parse } from 'date-fns';
`,
  'src/math.ts': `/** @tool */
export { det, evaluate, factorial, inv, sqrt } from 'mathjs';
`,
  'src/schemas.ts': `import * as z from 'zod';
export const Page = z.object({
  text: z.string().trim().min(3, 'Say more').describe('What it says'),
  due: z.iso.date().transform((text) => new Date(text)).optional(),
  tags: z.array(z.string()).default(['new']),
}).refine(async ({ text }) => text !== 'nothing', { message: 'Nothing is no page', path: ['text'] });
export const Kept = z.object({ id: z.int().positive(), year: z.number().nullable(), tags: z.array(z.string()) });
`,
  'src/pages.ts': `import type * as z from 'zod';
import type { Kept, Page } from './schemas.ts';
/** Keeps a page. @tool keep @schema Kept
 * @param page @schema Page */
export function keep(page: z.infer<typeof Page>): z.infer<typeof Kept> {
  return { id: page.text.length, year: page.due?.getUTCFullYear() ?? null, tags: page.tags };
}
`,
};

let folder: string;
let client: Client;

beforeAll(async () => {
  folder = await temporaryFolder();
  await symlink(path.join(root, 'node_modules'), path.join(folder, 'node_modules'));
  await mkdir(path.join(folder, 'src'));
  for (const [name, text] of Object.entries(files)) await writeFile(path.join(folder, name), text);
  const { code, stderr } = await mcpgenHere(['ts', 'src/*.ts', '-o', 'server'], { cwd: folder });
  expect(code, stderr).toBe(0);
  // Date-fns reckons in the local time.
  const env = { PATH: process.env['PATH'] ?? '', TZ: 'UTC' };
  ({ client } = await startClient([path.join(folder, 'server/dist/main.js')], { env }));
});

afterAll(async () => {
  await client.close();
  await rm(folder, { recursive: true, force: true });
});

interface Row {
  tool: string;
  args: Record<string, unknown>;
  want: unknown;
}

const day = (text: string): string => `${text}T00:00:00.000Z`;

const dates: Row[] = [
  // February 2026 has two days left; then comes March 1.
  { tool: 'addDays', args: { date: '2026-02-26T00:00:00Z', amount: 3 }, want: day('2026-03-01') },
  {
    tool: 'eachDayOfInterval',
    args: { interval: { start: '2026-01-30', end: '2026-02-03' }, options: { step: 2 } },
    want: [day('2026-01-30'), day('2026-02-01'), day('2026-02-03')],
  },
  { tool: 'latest', args: { dates: ['2026-01-01', '2026-03-01', '2026-02-01'] }, want: day('2026-03-01') },
  { tool: 'parse', args: { argument: '2026-W01-4' }, want: day('2026-01-01') },
];

const numbers: Row[] = [
  { tool: 'factorial', args: { n: [3, 4] }, want: [6, 24] },
  {
    tool: 'inv',
    args: {
      x: [
        [2, 0],
        [0, 4],
      ],
    },
    want: [
      [0.5, 0],
      [0, 0.25],
    ],
  },
  // A class of the package, as its own `toJSON` writes it.
  { tool: 'sqrt', args: { x: -4 }, want: { mathjs: 'Complex', re: 0, im: 2 } },
];

describe.each([
  { package: 'date-fns', rows: dates },
  { package: 'mathjs', rows: numbers },
])('$package', ({ rows }) => {
  test.each(rows)('$tool of $args', async ({ tool, args, want }) => {
    const { structuredContent, content } = await client.callTool({ name: tool, arguments: args });
    expect(structuredContent, JSON.stringify(content)).toEqual({ result: want });
  });
});

test.each<Row>([
  {
    tool: 'intervalToDuration',
    args: { interval: { start: '2026-01-01', end: '2026-02-03' } },
    want: { structuredContent: { months: 1, days: 2 } },
  },
  // Its result is `any`: nothing is promised, and it is answered.
  {
    tool: 'evaluate',
    args: { expr: '2 * x', scope: { x: 21 } },
    want: { content: [{ type: 'text', text: '42' }] },
  },
  {
    tool: 'keep',
    args: { text: ' a page ', due: '2026-02-03', other: 1 },
    want: { structuredContent: { id: 6, year: 2026, tags: ['new'] } },
  },
  {
    tool: 'keep',
    args: { text: ' ab ', due: 'soon' },
    want: {
      isError: true,
      content: [
        {
          type: 'text',
          text:
            'The arguments of keep do not match its input schema:\n- `text`: Say more\n' +
            '- `due`: Invalid ISO date',
        },
      ],
    },
  },
  {
    tool: 'keep',
    args: { text: 'nothing' },
    want: {
      isError: true,
      content: [{ text: expect.stringContaining('- `text`: Nothing is no page') as string }],
    },
  },
  { tool: 'addDays', args: { date: '2026-01-01' }, want: { isError: true } },
  // A matrix that is none: the package throws.
  { tool: 'det', args: { x: [[1, 2]] }, want: { isError: true } },
])('$tool of $args answers $want', async ({ tool, args, want }) => {
  expect(await client.callTool({ name: tool, arguments: args })).toMatchObject(want as object);
});

test('a schema of zod is listed: its input for arguments, its output for the result', async () => {
  const { tools } = await client.listTools();
  expect(tools.find(({ name }) => name === 'keep')).toMatchObject({
    inputSchema: {
      type: 'object',
      properties: {
        text: { type: 'string', minLength: 3, description: 'What it says' },
        due: { type: 'string', format: 'date' },
        tags: { type: 'array', items: { type: 'string' }, default: ['new'] },
      },
      required: ['text'],
    },
    outputSchema: {
      type: 'object',
      properties: { id: { type: 'integer', exclusiveMinimum: 0 }, tags: { type: 'array' } },
      required: ['id', 'year', 'tags'],
    },
  });
});
