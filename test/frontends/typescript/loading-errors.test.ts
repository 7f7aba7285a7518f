// Code that could never start is an error when compiling; what only some calls load is not.
import { expect, test } from 'vitest';
import { compileFiles } from './compile-files.ts';

const tool = '/** @tool */\nexport function f(): string { return String(it); }';
const declared = (name: string): string => `declare module '${name}' { export const it: string; }`;

test.each([
  { module: 'bun:sqlite', words: 'Use `node:sqlite`.' },
  { module: 'npm:zod@4/v4', words: 'Use `zod`.' },
  { module: 'jsr:@std/path@1', words: 'Use `@std/path`.' },
  { module: 'https://deno.land/x.ts', words: 'no module that Node can load' },
  { module: 'cloudflare:workers', words: 'so the server would never start.' },
])('$module', async ({ module, words }) => {
  const code = `import { it } from '${module}';\nimport '${module}';\n${tool}`;
  // Whether or not TypeScript finds its types, one fault is one message.
  for (const types of [{ 'there.d.ts': declared(module) }, {}] as Record<string, string>[]) {
    const { messages } = await compileFiles({ 'a.ts': code, ...types });
    expect(messages).toHaveLength(2);
    expect(messages[0]).toMatch(/^a\.ts:1:20 error module-not-of-node/);
    expect(messages[0]).toContain(words);
    expect(messages[1]).toMatch(/^a\.ts:2:8 error module-not-of-node/);
  }
});

test.each([
  `import type { it as Type } from 'bun:sqlite';\nconst it = '' as typeof Type;\n${tool}`,
  `/** @tool */\nexport async function f(): Promise<string> { return (await import('bun:sqlite')).it; }`,
])('what other runtimes load is no error: %s', async (code) => {
  const { messages } = await compileFiles({ 'a.ts': code, 'there.d.ts': declared('bun:sqlite') });
  expect(messages).toEqual([]);
});
