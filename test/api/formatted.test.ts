/** A formatter's run over a project is no edit: nothing stops, and what a person has changed beside it is still seen. */
import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { format, getFileInfo, type Options } from 'prettier';
import { beforeAll, expect, test } from 'vitest';
import { publishTargets } from '../../src/model/published.ts';
import { check, generate, regenerate } from '../../src/index.ts';
import { put, temporaryFolder } from '../write/project-on-disk.ts';

const fixtures = fileURLToPath(new URL('../../fixtures/', import.meta.url));
const start = temporaryFolder();

beforeAll(async () => {
  cpSync(join(fixtures, 'petstore.yaml'), join(start, 'petstore.yaml'));
  const source = { source: 'petstore.yaml', dir: 'out', cwd: start };
  expect((await generate({ ...source, publish: [...publishTargets], auth: 'oauth' })).ok).toBe(true);
});

const settings: [string, Options][] = [
  ['tabs, no semicolons', { useTabs: true, semi: false, arrowParens: 'avoid', proseWrap: 'always' }],
  ['60 columns', { singleQuote: true, printWidth: 60, bracketSpacing: false, objectWrap: 'collapse' }],
];

async function formatted(options: Options): Promise<string> {
  const cwd = temporaryFolder();
  cpSync(start, cwd, { recursive: true });
  for (const path of projectFiles(cwd)) {
    const { inferredParser } = await getFileInfo(path);
    const text = readFileSync(path, 'utf8');
    const laidOut = inferredParser === null ? text : await format(text, { ...options, filepath: path });
    writeFileSync(path, laidOut);
  }
  return cwd;
}

let withTabs: Promise<string> | undefined;

/** A copy of the project with tabs. */
async function formattedByTabs(lineEnd = '\n'): Promise<string> {
  const cwd = temporaryFolder();
  cpSync(await (withTabs ??= formatted({ useTabs: true })), cwd, { recursive: true });
  for (const path of lineEnd === '\n' ? [] : projectFiles(cwd))
    writeFileSync(path, readFileSync(path, 'utf8').replaceAll('\n', lineEnd));
  return cwd;
}

function projectFiles(cwd: string): string[] {
  return readdirSync(join(cwd, 'out'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !path.includes('/dist/'));
}

test.each(settings)(
  '%s: a check finds nothing, and another run writes without questions',
  async (_, options) => {
    const cwd = await formatted(options);
    const checked = await check('out', { cwd });
    expect(checked.diagnostics.map(({ message }) => message)).toEqual([]);
    expect(checked.ok).toBe(true);
    const generation = await regenerate('out', { cwd });
    expect(generation.ok).toBe(true);
    expect(generation.report).toMatchObject({ edited: [], foreign: [], saved: [] });
    for (const path of generatedPaths(start))
      expect(readFileSync(join(cwd, 'out', path), 'utf8'), path).toBe(
        readFileSync(join(start, 'out', path), 'utf8'),
      );
  },
  120_000,
);

function generatedPaths(cwd: string): string[] {
  const prefix = join(cwd, 'out/');
  return projectFiles(cwd)
    .map((path) => path.slice(prefix.length))
    .filter(
      (path) =>
        !/^(?:dist|src\/handlers|package\.json|mcpgen\.config|publishing\/docker\/server\.yaml)/.test(path),
    );
}

test('line ends of Windows, and another document', async () => {
  const cwd = await formattedByTabs('\r\n');
  const document = readFileSync(join(cwd, 'petstore.yaml'), 'utf8');
  put(cwd, { 'petstore.yaml': document.replace('summary: List pets', 'summary: List all pets') });
  const generation = await regenerate('out', { cwd });
  expect(generation.diagnostics.map(({ message }) => message)).toEqual([]);
  expect(generation.ok).toBe(true);
  expect(generation.report).toMatchObject({ edited: [], foreign: [], saved: [] });
  expect((await check('out', { cwd })).ok).toBe(true);
}, 60_000);

test.each([
  ['src/runtime/json-rpc.ts', (text: string) => `${text}export const more = 1;\n`],
  ['src/main.ts', (text: string) => text.replace('run', 'walk')],
  ['src/generated/catalog.json', (text: string) => text.replace(/"description": ?"/, '$&My ')],
])(
  'an edit of %s is one after the formatter too',
  async (path, change) => {
    const cwd = await formattedByTabs();
    put(cwd, { [`out/${path}`]: change(readFileSync(join(cwd, 'out', path), 'utf8')) });
    const generation = await regenerate('out', { cwd });
    expect(generation.ok).toBe(false);
    expect(generation.report?.edited).toEqual([path]);
  },
  60_000,
);
