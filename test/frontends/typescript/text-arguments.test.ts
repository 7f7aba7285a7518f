// The arguments of prompts and the variables of templates are texts, and reach a function as its type says.
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { convertText } from '../../../templates/runtime/features/resources.ts';
import type { Schema } from '../../../templates/runtime/types.ts';
import { type CompiledFiles, compileFiles } from './compile-files.ts';
import { loadFunctions } from './run-functions.ts';

interface Row {
  type: string;
  text: string;
  want?: unknown;
  /** A part of the refusal. */
  refused?: string;
}

const rows: Row[] = [
  { type: 'string', text: '5', want: '5' },
  { type: 'number', text: '-1.5e3', want: -1500 },
  { type: 'number', text: 'five', refused: '`it` must be a number but is "five"' },
  { type: 'number', text: '1e400', refused: '`it` must be a number' },
  { type: 'boolean', text: 'false', want: false },
  { type: 'Level', text: '2', want: 2 },
  { type: 'Level', text: '3', refused: '`it` must be one of 1 or 2 but is 3' },
  { type: 'string | number', text: '5', want: '5' },
  { type: 'number | boolean', text: 'true', want: true },
  { type: "1 | 'auto'", text: '1', want: 1 },
  { type: "1 | 'auto'", text: 'auto', want: 'auto' },
  { type: "true | 'auto'", text: 'true', want: true },
  { type: "true | 'auto'", text: 'false', refused: '`it` must be one of true or "auto"' },
  { type: "Unit | 'none'", text: '20', want: 20 },
  { type: 'Date', text: '2026-01-31T09:00:00Z', want: new Date('2026-01-31T09:00:00Z') },
  { type: 'Date', text: '2026-02-30', refused: '`it` must be a date and time' },
  { type: 'bigint', text: '123456789012345678901', want: 123456789012345678901n },
  { type: 'number', text: '9007199254740993', want: 9007199254740992 },
  { type: 'bigint', text: '1.5', refused: '`it` must be an integer but is' },
  { type: 'URL', text: 'https://a.example/b', want: new URL('https://a.example/b') },
  { type: 'RegExp', text: '/a+/i', want: /a+/i },
  { type: 'Uint8Array', text: 'aGk=', want: new Uint8Array([104, 105]) },
  { type: 'Uint8Array', text: 'a', refused: '`it` must be bytes as base64' },
];

const declarations = `
enum Level { low = 1, high = 2 }
type Unit = 10 | 20;
declare global { var seen: (it: unknown) => void }
`;

let compiled: CompiledFiles;
let functions: ReturnType<typeof loadFunctions>;
let seen: unknown[] = [];

beforeAll(async () => {
  const items = rows.map(
    ({ type }, at) => `/**
 * @prompt p${at}
 * @resource a://r${at}/{it}
 */
export function f${at}(it: ${type}): string { seen(it); return ''; }`,
  );
  const text = [declarations, ...items].join('\n');
  vi.stubGlobal('seen', (it: unknown) => seen.push(it));
  compiled = await compileFiles({ 'a.ts': text });
  functions = loadFunctions(text, compiled);
});

afterAll(() => vi.unstubAllGlobals());

async function getPrompt(at: number, text: string): Promise<unknown> {
  const prompt = compiled.model?.prompts.find(({ name }) => name === `p${at}`);
  if (prompt?.binding.kind !== 'function') throw new Error(compiled.messages.join('\n'));
  return functions.getPrompt(prompt.binding, prompt.name, { it: text });
}

async function readTemplate(at: number, text: string): Promise<unknown> {
  const uriTemplate = `a://r${at}/{it}`;
  const template = compiled.model?.resourceTemplates.find((each) => each.uriTemplate === uriTemplate);
  const binding = template?.binding;
  if (binding?.do.kind !== 'function') throw new Error(compiled.messages.join('\n'));
  const it = convertText(text, binding.schemas?.['it'] as Schema | undefined);
  return functions.readResource(binding.do, 'a://it', { it });
}

describe.each([
  { of: 'an argument of a prompt', give: getPrompt },
  { of: 'a variable of a template', give: readTemplate },
])('$of', ({ give }) => {
  test.each(rows)('$type of "$text"', async (row) => {
    seen = [];
    const given = give(rows.indexOf(row), row.text);
    if (row.refused === undefined) {
      await given;
      expect(seen).toEqual([row.want]);
    } else {
      await expect(given).rejects.toMatchObject({
        code: -32602,
        message: expect.stringContaining(row.refused) as unknown,
      });
      expect(seen).toEqual([]);
    }
  });
});

test('types that no text is read as are errors where they stand', async () => {
  const types = [
    { type: 'Date[]', tags: ['@prompt'] },
    { type: 'Set<string>', tags: ['@prompt'] },
    { type: 'string | string[]', tags: ['@prompt', '@resource'] },
    { type: 'Tree', tags: ['@prompt', '@resource'] },
    { type: '{ a: string }', tags: ['@prompt', '@resource'] },
    { type: 'string | { a: string }', tags: ['@prompt', '@resource'] },
    { type: 'unknown', tags: ['@prompt', '@resource'] },
  ];
  const files = types.flatMap(({ type }, at) => [
    [
      `@prompt${at}.ts`,
      `type Tree = string | Tree[];\n/** @prompt */\nexport function p${at}(a: string, it: ${type}): string { return a + String(it); }`,
    ],
    [
      `@resource${at}.ts`,
      `type Tree = string | Tree[];\n/** @resource a://${at}/{a}/{it} */\nexport function r${at}(a: string, it: ${type}): string { return a + String(it); }`,
    ],
  ]);
  const { problems } = await compileFiles(Object.fromEntries(files) as Record<string, string>);
  const want = types.flatMap(({ tags }, at) =>
    tags.map((tag) => `${tag}${at}.ts:3:31 error parameter-not-usable`),
  );
  expect(problems.sort()).toEqual(want.sort());
});

test.each([
  { type: 'boolean', want: ['true', 'false'] },
  { type: 'Level', want: ['1', '2'] },
  { type: "true | 'auto'", want: ['true', 'auto'] },
  { type: "Unit | 'none'", want: ['none', '10', '20'] },
  { type: 'Date', want: undefined },
])('an argument of the type $type is completed by $want', ({ type, want }) => {
  const at = rows.findIndex((row) => row.type === type);
  const made = compiled.model?.completions.filter(({ ref }) =>
    ref.kind === 'prompt' ? ref.name === `p${at}` : ref.uri === `a://r${at}/{it}`,
  );
  const offered = want === undefined ? [] : Array(2).fill({ kind: 'values', values: want });
  expect(made?.map(({ from }) => from)).toEqual(offered);
});
