// The guide's programs are what it says: each block `ts title=…` is a whole file, and compiles; one without is marked
// `ts fragment`. What stands in `mistakes/` has the problems that the block behind it lists; `RECORD=1` writes them anew.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { repositoryRoot } from '../architecture/support/source-files.ts';
import { compileFiles } from '../frontends/typescript/compile-files.ts';
import { blocksOf, fileOf, read } from './blocks.ts';
import { typeErrors } from './type-errors.ts';

const PAGE = 'docs/typescript.md';
const blocks = blocksOf(PAGE);
const programs = blocks.filter(({ info }) => /^ts\b/.test(info));
const files = Object.fromEntries(programs.map((block) => [fileOf(block) ?? '', block.text]));

function below(folder: string): Record<string, string> {
  return Object.fromEntries(Object.entries(files).filter(([name]) => name.startsWith(`${folder}/`)));
}

test('each program is a whole file, or says that it is none', () => {
  expect(programs.length).toBeGreaterThan(8);
  const unmarked = programs.filter((block) => fileOf(block) === undefined && block.info !== 'ts fragment');
  expect(unmarked).toEqual([]);
});

test('what it serves compiles, without a word', async () => {
  const { model, messages } = await compileFiles(below('src'), ['src/*.ts']);
  expect(messages).toEqual([]);
  expect(model?.tools.map(({ name }) => name)).toContain('get_forecast');
});

test('its configuration type-checks', () => {
  expect(typeErrors(files['mcpgen.config.ts'] ?? '')).toEqual([]);
});

test('its mistakes are told as it says', async () => {
  const { messages } = await compileFiles(below('mistakes'), ['mistakes/*.ts']);
  const listed = blocks.find(({ info }) => info === 'text')?.text ?? '';
  const text = messages.toSorted(byPlace).join('\n') + '\n';
  if (process.env['RECORD'] === '1')
    writeFileSync(
      join(repositoryRoot, PAGE),
      read(PAGE).replace(listed, () => text),
    );
  else expect(listed).toBe(text);
});

function byPlace(a: string, b: string): number {
  return a.localeCompare(b, 'en', { numeric: true });
}

test('the guide says what each member of a context does', () => {
  const types = read('templates/runtime/definition.ts');
  const [, body = ''] = /^export interface Context \{\n(.*?)^\}/ms.exec(types) ?? [];
  const members = [...body.matchAll(/^ {2}(?:readonly )?(\w+)\??[<(:]/gm)].map(([, name]) => name ?? '');
  expect(members.length).toBeGreaterThan(10);
  for (const name of members) expect(read(PAGE)).toMatch(new RegExp(`^\\|.*\`${name}\\b.*\\|.*\\|$`, 'm'));
  const code = Object.values(below('src')).join('');
  for (const name of [
    'log',
    'progress',
    'elicit',
    'elicitUrl',
    'sample',
    'roots',
    'signal',
    'auth',
    'client',
  ])
    expect(code).toMatch(new RegExp(`\\b${name}\\b`));
});
