// With `--mock`, functions are not called, but arguments are refused and results made as if they were.
import { beforeAll, expect, test } from 'vitest';
import type { FunctionBinding } from '../../../templates/runtime/contract/bindings.ts';
import type { Context } from '../../../templates/runtime/definition.ts';
import type { BoundFunctions } from '../../../templates/runtime/functions/bound-functions.ts';
import { openFunctions } from '../../../templates/runtime/functions/index.ts';
import { mockFunctions } from '../../../templates/runtime/functions/mock-functions.ts';
import { type CompiledFiles, compileFiles, toolNamed } from '../../frontends/typescript/compile-files.ts';
import { loadFunctions } from '../../frontends/typescript/run-functions.ts';

const text = `
import type { ToolResult } from 'mcpgen/runtime';

interface Note {
  /** @example "Milk" */
  text: string;
  /** @minimum 3 @maximum 3 */
  stars: number;
  due?: Date;
}

/** @tool */
export const word = (): 'yes' => 'yes';
/** @tool */
export const day = (on: Date): Date => on;
/** @tool */
export const days = (on: Set<Date>): Map<string, Date> => new Map([...on].map((each) => ['a', each]));
/** @tool */
export const note = (link: URL): Note => ({ text: 'Milk', stars: 3, due: new Date('2025-01-15T09:30:00Z') });
/** @tool */
export const maybe = (raw: Uint8Array): Note | undefined => ({ text: 'Milk', stars: 3 });
/** @tool */
export async function* steps(): AsyncGenerator<number, 'done'> { yield 1; return 'done'; }
/** @tool @mimeType image/png */
export const picture = (): Uint8Array => new Uint8Array([1]);
/** @tool @mimeType image/webp */
export const photo = (): Uint8Array => new Uint8Array([1]);
/** @tool @mimeType text/csv */
export const table = (): string => 'a,b';
/** @tool */
export const full = (): ToolResult & { structuredContent: Note } => ({
  content: [{ type: 'text', text: 'a' }],
  structuredContent: { text: 'Milk', stars: 3 },
});
/** @tool */
export const said = (size: bigint): string => 'a';
/** @tool */
export const nothing = async (): Promise<void> => undefined;
/** @tool */
export async function* moves(): AsyncGenerator<{ progress: number }, void> { yield { progress: 1 }; }
/** @resource notes://all */
export const all = (): Map<string, Omit<Note, 'due'>> => new Map([['key', { text: 'Milk', stars: 3 }]]);
/** @resource notes://{id} @mimeType application/vnd.note+json */
export const one = (id: number): Omit<Note, 'due'> | undefined => ({ text: 'Milk', stars: 3 });
/** @resource notes://text @mimeType application/json */
export const words = (): string => '"a"';
/** @prompt */
export const ask = (count: number, on: Date): string => 'a';
`;

let compiled: CompiledFiles;
let real: BoundFunctions;
let mock: BoundFunctions;

beforeAll(async () => {
  compiled = await compileFiles({ 'a.ts': text });
  real = loadFunctions(text, compiled);
  mock = mockFunctions(
    (modules) => openFunctions(modules, { codecs: compiled.model?.codecs ?? {} }, () => undefined),
    (name) => toolNamed(name, compiled).outputSchema,
  );
});

const context = {
  signal: new AbortController().signal,
  progress: () => Promise.resolve(),
} as unknown as Context;

const callOf = (functions: BoundFunctions) => async (name: string, args: Record<string, unknown>) => {
  const handler = await functions.bindTool(toolNamed(name, compiled).binding as FunctionBinding, name);
  return handler(args, context);
};

const INSTEAD = expect.stringContaining('--mock') as string;
const sampled = { text: 'Milk', stars: 3, due: '2025-01-15T09:30:00Z' };
const at = '2025-01-15T09:30:00Z';

interface Row {
  name: string;
  args?: Record<string, unknown>;
  want: unknown;
}

