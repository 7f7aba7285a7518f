/** A server project in a temporary folder, with the runtime as Node runs it: JavaScript. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import type { Bindings } from '../../../templates/runtime/contract/bindings.ts';
import type { Catalog } from '../../../templates/runtime/contract/json-schema.ts';
import type { Mock } from '../../../templates/runtime/feature-loaders.ts';
import { printFeatures } from '../../../src/emit/data-files.ts';
import { FEATURES } from '../../../templates/runtime/features.ts';
import { canaries, planted } from '../../support/canaries.ts';
import { judgeLines } from '../../support/conversation.ts';

const runtime = fileURLToPath(new URL('../../../templates/runtime', import.meta.url));

export interface TestProject {
  dir: string;
  main: string;
  remove: () => void;
}

/**
 * `handlers` is the source of an object, `loading` of what runs ahead of it when the module is loaded; `functions` are
 * sources of modules below `dist/`.
 */
export function writeProject(parts: {
  catalog?: Partial<Catalog>;
  bindings?: Partial<Bindings>;
  mock?: Mock;
  /** The text of `search.json`. */
  search?: string;
  handlers?: string;
  loading?: string;
  functions?: Record<string, string>;
}): TestProject {
  const dir = mkdtempSync(join(tmpdir(), 'mcpgen-runtime-'));
  const write = (name: string, text: string) => {
    mkdirSync(dirname(join(dir, name)), { recursive: true });
    writeFileSync(join(dir, name), text);
  };
  mkdirSync(join(dir, 'dist'));
  symlinkSync((shared ??= transpileRuntime()), join(dir, 'dist/runtime'));
  const lists = { tools: [], resources: [], resourceTemplates: [], prompts: [] };
  const maps = { tools: {}, resources: {}, resourceTemplates: {}, prompts: {}, completions: [] };
  write('package.json', '{"type":"module"}');
  write('src/generated/catalog.json', JSON.stringify({ ...lists, ...parts.catalog }));
  write('src/generated/bindings.json', JSON.stringify({ ...maps, ...parts.bindings }));
  write(
    'src/generated/features.json',
    printFeatures(new Set(FEATURES.map(({ name }) => name)), parts.bindings ?? {}),
  );
  if (parts.mock !== undefined) write('src/generated/mock.json', JSON.stringify(parts.mock));
  if (parts.search !== undefined) write('src/generated/search.json', parts.search);
  const modules = Object.entries(parts.functions ?? {});
  for (const [name, text] of modules) write(`dist/${name}`, text);
  const loads = modules.map(([name]) => `'${name}': () => import('./${name}')`).join(', ');
  const functions =
    modules.length === 0
      ? ''
      : `functions: { runtime: () => import('./runtime/functions/index.js'), modules: { ${loads} } },`;
  write(
    'dist/server.js',
    `${parts.loading ?? ''}
import { allFeatures as features } from './runtime/all-features.js';
const handlers = ${parts.handlers ?? '{}'};
const generated = new URL('../src/generated/', import.meta.url);
export const server = { info: { name: 'pets', version: '1.2.3' }, generated, handlers, features, ${functions} };
`,
  );
  write(
    'dist/main.js',
    `import { run } from './runtime/main/run.js';
process.exitCode = await run(() => import('./server.js'), process, { home: new URL('..', import.meta.url) });
`,
  );
  return { dir, main: join(dir, 'dist/main.js'), remove: () => rmSync(dir, { recursive: true }) };
}

const RUN_EACH = `import { EventEmitter } from 'node:events';
import { writeFileSync } from 'node:fs';
import { Readable, Writable } from 'node:stream';
import { run } from './runtime/main/run.js';
const ended = [];
for (const { args, env } of JSON.parse(process.argv[2])) {
  const said = { stdout: '', stderr: '' };
  const sink = (name) => new Writable({ write: (chunk, _, done) => { said[name] += chunk; done(); } });
  const streams = { stdin: Readable.from([]), stdout: sink('stdout'), stderr: sink('stderr') };
  const host = Object.assign(new EventEmitter(), streams, { argv: ['node', 'main.js', ...args], env, exit: () => undefined });
  ended.push({ code: await run(() => import('./server.js'), host, { home: new URL('..', import.meta.url) }), ...said });
}
writeFileSync(process.argv[3], JSON.stringify(ended));
`;

/** Runs the server once for each command line, one after the other in one process: for those that don't come to serve. */
export async function runEach(
  project: TestProject,
  given: { args: string[]; env: NodeJS.ProcessEnv }[],
): Promise<{ code: number; stdout: string; stderr: string }[]> {
  const main = join(project.dir, 'dist/run-each.js');
  writeFileSync(main, RUN_EACH);
  const all = given.map(({ args, env }) => ({ args, env: planted(env, project.dir) }));
  const result = join(project.dir, 'ended.json');
  const { output, exit } = startProject({ ...project, main }, [JSON.stringify(all), result]);
  if ((await exit) !== 0) throw new Error(output.stderr);
  const text = readFileSync(result, 'utf8');
  canaries.hear('a run', text);
  return JSON.parse(text) as { code: number; stdout: string; stderr: string }[];
}

let shared: string | undefined;

/** A folder of the runtime as it is now, which is made once for all processes. */
function transpileRuntime(): string {
  const names = readdirSync(runtime, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .sort();
  const sources = names.map((name): [string, string] => [name, readFileSync(join(runtime, name), 'utf8')]);
  const hash = createHash('sha256')
    .update(JSON.stringify([ts.version, sources]))
    .digest('hex');
  const all = join(process.env['XDG_CACHE_HOME'] ?? tmpdir(), 'runtime');
  const folder = join(all, hash);
  if (existsSync(folder)) return folder;
  mkdirSync(all, { recursive: true });
  const unfinished = mkdtempSync(join(all, 'unfinished-'));
  writeFileSync(join(unfinished, 'package.json'), '{"type":"module"}');
  for (const [name, source] of sources) {
    const file = join(unfinished, `${name.slice(0, -3)}.js`);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, transpile(source, name));
  }
  try {
    renameSync(unfinished, folder);
  } catch {
    // Another process was quicker.
    rmSync(unfinished, { recursive: true });
  }
  return folder;
}

function transpile(source: string, fileName: string): string {
  const compilerOptions = {
    module: ts.ModuleKind.ESNext,
    target: ts.ScriptTarget.ES2023,
    rewriteRelativeImportExtensions: true,
    verbatimModuleSyntax: true,
  };
  return ts.transpileModule(source, { compilerOptions, fileName }).outputText;
}

export interface Started {
  child: ChildProcessWithoutNullStreams;
  /** All that came so far. */
  output: { stdout: string; stderr: string };
  exit: Promise<number | null>;
}

/** Starts the server in its folder or `cwd`, with nothing in the environment but `env` and secrets. */
export function startProject(
  { main, dir }: TestProject,
  args: string[] = [],
  env: NodeJS.ProcessEnv = {},
  cwd = dir,
): Started {
  const child = spawn(process.execPath, [main, ...args], {
    cwd,
    env: planted({ MCP_METRICS_PORT: 'off', ...env }, dir),
  });
  const output = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output.stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (output.stderr += text));
  canaries.hearAll('standard output', () => output.stdout);
  canaries.hearAll('standard error', () => output.stderr);
  judgeLines(child);
  const exit = new Promise<number | null>((resolve) => child.on('close', (code) => resolve(code)));
  return { child, output, exit };
}
