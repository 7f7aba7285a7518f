// A prompt that could never be used is an error where it is tagged.
import { beforeAll, expect, test } from 'vitest';
import { type CompiledFiles, compileFiles } from './compile-files.ts';

const declarations = [
  "import type { Context, PromptMessage, PromptResult } from 'mcpgen/runtime';",
  "type Block = { type: 'text'; text: string };",
  'type Branded = string & { readonly brand: unique symbol };',
  'interface Widened { role: string; content: { type: string; text: string } }',
  '',
].join('\n');

const noPrompt = 'it does not return a text, messages or content blocks';

const rows: { given: string; tags?: string; want?: string }[] = [
  { given: 'function p(): string' },
  { given: "function p(): 'a' | `b${string}` | Branded" },
  { given: 'function p(): string | undefined' },
  { given: 'function p(): Promise<string>' },
  { given: 'function p(): Block' },
  { given: 'function p(): readonly [Block, PromptMessage]' },
  { given: 'function p(): Widened[] | Widened' },
  { given: 'function p(): PromptResult | string' },
  { given: 'function p(): { messages: Widened[]; description: string }' },
  { given: 'function p(): unknown' },
  { given: 'function p(): object' },
  { given: 'function p(): Record<string, unknown>' },
  { given: 'function p(): never' },
  { given: 'function p<T extends string>(): T' },
  { given: 'function* p(): Generator<number, string>' },
  { given: 'async function* p(): AsyncGenerator<Block>' },
  { given: 'function p(): number', want: noPrompt },
  { given: 'function p(): string | number', want: noPrompt },
  { given: 'function p(): void', want: noPrompt },
  { given: 'function p(): null', want: noPrompt },
  // Said once, whatever it is called.
  { given: 'function p(): boolean', tags: ' @prompt q', want: noPrompt },
];

let compiled: CompiledFiles;

beforeAll(async () => {
  const texts = rows.map(({ given, tags = '' }, at) => {
    const renamed = given.replace(' p', ` p${at}`);
    return `/** @prompt p${at}${tags} */\nexport ${renamed} { throw new Error(); }\n`;
  });
  compiled = await compileFiles({ 'a.ts': declarations + texts.join('') });
});

test.each(rows)('$given: $want', (row) => {
  const at = rows.indexOf(row);
  const line = declarations.split('\n').length + 2 * at;
  const found = compiled.messages.filter(
    (each) => each.includes(` p${at} `) || each.startsWith(`a.ts:${line}:`),
  );
  const want =
    row.want === undefined
      ? []
      : [`a.ts:${line}:5 error unfit-function: p${at} cannot have @prompt: ${row.want}.`];
  expect(found).toEqual(want);
});
