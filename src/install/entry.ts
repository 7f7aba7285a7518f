/** The entry of a server in a client's configuration. */
import { realpathSync } from 'node:fs';
import { isAbsolute, join, relative, resolve, sep } from 'node:path';
import { DiagnosticError, type DiagnosticCollector, createDiagnostic } from '../diagnostics/collector.ts';
import { isRecord } from '../../templates/runtime/json-rpc.ts';
import type { InstallScope } from '../config/options/install-options.ts';
import type { BuiltProject } from '../project/built-project.ts';
import { type InstallClient, maximumToolsOf } from './clients.ts';

export interface EntryWish {
  name: string;
  scope: InstallScope;
  /** Names of variables that the server gets. */
  variables: readonly string[];
  url?: string | undefined;
  /** The server's own options. */
  options: readonly string[];
  /** The program of Node.js. */
  node: string;
  cwd: string;
}

/** An input of VS Code. */
export interface EntryInput {
  type: 'promptString';
  id: string;
  description: string;
  password: true;
}

export interface MadeEntry {
  entry: Record<string, unknown>;
  inputs: EntryInput[];
}

export function makeEntry(
  project: BuiltProject,
  client: InstallClient,
  wish: EntryWish,
  diagnostics: DiagnosticCollector,
): MadeEntry {
  const { url } = wish;
  const options = makeServerArguments(project, client, wish, diagnostics);
  if (url !== undefined) return { entry: makeRemoteEntry(client, url), inputs: [] };
  const started = makeStartCommand(project, client, wish);
  const { entry, inputs } = makeEnvironment(client, wish);
  return {
    inputs,
    entry: {
      ...client.local,
      command: started.command,
      args: [...started.args, ...options],
      ...entry,
    },
  };
}

/** The server's own options, and `--surface` where the client wants another list than the server has by itself. */
function makeServerArguments(
  project: BuiltProject,
  client: InstallClient,
  { options, url }: Pick<EntryWish, 'options' | 'url'>,
  diagnostics: DiagnosticCollector,
): string[] {
  const isGiven = options.some((option) => /^--surface(?:=|$)/.test(option));
  if (isGiven || /[?&]surface=/.test(url ?? '')) return [...options];
  return [...chooseSurfaceArgument(project, client, diagnostics, url !== undefined), ...options];
}

function makeRemoteEntry({ remote, title }: InstallClient, url: string): Record<string, unknown> {
  const { username, password } = new URL(url);
  const hasSecret = username !== '' || password !== '';
  if (remote !== undefined && !hasSecret) return remote(url);
  const problem = hasSecret
    ? `the user and password of --url would be written into the file of ${title}`
    : `the file of ${title} takes no URLs; add the server in its settings, below connectors`;
  throw new DiagnosticError(
    createDiagnostic('invalid-usage', { problem, suggestion: '', command: 'mcpgen install' }),
  );
}

interface Started {
  command: string;
  args: string[];
}

/**
 * Makes the command that starts the server: absolute paths for one account, which hold in each folder; for a project, paths
 * that hold on each machine.
 */
function makeStartCommand(
  { program }: BuiltProject,
  { folder = '' }: InstallClient,
  { scope, cwd, node }: EntryWish,
): Started {
  if (scope === 'user') return { command: node, args: [program] };
  const path = relative(realpathSync(cwd), program).split(sep).join('/');
  return { command: 'node', args: [folder + path] };
}

/** `--surface` for a client that wants another list than the server has by itself. */
function chooseSurfaceArgument(
  { tools, surface, hasSearch, dir }: BuiltProject,
  client: InstallClient,
  diagnostics: DiagnosticCollector,
  isRemote: boolean,
): string[] {
  if (client.searches === true) return surface === 'tools' ? [] : ['--surface', 'tools'];
  const limit = maximumToolsOf(client);
  if (surface === 'search' || tools.length <= limit) return [];
  if (hasSearch && !isRemote) return ['--surface', 'search'];
  const fix = hasSearch
    ? 'Start the server with `--surface tools,search`, and install its URL with `?surface=search`.'
    : `Add the tools that search with \`mcpgen generate ${dir} --feature search\`, and install again.`;
  const parameters = { client: client.title, tools: tools.length, limit, fix };
  diagnostics.report('client-takes-fewer-tools', parameters);
  return [];
}

function makeEnvironment(
  { variables: form, title }: InstallClient,
  { variables, name }: EntryWish,
): MadeEntry {
  if (variables.length === 0) return { entry: {}, inputs: [] };
  const makeEnvObject = (text: (variable: string) => string) => ({
    env: Object.fromEntries(variables.map((variable) => [variable, text(variable)])),
  });
  switch (form?.kind) {
    case 'text':
      return { entry: makeEnvObject(form.text), inputs: [] };
    case 'forward':
      return { entry: { [form.member]: [...variables] }, inputs: [] };
    case 'input':
      return {
        entry: makeEnvObject((variable) => `\${input:${idOfInput(name, variable)}}`),
        inputs: variables.map((variable) => ({
          type: 'promptString',
          id: idOfInput(name, variable),
          description: `${variable} for ${name}`,
          password: true,
        })),
      };
    case undefined:
      throw new DiagnosticError(
        createDiagnostic('client-without-variables', { client: title, variables: variables.join(', ') }),
      );
  }
}

export function idOfInput(name: string, variable: string): string {
  return `${name}-${variable}`;
}

/** Whether an entry starts this project's server. `folder` is that of a configuration of project scope. */
export function isEntryOfProject(
  entry: unknown,
  { program, packageSpec }: BuiltProject,
  folder: string,
): boolean {
  if (!isRecord(entry)) return false;
  const args: unknown[] = Array.isArray(entry['args']) ? entry['args'] : [];
  const name = packageSpec.replace(/(?!^)@[^@]*$/, '');
  return args
    .filter((arg) => typeof arg === 'string')
    .some((arg) => arg === name || arg.startsWith(`${name}@`) || isPathTo(program, arg, folder));
}

function isPathTo(program: string, arg: string, folder: string): boolean {
  const path = resolveEntryPath(arg, folder);
  if (!/main\.js$/.test(path)) return false;
  try {
    return realpathSync(path) === realpathSync(program);
  } catch {
    return path === program;
  }
}

/** A path of an entry as the client reads it, but for its variables. */
export function resolveEntryPath(arg: string, folder: string): string {
  const plain = arg.replace(/^\$\{(?:workspaceFolder|CLAUDE_PROJECT_DIR(?::-[^}]*)?)\}[\\/]?/, '');
  return isAbsolute(plain) ? plain : resolve(join(folder, plain));
}
