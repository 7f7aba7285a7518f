// The programs of the guide and of the reference are what they say: each block `ts title=…` is a whole file, and compiles; one without is marked
// `ts fragment`. What stands in `mistakes/` has the problems that the block behind it lists; `RECORD=1` writes them anew.
import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startLoopback } from '../../fixtures/upstreams/loopback.mjs';
import { repositoryRoot } from '../architecture/support/source-files.ts';
import { compileFiles } from '../frontends/typescript/compile-files.ts';
import { blocksOf, fileOf, read } from './blocks.ts';
import { startClient } from '../e2e/support/clients.ts';
import { tsc } from '../e2e/support/command.ts';
import { typeErrors } from './type-errors.ts';
import { layOut, succeed } from './walk-folder.ts';

const PAGE = 'docs/typescript.md';
const REFERENCE = 'docs/reference/functions.md';
const blocks = [PAGE, REFERENCE].flatMap(blocksOf);
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
  const manifest = JSON.stringify({ type: 'module', dependencies: { zod: '^4.2.0' } });
  const { model, messages } = await compileFiles({ ...below('src'), 'package.json': manifest }, ['src/*.ts']);
  expect(messages).toEqual([]);
  expect(model?.tools.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['add_note', 'find_notes', 'add_line']),
  );
});

test('the configuration in code type-checks', () => {
  const config = blocksOf('docs/templates.md').find((block) => fileOf(block) === 'mcpgen.config.ts');
  expect(typeErrors(config?.text ?? 'none')).toEqual([]);
});

test(
  'a function beside documents calls their operations, and type-checks where it is written',
  { timeout: 60_000 },
  async () => {
    const folder = join(layOut({ page: PAGE, files: ['trip/src/offer.ts'] }), 'trip');
    cpSync(join(repositoryRoot, 'fixtures/mixed/trip'), folder, { recursive: true, force: false });
    const options = '--noEmit --strict --skipLibCheck --module nodenext --target es2023 --ignoreConfig'.split(
      ' ',
    );
    expect(await tsc([...options, 'src/offer.ts'], { cwd: folder })).toMatchObject({ code: 0, stdout: '' });
    await succeed('../node_modules/.bin/mcpgen generate', folder);
    const { url, close } = await startLoopback(({ url: { pathname } }) => ({
      json: pathname === '/rooms' ? [{ hotel: 'Bellevue', price: 120 }] : [{ minutes: 103 }],
    }));
    onTestFinished(close);
    const { client } = await startClient([join(folder, 'server/dist/main.js')], {
      env: { API_BASE_URL_RAIL: url, API_BASE_URL_HOTELS: url, API_CREDENTIALS: 'optional' },
    });
    onTestFinished(() => client.close());
    const wish = { from: 'BN', to: 'GE', city: 'Geneva' };
    expect(await client.callTool({ name: 'find_offer', arguments: wish })).toMatchObject({
      structuredContent: { connection: { minutes: 103 }, room: { hotel: 'Bellevue', price: 120 } },
    });
  },
);

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
  const types = ['types', 'features/ask/questions']
    .map((name) => read(`templates/runtime/${name}.ts`))
    .join('');
  const body = [...types.matchAll(/^export interface (?:Context|Questions) \{\n(.*?)^\}/gms)].join('');
  const members = [...body.matchAll(/^ {2}(?:readonly )?(\w+)\??[<(:]/gm)].map(([, name]) => name ?? '');
  expect(members.length).toBeGreaterThan(10);
  for (const name of members) expect(read(REFERENCE)).toMatch(new RegExp(`^- .*\`${name}\\b[^:]*: .`, 'm'));
});
