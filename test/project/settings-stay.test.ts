// No sequence of commands removes what one of them made, unless the run that removes it has said so.
import { existsSync, readFileSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import fc from 'fast-check';
import { expect, onTestFinished, test, vi } from 'vitest';
import { type Said, runInProcess } from '../cli/support/fake-host.ts';
import { temporaryFolder } from '../cli/support/temporary-folder.ts';

const DOCUMENT = `openapi: 3.1.0
info: { title: Pets, version: '1' }
servers: [{ url: 'https://pets.example.com' }]
paths:
  /pets:
    get: { operationId: listPets, tags: [pets], responses: { 200: { description: Pets. } } }
    delete: { operationId: deletePets, tags: [admin], responses: { 204: { description: Gone. } } }
`;

/** What the owner of the project says beside its source. Of several servers each has a folder. */
const OWNERS: Record<string, Record<string, string> | string> = {
  init: 'init SOURCE --name p',
  openapi: 'openapi SOURCE -o p --name p',
  above: { 'mcpgen.config.json': '{\n  // Ours.\n  "output": "p", "source": "SOURCE"\n}\n' },
  list: { 'mcpgen.config.json': '{ "output": "p", "sources": [{ "openapi": "SOURCE" }] }\n' },
  several: {
    'mcpgen.config.json': '{ "servers": { "p": { "source": "SOURCE" }, "q": { "source": "SOURCE" } } }\n',
  },
  code: { 'mcpgen.config.mjs': "export default { output: 'p', source: 'SOURCE' };\n" },
};

/** A command line, run in the folder of the project if `isInside`; `.`, `p` and the source are filled in. */
interface Step {
  line: string;
  isInside?: boolean;
}

const lists = [
  ...['docker', 'npm docker', 'mcpb'].map((target) => ({ line: `publish init ${target} DIR` })),
  ...['ask', 'websocket', 'mock,tasks'].map((names) => ({ line: `generate DIR --feature ${names}` })),
];
const openapi = [
  '--include tag:pets',
  '--exclude method:DELETE',
  '--publish docker --publish kubernetes',
  '--feature sse',
  '--surface search --pin op:listPets',
  '',
].map((flags) => ({ line: `openapi SOURCE -o DIR ${flags}`.trim() }));
const others = [
  { line: 'generate DIR' },
  { line: 'overlay init DIR -o names.overlay.yaml --force' },
  { line: 'templates eject .gitignore --force', isInside: true },
  { line: 'install DIR --client cursor --force' },
  { line: 'RENAME' },
  { line: 'check DIR' },
];
const steps: fc.Arbitrary<Step> = fc
  .tuple(
    fc.oneof(fc.constantFrom(...lists), fc.constantFrom(...openapi), fc.constantFrom(...others)),
    fc.boolean(),
  )
  .map(([step, isInside]) => ({ isInside, ...step }));

class Workspace {
  readonly cwd = temporaryFolder();
  source = 'pets.yaml';
  /** Each setting that a command has written, as a member of the configuration and a part of its value. */
  readonly settings = new Map<string, unknown>();
  files = new Set<string>();

  async begin(owner: string): Promise<void> {
    writeFileSync(join(this.cwd, this.source), DOCUMENT);
    const made = OWNERS[owner] ?? '';
    if (typeof made === 'string') await this.run(made, this.cwd);
    else
      for (const [file, text] of Object.entries(made))
        writeFileSync(join(this.cwd, file), text.replaceAll('SOURCE', this.source));
    const root = existsSync(join(this.cwd, 'p')) ? 'generate p' : 'generate';
    expect(await this.run(root, this.cwd)).toMatchObject({ exitCode: 0 });
    this.files = this.list();
  }

  async step({ line, isInside = false }: Step): Promise<void> {
    if (line === 'RENAME') return this.rename();
    const folder = isInside ? join(this.cwd, 'p') : this.cwd;
    const source = relative(folder, join(this.cwd, this.source));
    const filled = line.replace('DIR', isInside ? '.' : 'p').replace('SOURCE', source);
    const before = this.readEffective();
    const { exitCode, stdout, stderr } = await this.run(`${filled} --json`, folder);
    const { result } = JSON.parse(stdout) as { result: { removed?: string[] } | null };
    const removed = new Set((result?.removed ?? []).map((path) => join('p', path)));
    const now = this.list();
    const lost = [...this.files].filter((file) => !now.has(file));
    expect(
      lost.filter((file) => !removed.has(file)),
      `${filled}: files`,
    ).toEqual([]);
    for (const file of lost) if (!file.startsWith('p/src/')) expect(stderr, filled).toContain(file.slice(2));
    if (exitCode !== 0) expect([lost, this.readEffective()], filled).toEqual([[], before]);
    this.files = now;
    this.compareSettings(before, filled, stdout);
  }

  /** A member that has another value was named by the command; lists that commands add to only grow. */
  compareSettings(before: Record<string, unknown>, line: string, stdout: string): void {
    const now = this.readEffective();
    for (const [member, value] of Object.entries(before)) {
      if (JSON.stringify(now[member]) === JSON.stringify(value)) continue;
      expect(stdout, `${line}: ${member}`).toContain(`${member}: `);
      const isAdded = ['publish', 'features', 'overlays'].includes(member);
      if (isAdded)
        expect(now[member], `${line}: ${member}`).toEqual(expect.arrayContaining(value as string[]));
    }
  }

  async rename(): Promise<void> {
    const old = this.source;
    this.source = old === 'pets.yaml' ? 'animals.yaml' : 'pets.yaml';
    renameSync(join(this.cwd, old), join(this.cwd, this.source));
    const config = this.findConfig();
    // A person corrects the configuration where a command line cannot.
    if (config.endsWith('.json')) {
      const text = readFileSync(config, 'utf8');
      writeFileSync(config, text.replaceAll(old, this.source));
    } else writeFileSync(config, readFileSync(config, 'utf8').replaceAll(old, this.source));
    this.files = this.list();
  }

  findConfig(): string {
    const lock = JSON.parse(readFileSync(join(this.cwd, 'p/mcpgen.lock'), 'utf8')) as {
      configuration: string;
    };
    return join(this.cwd, 'p', lock.configuration);
  }

  readEffective(): Record<string, unknown> {
    const text = readFileSync(this.findConfig(), 'utf8');
    if (text.startsWith('export')) return { text };
    const { servers, ...own } = JSON.parse(text.replace(/^\s*\/\/.*$/gm, '')) as Record<string, unknown> & {
      servers?: Record<string, Record<string, unknown>>;
    };
    return { ...own, ...servers?.['p'] };
  }

  list(): Set<string> {
    const entries = readdirSync(this.cwd, { recursive: true, withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile());
    const paths = files.map(({ parentPath, name }) => relative(this.cwd, join(parentPath, name)));
    return new Set(paths.filter((path) => !/^[pq]\/dist\//.test(path)));
  }

  run(line: string, cwd: string): Promise<Said> {
    return runInProcess(line.replaceAll('SOURCE', this.source).split(' '), { cwd });
  }
}

const numRuns = Number(process.env['FC_RUNS'] ?? 10);

test(
  'six commands in any order keep what each of them made, or name it',
  { timeout: 60_000 + numRuns * 30_000 },
  async () => {
    vi.stubEnv('HOME', temporaryFolder());
    onTestFinished(() => void vi.unstubAllEnvs());
    const sequence = fc.tuple(
      fc.constantFrom(...Object.keys(OWNERS)),
      fc.array(steps, { minLength: 6, maxLength: 6 }),
    );
    await fc.assert(
      fc.asyncProperty(sequence, async ([owner, drawn]) => {
        const workspace = new Workspace();
        await workspace.begin(owner);
        for (const step of drawn) await workspace.step(step);
        const { exitCode } = await workspace.run('generate p', workspace.cwd);
        expect(exitCode).toBe(0);
        expect((await workspace.run('check p', workspace.cwd)).exitCode, 'check p').toBe(0);
      }),
      { numRuns },
    );
  },
);
