/** A server project in a temporary folder, with the runtime as Node runs it: JavaScript. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { FEATURES } from '../../src/model/feature-table.ts';
import { canaries, planted } from './canaries.ts';
import { judgeLines } from './conversation.ts';

const runtime = fileURLToPath(new URL('../../templates/runtime/', import.meta.url));
/** The others need packages, modules of functions, or other data. */
const guests = FEATURES.filter(
  ({ name }) => !['oauth', 'dpop', 'exchange', 'functions', 'skills', 'search', 'redis'].includes(name),
);

export interface TestProject {
  dir: string;
  main: string;
  remove: () => void;
}

/** `handlers` is the source of an object. */
export function writeProject(parts: { catalog?: object; bindings?: object; handlers?: string }): TestProject {
  const dir = mkdtempSync(join(tmpdir(), 'mcpgen-runtime-'));
  const write = (name: string, text: string) => {
    mkdirSync(dirname(join(dir, name)), { recursive: true });
    writeFileSync(join(dir, name), text);
  };
  const lists = { tools: [], resources: [], resourceTemplates: [], prompts: [] };
  const maps = { tools: {}, resources: {}, resourceTemplates: {}, prompts: {}, completions: [] };
  write('package.json', '{"type":"module"}');
  write('src/generated/catalog.json', JSON.stringify({ ...lists, ...parts.catalog }));
  write('src/generated/bindings.json', JSON.stringify({ ...maps, ...parts.bindings }));
  for (const name of readdirSync(runtime, { recursive: true, encoding: 'utf8' }))
    if (name.endsWith('.ts'))
      write(
        `dist/runtime/${name.slice(0, -3)}.js`,
        transpile(readFileSync(join(runtime, name), 'utf8'), name),
      );
  const imports = guests.map(
    ({ factory, module }) => `import { ${factory} } from './runtime/${module}.js';\n`,
  );
  write(
    'dist/server.js',
    `${imports.join('')}
const features = [${guests.map(({ factory }) => `${factory}()`).join(', ')}];
const handlers = ${parts.handlers ?? '{}'};
const generated = new URL('../src/generated/', import.meta.url);
export const server = { info: { name: 'pets', version: '1.2.3' }, generated, handlers, features };
`,
  );
  write(
    'dist/main.js',
    `import { run } from './runtime/run.js';
process.exitCode = await run(() => import('./server.js'), process, { home: new URL('..', import.meta.url) });
`,
  );
  return { dir, main: join(dir, 'dist/main.js'), remove: () => rmSync(dir, { recursive: true }) };
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

/** Starts the server in its folder, with nothing in the environment but `env` and secrets. */
export function startProject(
  { main, dir }: TestProject,
  args: string[] = [],
  env: NodeJS.ProcessEnv = {},
): Started {
  const child = spawn(process.execPath, [main, ...args], {
    cwd: dir,
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