test.each<Row>([
  { name: 'word', want: { content: [{ type: 'text', text: 'yes' }], structuredContent: { result: 'yes' } } },
  {
    name: 'day',
    args: { on: at },
    want: { content: [{ type: 'text', text: at }], structuredContent: { result: at } },
  },
  { name: 'days', args: { on: [at] }, want: { structuredContent: { key: at } } },
  { name: 'note', args: { link: 'https://a.test' }, want: { structuredContent: sampled } },
  { name: 'maybe', args: { raw: '' }, want: { structuredContent: { result: sampled } } },
  {
    name: 'steps',
    want: { content: [{ type: 'text', text: 'done' }], structuredContent: { result: 'done' } },
  },
  {
    name: 'picture',
    want: { content: [{ type: 'image', mimeType: 'image/png', data: expect.stringMatching(/^iVBOR/) }] },
  },
  { name: 'photo', want: { content: [{ type: 'image', mimeType: 'image/png' }] } },
  {
    name: 'table',
    want: { content: [{ resource: { uri: 'result://table', mimeType: 'text/csv', text: INSTEAD } }] },
  },
  { name: 'full', want: { content: [{ type: 'text', text: INSTEAD }], structuredContent: sampled } },
  { name: 'said', args: { size: 5 }, want: { structuredContent: { result: 'sample' } } },
])('$name answers with a sample of the same form', async ({ name, args = {}, want }) => {
  const answer = await callOf(mock)(name, args);
  expect(answer).toMatchObject(want as object);
  const form = Object.keys(Object(await callOf(real)(name, args)));
  if (typeof answer === 'object') expect(Object.keys(answer as object)).toEqual(form);
});

test.each([
  { name: 'day', args: { on: '2026-02-31T00:00:00Z' } },
  { name: 'days', args: { on: ['no day'] } },
  { name: 'note', args: { link: 'no link' } },
  { name: 'maybe', args: { raw: '!' } },
  { name: 'said', args: { size: 'many' } },
])('$name refuses $args as the function would', async ({ name, args }) => {
  const refusal = await callOf(real)(name, args).catch((thrown: unknown) => thrown);
  expect(refusal).toBeInstanceOf(Error);
  await expect(callOf(mock)(name, args)).rejects.toEqual(refusal);
});

test.each([{ count: 'many', on: at }, { count: '1', on: '2026-02-31' }, { on: at }])(
  'a prompt refuses %o as the function would',
  async (args) => {
    const [prompt] = compiled.model?.prompts ?? [];
    const run = async (functions: BoundFunctions): Promise<unknown> =>
      (await functions.bindPrompt(prompt?.binding as FunctionBinding, 'ask'))(args as never, context);
    const refusal = await run(real).catch((thrown: unknown) => thrown);
    expect(refusal).toBeInstanceOf(Error);
    await expect(run(mock)).rejects.toEqual(refusal);
    await expect(run(real)).rejects.toEqual(refusal);
  },
);

test.each(['nothing', 'moves'])('%s, which returns nothing, answers with nothing', async (name) => {
  expect(await callOf(mock)(name, {})).toEqual(await callOf(real)(name, {}));
});

test('resources of JSON answer with a sample of their type', async () => {
  const { resources = [], resourceTemplates = [] } = compiled.model ?? {};
  const [text] = resources.splice(1);
  const read = async (functions: BoundFunctions): Promise<unknown[]> =>
    Promise.all(
      [...resources, ...resourceTemplates].map(async ({ binding }) =>
        (await functions.bindResource(binding.do as FunctionBinding, { id: 1 }))('notes://1', {}, context),
      ),
    );
  expect(resources).toHaveLength(1);
  expect(resourceTemplates).toHaveLength(1);
  expect(await read(mock)).toEqual(await read(real));
  const handler = await mock.bindResource(text?.binding.do as FunctionBinding, {});
  expect(JSON.parse(String(await handler('notes://text', {}, context)))).toEqual(INSTEAD);
});
