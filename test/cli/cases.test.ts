// Each folder of `cases/` is a person at a shell: `case.json` says which files lie about and what is typed,
// `snapshot.txt` what happened. `RECORD=1` writes the snapshots anew.
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { canaries, planted } from '../support/canaries.ts';
import { runInProcess } from './support/fake-host.ts';
import { cleanEnvironment, mcpgen, type Spawned } from './support/spawn.ts';

interface Case {
  /** Path in the shell's folder → a fixture, or `text:` and the text itself. */
  files: Record<string, string>;
  /** A fixture that is piped into each command. */
  stdin?: string;
  commands: string[][];
}

/** Said by slow machines only. */
const PROGRESS = /^(reading|deriving|preparing|comparing) .* …\n/gm;

const cases = fileURLToPath(new URL('cases/', import.meta.url));
const fixtures = fileURLToPath(new URL('../../fixtures/', import.meta.url));

test.each(readdirSync(cases))('%s', async (name) => {
  const told = readCase(join(cases, name, 'case.json'));
  const cwd = realpathSync(mkdtempSync(join(tmpdir(), 'mcpgen-case-')));
  try {
    layOut(told, cwd);
    const stdin = told.stdin === undefined ? '' : readFileSync(join(fixtures, told.stdin));
    const steps: string[] = [];
    for (const args of told.commands) steps.push(describe(args, await type(args, cwd, stdin)));
    const happened = normalise(
      [...steps, `files afterwards:\n${listFiles(cwd, '').join('')}`].join('\n'),
      cwd,
    );
    const snapshot = join(cases, name, 'snapshot.txt');
    if (process.env['RECORD'] === '1') writeFileSync(snapshot, happened);
    expect(happened).toBe(existsSync(snapshot) ? readFileSync(snapshot, 'utf8') : '');
  } finally {
    rmSync(cwd, { recursive: true, force: true });
  }
});

const started = new Set<string | undefined>();

/** The first of each command is a process. Those after it run in this one, since a start takes most of the time. */
async function type(args: string[], cwd: string, stdin: string | Buffer): Promise<Spawned> {
  const [command] = args;
  if (!started.has(command)) {
    started.add(command);
    return mcpgen(args, { cwd, stdin });
  }
  const said = await runInProcess(args, {
    cwd,
    env: planted(cleanEnvironment()),
    readStdin: () => Promise.resolve(new Uint8Array(Buffer.from(stdin))),
    now: () => performance.now(),
  });
  canaries.hear(args.join(' '), said.stdout + said.stderr);
  return said;
}

function readCase(file: string): Case {
  const told: Case = JSON.parse(readFileSync(file, 'utf8'));
  return told;
}

function layOut({ files }: Case, cwd: string): void {
  for (const [path, from] of Object.entries(files)) {
    mkdirSync(dirname(join(cwd, path)), { recursive: true });
    if (from.startsWith('text:')) writeFileSync(join(cwd, path), from.slice('text:'.length));
    else cpSync(join(fixtures, from), join(cwd, path), { recursive: true });
  }
}

function describe(args: string[], { exitCode, stdout, stderr }: Spawned): string {
  return `$ mcpgen ${args.join(' ')}\nexit ${String(exitCode)}\n${block('stdout', stdout)}${block('stderr', stderr.replace(PROGRESS, ''))}`;
}

function block(name: string, text: string): string {
  return text === '' ? '' : `--- ${name}\n${text}${text.endsWith('\n') ? '' : '\n'}`;
}

/** Of an emitted project only what the case is about: that it is there, and what was kept of the person's. */
function listFiles(root: string, below: string): string[] {
  const isProject = existsSync(join(root, below, 'mcpgen.lock'));
  const entries = readdirSync(join(root, below), { withFileTypes: true }).sort((a, b) =>
    a.name < b.name ? -1 : 1,
  );
  const own = entries.flatMap((entry) => {
    const path = below === '' ? entry.name : `${below}/${entry.name}`;
    if (entry.isDirectory()) return isProject ? [] : listFiles(root, path);
    return isProject && !entry.name.endsWith('.orig') ? [] : [`  ${path}\n`];
  });
  return isProject ? [`  ${below}/ (a project)\n`, ...own] : own;
}

/** Times, counts that grow with the runtime, and the folder's name say nothing about the behaviour. */
function normalise(text: string, cwd: string): string {
  return text
    .replaceAll(cwd, '<cwd>')
    .replace(/\b\d+(ms|\.\d+s)\b/g, '<time>')
    .replace(/\b[\d,]+ files\b/g, '<n> files');
}
