// Commands that are cut off, or that find the disk full, at each change: every file is whole, and the same command completes it.
// Most runs are of this process, and some are processes that are killed.
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { runInProcess } from './support/fake-host.ts';
import { withFailingDisk } from './support/failing-disk.ts';
import { mcpgen } from './support/spawn.ts';
import { temporaryFolder } from './support/temporary-folder.ts';

const hook = new URL('support/kill-at.mjs', import.meta.url).href;
const base = temporaryFolder();

function copyOf(start: string, name: string): string {
  const cwd = join(base, name.replaceAll(/\W+/g, '-'));
  cpSync(join(base, start), cwd, { recursive: true });
  return cwd;
}

function filesOf(cwd: string): Record<string, string> {
  const entries = readdirSync(cwd, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  const paths = entries.map(({ parentPath, name }) => join(parentPath, name));
  return Object.fromEntries(
    paths
      .map((path): [string, string] => [
        path.slice(cwd.length + 1).replaceAll(sep, '/'),
        readFileSync(path, 'utf8'),
      ])
      .sort(),
  );
}

const isTemporary = (path: string): boolean => path.endsWith('.mcpgen-tmp');

/** Kills a process of its own at a change. */
async function killProcess(args: string[], cwd: string, at: number): Promise<void> {
  const env = { KILL_AT: String(at), KILL_IN: cwd, ...homeIn(cwd), NODE_OPTIONS: `--import ${hook}` };
  expect((await mcpgen(args, { cwd, env })).exitCode).toBe(null);
}

const homeIn = (cwd: string) => ({ HOME: join(cwd, 'home'), USERPROFILE: join(cwd, 'home') });

/** The number of changes that the command makes. */
async function countChanges(args: string[], cwd: string): Promise<number> {
  return withFailingDisk(cwd, 'kill', Infinity, async () => {
    const { exitCode, stderr } = await runInProcess(args, { cwd, env: homeIn(cwd) });
    expect(exitCode, stderr).toBe(0);
  });
}

/** Writes a small document, with a tool of this name. */
const change = (cwd: string, operationId: string): void => {
  const paths = { '/pets': { get: { operationId, responses: { 200: { description: 'Pets' } } } } };
  const document = { openapi: '3.1.0', info: { title: operationId, version: '1.0.0' }, paths };
  writeFileSync(join(cwd, 'api.json'), JSON.stringify(document));
};

describe('generate', () => {
  const args = ['generate', 'out', '--force'];
  const runs = 20;
  /** Every so many runs one is a process that is killed. */
  const between = 10;
  let changes = 0;
  let old: Record<string, string>;
  const wanted: Record<string, Record<string, string>> = {};

  beforeAll(async () => {
    const cwd = join(base, 'start');
    mkdirSync(cwd);
    change(cwd, 'listPets');
    await runInProcess(['openapi', 'api.json', '-o', 'out', '--name', 'pets-mcp'], {
      cwd,
    });
    writeFileSync(join(cwd, 'out/README.md'), 'my own words\n');
    writeFileSync(join(cwd, 'out/src/handlers/mine.ts'), 'export const mine = 1;\n');
    old = filesOf(join(cwd, 'out'));
    for (const name of ['findPets', 'seekPets']) {
      const copy = copyOf('start', `complete ${name}`);
      change(copy, name);
      if (name === 'findPets') changes = await countChanges(args, copy);
      else await runInProcess(args, { cwd: copy });
      wanted[name] = filesOf(join(copy, 'out'));
    }
  });

  test.each(Array.from({ length: runs }, (_, index) => index))('run %i of 20 is killed', async (index) => {
    expect(changes).toBeGreaterThan(10);
    // Over all changes, with the same source and with another one at the next run.
    const at = 1 + Math.floor((index * changes) / runs);
    const cwd = copyOf('start', `run ${String(index)}`);
    change(cwd, 'findPets');
    if (index % between === 0) await killProcess(args, cwd, at);
    else await withFailingDisk(cwd, 'kill', at, () => runInProcess(args, { cwd }));
    const killed = filesOf(join(cwd, 'out'));
    for (const [path, text] of Object.entries(killed)) {
      const wholeTexts = [old[path], wanted['findPets']?.[path]];
      if (!isTemporary(path) && path !== 'mcpgen.lock') expect(wholeTexts, path).toContain(text);
    }
    const readings = [
      ['check', 'out'],
      ['inspect', 'out'],
      ['generate', 'out', '--force', '--dry-run'],
    ];
    for (const reading of index % between === 1 ? readings : []) {
      const { stdout } = await runInProcess([...reading, '--json'], { cwd });
      expect(() => void JSON.parse(stdout), reading.join(' ')).not.toThrow();
      expect(filesOf(join(cwd, 'out')), reading.join(' ')).toEqual(killed);
    }
    const name = index % 2 === 0 ? 'findPets' : 'seekPets';
    change(cwd, name);
    const { exitCode, stderr } = await runInProcess(args, { cwd });
    expect(exitCode, stderr).toBe(0);
    expect(filesOf(join(cwd, 'out'))).toEqual(wanted[name]);
  });
});

/** Changes of a command that are tried; a new project has many more. */
const MOST_TRIED = 3;

describe.each<{ name: string; args: string[]; result: string }>([
  {
    name: 'install',
    args: ['install', 'out', '--client', 'cursor', '--scope', 'project'],
    result: '.cursor/mcp.json',
  },
  { name: 'overlay init', args: ['overlay', 'init', 'api.json', '--force'], result: 'mcpgen.overlay.yaml' },
  { name: 'skills init', args: ['skills', 'init', 'api.json', '--force'], result: 'skills' },
  {
    name: 'templates eject without --force',
    args: ['templates', 'eject', 'README.md', '.gitignore', '-o', 't'],
    result: 't/README.md.hbs',
  },
  { name: 'init', args: ['init', 'api.json'], result: 'listpets-mcp/mcpgen.config.json' },
  { name: 'publish init', args: ['publish', 'init', 'npm', 'out'], result: 'out/package.json' },
  {
    name: 'a new project',
    args: ['openapi', 'api.json', '-o', 'new'],
    result: 'new/mcpgen.lock',
  },
])('$name', ({ name, args, result }) => {
  test.each(['kill', 'full disk'] as const)('%s at each change', async (how) => {
    const start = `start of ${name} ${how}`.replaceAll(/\W+/g, '-');
    const cwd = join(base, start);
    mkdirSync(join(cwd, 'home'), { recursive: true });
    change(cwd, 'listPets');
    if (args.includes('out')) await runInProcess(['openapi', 'api.json', '-o', 'out'], { cwd });
    if (name === 'install') {
      mkdirSync(join(cwd, '.cursor'));
      writeFileSync(join(cwd, '.cursor/mcp.json'), '{ "mcpServers": { "mine": { "command": "x" } } }\n');
    }
    if (name === 'overlay init') writeFileSync(join(cwd, 'mcpgen.overlay.yaml'), '# mine\n');
    const before = filesOf(cwd);
    const complete = copyOf(start, `${start} complete`);
    const changes = await countChanges(args, complete);
    expect(existsSync(join(complete, result))).toBe(true);
    const after = filesOf(complete);
    const tried = Math.min(changes, MOST_TRIED);
    const steps = Array.from({ length: tried }, (_, index) => 1 + Math.floor((index * changes) / tried));
    for (const at of steps) {
      const copy = copyOf(start, `${start} at ${String(at)}`);
      await withFailingDisk(copy, how, at, () => runInProcess(args, { cwd: copy, env: homeIn(copy) }));
      for (const [path, text] of Object.entries(filesOf(copy)))
        if (!isTemporary(path) && !path.endsWith('mcpgen.lock'))
          expect([before[path], after[path]].map(placeless(complete)), path).toContain(placeless(copy)(text));
      if (how === 'full disk') expect(Object.keys(filesOf(copy)).filter(isTemporary)).toEqual([]);
      const { exitCode, stderr } = await runInProcess(args, { cwd: copy, env: homeIn(copy) });
      expect(exitCode, `${String(at)} ${stderr}`).toBe(0);
      const files = Object.entries(filesOf(copy)).map(([path, text]) => [path, placeless(copy)(text)]);
      expect(Object.fromEntries(files)).toEqual(
        Object.fromEntries(Object.entries(after).map(([path, text]) => [path, placeless(complete)(text)])),
      );
    }
  });
});

/** Entries of clients have absolute paths. */
function placeless(folder: string): (text: string | undefined) => string | undefined {
  return (text) => text?.replaceAll(JSON.stringify(folder).slice(1, -1), '<folder>');
}
