// The documentation is true: documents compile, programs type-check, and commands print what stands below
// them. `RECORD=1` writes the outputs anew. A fenced block `yaml title=notes.yaml` is a file of that name; a `console`
// block is a command and what it prints.
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import type { Output } from '../../src/cli/host.ts';
import { templateNames } from '../../src/emit/views/template-views.ts';
import { listSettings } from '../../src/emit/features.ts';
import { FEATURES } from '../../src/model/feature-table.ts';
import { CORE_SETTINGS } from '../../templates/runtime/settings.ts';
import { parseConfig } from '../../src/config/options/parse-config.ts';
import { repositoryRoot } from '../architecture/support/source-files.ts';
import { temporaryFolder } from '../cli/support/temporary-folder.ts';
import { runInProcess } from '../cli/support/fake-host.ts';
import { node } from '../e2e/support/command.ts';
import { blocksOf, fileOf, pageNames, read } from './blocks.ts';
import { typeErrors } from './type-errors.ts';

const PAGES = [
  'README.md',
  'docs/reference/commands.md',
  'docs/reference/configuration.md',
  'docs/reference/selection.md',
  'docs/change-a-tool.md',
  'docs/overlays.md',
  'docs/publishing.md',
  'docs/large-apis.md',
  'docs/steps.md',
  'docs/regenerating.md',
  'docs/templates.md',
  'docs/migrating.md',
];
/** Pages whose options are those of mcpgen and its servers. */
const NAMING_OPTIONS = [
  ...new Set([
    ...PAGES,
    ...pageNames().filter((page) => /^docs\/(reference\/|recipes|troubleshooting)/.test(page)),
  ]),
];
/** Of a server with all features. */
const SETTINGS = [...CORE_SETTINGS, ...(await listSettings(FEATURES))];
const SOURCES = ['petstore.yaml', 'features/parameters.yaml'];

/** A folder with the sources and the files that the page shows. */
function layOut(...pages: string[]): string {
  const folder = temporaryFolder();
  for (const source of SOURCES) {
    cpSync(join(repositoryRoot, 'fixtures', source), join(folder, source.replace(/^.*\//, '')));
  }
  for (const block of pages.flatMap(blocksOf)) {
    const file = fileOf(block);
    if (file === undefined) continue;
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), block.text);
  }
  return folder;
}

/** Everything a person sees, in order. */
/** `prompt`: `$ mcpgen …`, by npx or without it. */
async function shown(prompt: string, cwd: string): Promise<string> {
  const seen: string[] = [];
  const write: Output['write'] = (text) => void seen.push(text);
  const output = { write, isTTY: false, paint };
  const byNpx = prompt.startsWith('$ npx ');
  const args = prompt
    .replace(/^\$ (?:npx )?/, '')
    .split(' ')
    .slice(1);
  let time = 0;
  await runInProcess(args, {
    cwd,
    env: { ...process.env, ...(byNpx && { npm_lifecycle_script: 'mcpgen' }) },
    stdout: output,
    stderr: output,
    now: () => (time = Math.min(time + 120, 240)),
  });
  return seen.join('');
}

function paint(_style: string, text: string): string {
  return text;
}

/** No page shows a count of files, which changes with each version. */
function withoutCounts(text: string): string {
  return text.replace(/ · \d+ files\b/g, ' · … files');
}

/** How long it took says nothing about the behaviour. */
function mask(text: string): string {
  return text.replace(/\b\d+(ms|\.\d+s)\b/g, '<time>');
}

test.each(PAGES)('%s shows what its commands print', async (page) => {
  const folder = layOut('docs/getting-started.md', page);
  let text = read(page);
  const commands = blocksOf(page).filter(({ info }) => info === 'console');
  expect(commands.length).toBeGreaterThan(0);
  for (const { text: block } of commands) {
    const [prompt = ''] = block.split('\n');
    const printed = withoutCounts(`${prompt}\n${await shown(prompt, folder)}`);
    if (process.env['RECORD'] === '1') text = text.replace(block, () => printed);
    else expect(mask(block)).toBe(mask(printed));
  }
  if (process.env['RECORD'] === '1') writeFileSync(join(repositoryRoot, page), text);
});

const api = blocksOf('docs/reference/api.md').find((block) => fileOf(block) === 'api.mjs');

test('the program of the reference type-checks', () => {
  expect(typeErrors(api?.text ?? 'none')).toEqual([]);
});

test('the program of the reference runs as the page says, beside an installed package', async () => {
  const folder = layOut('docs/reference/api.md', 'docs/reference/configuration.md');
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(repositoryRoot, join(folder, 'node_modules/mcpgen'));
  const { code, stdout, stderr } = await node(['api.mjs'], { cwd: folder });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toMatch(
    /^true \d+ .*'listPets'.*\ntrue\n0 [1-9]\d*\npets true shop\/pets\norders true shop\/servers\/orders\n$/s,
  );
});

test('the Dockerfile of the reference is one, an instruction a line', async () => {
  const folder = layOut('docs/templates.md');
  await shown('mcpgen openapi petstore.yaml --templates docker --publish docker -o with-templates', folder);
  const lines = readFileSync(join(folder, 'with-templates/Dockerfile'), 'utf8').trimEnd().split('\n');
  expect(lines.length).toBeGreaterThan(1);
  for (const line of lines) {
    expect(line).toMatch(/^(FROM|WORKDIR|COPY|ENTRYPOINT) /);
    expect(line).not.toMatch(/.\b(FROM|WORKDIR|COPY|ENTRYPOINT) /);
  }
});

test('the configuration of the reference is one, and each of its members has a row', () => {
  const config = blocksOf('docs/reference/configuration.md').find(({ info }) =>
    info.includes('mcpgen.config.json'),
  );
  expect(parseConfig(config?.text ?? '')).not.toHaveProperty('faults');
  const members = Object.keys(JSON.parse(config?.text ?? '{}') as object);
  expect(members.length).toBeGreaterThan(10);
  for (const member of members) expect(read('docs/reference/configuration.md')).toContain(`| \`${member}\``);
});

test('the reference names every member of handlers and of their context', () => {
  const types = readFileSync(join(repositoryRoot, 'templates/runtime/types.ts'), 'utf8');
  const pages = read('docs/reference/handlers.md') + read('docs/reference/functions.md');
  for (const name of ['Handlers<', 'Context ', 'OutgoingRequest ']) {
    const [, body = ''] = new RegExp(`^export interface ${name}.*?\\{\\n(.*?)^\\}`, 'ms').exec(types) ?? [];
    const members = [...body.matchAll(/^ {2}(?:readonly )?(\w+)\??[:(]/gm)].map(([, member]) => member ?? '');
    expect(members.length).toBeGreaterThan(3);
    for (const member of members) expect(pages).toMatch(new RegExp(`\`${member}\\b`));
  }
});

test('the reference names every variable that all servers read', () => {
  const tables = ['environment', 'oauth', 'operations']
    .map((page) => read(`docs/reference/${page}.md`))
    .join('');
  const variables = SETTINGS.flatMap(({ variable }) => variable ?? []);
  expect(variables.length).toBeGreaterThan(10);
  for (const name of variables) expect(tables).toMatch(new RegExp(`^\\|.*\`${name}\`.*\\|.*\\|$`, 'm'));
});

test('the reference names every template', () => {
  for (const name of templateNames) expect(read('templates/fields.md')).toContain(`\`${name}.hbs\``);
});

/** Each option of mcpgen and its servers, and those of npm and Docker that pages name. */
async function listKnownOptions(): Promise<Set<string>> {
  const commands =
    'openapi,ts,generate,check,diff,inspect,lint,serve,preview,init,install,uninstall,doctor,explain,completion,publish init,publish check,overlay init,templates list,templates eject'.split(
      ',',
    );
  const helps = await Promise.all(commands.map((command) => runInProcess(['help', ...command.split(' ')])));
  return new Set([
    ...helps.flatMap(({ stdout }) => stdout.match(/--[a-z][a-z-]+/g) ?? []),
    ...SETTINGS.map(({ flag = '' }) => `--${flag}`),
    ...[
      '--all',
      '--version',
      '--save-dev',
      '--no',
      '--no-git-tag-version',
      '--access',
      '--build',
      '--rm',
      '--env-file',
    ],
  ]);
}
const known = await listKnownOptions();

test.each(NAMING_OPTIONS)('%s names only options that exist', (page) => {
  // Scripts of the repository have options of their own; names of another tool are on the left.
  const own = read(page).replaceAll(/`npm run [^`]*`/g, '');
  const text = page === 'docs/migrating.md' ? own.replace(/^\|[^|]*\|/gm, '|') : own;
  expect((text.match(/--[a-z][a-z-]+/g) ?? []).filter((option) => !known.has(option))).toEqual([]);
});
