/** Changes to the configurations of clients: planned for all of them first, then made. */
import { isDeepStrictEqual } from 'node:util';
import { join } from 'node:path';
import { isRecord } from '../../templates/runtime/json-rpc.ts';
import type { InstallClientName, InstallScope } from '../config/options/install-options.ts';
import { type DiagnosticCollector, DiagnosticError, createDiagnostic } from '../diagnostics/collector.ts';
import type { BuiltProject } from '../project/built-project.ts';
import { type Program, findProgram } from '../write/find-program.ts';
import { runClaude } from './claude-command.ts';
import { INSTALL_CLIENTS, type InstallClient, type Machine } from './clients.ts';
import { type ConfigFile, readConfigFile, removeConfigLeftovers, writeConfigFile } from './config-file.ts';
import {
  type EntryInput,
  type EntryWish,
  type MadeEntry,
  idOfInput,
  makeEntry,
  isEntryOfProject,
} from './entry.ts';
import { UnfitText, getJsonAt, setJsonAt, setJsonList } from './json-edit.ts';
import { getTableAt, removeTableAt, setTableAt } from './toml-edit.ts';

type Entry = Record<string, unknown>;

export interface PlannedChange {
  client: InstallClientName;
  action: 'added' | 'updated' | 'unchanged' | 'removed' | 'absent';
  name: string;
  file: ConfigFile;
  text: string;
  scope: InstallScope;
  /** The entry as it is now. Absent if it is removed. */
  newEntry?: MadeEntry;
  /** The entry has values, which other users of the machine would see among the words of a command. */
  hasValues?: boolean;
  /** Claude Code's own command, which makes the change. */
  program?: Program;
  /** The entry as it was before. */
  old?: unknown;
}

export interface Place {
  client: InstallClientName;
  scope: InstallScope;
  name: string;
  /** Whether an entry of that name that starts another server may be replaced. */
  replaces: boolean;
  cwd: string;
  machine: Machine;
  /** The command line, for messages. */
  command: string;
}

export function planInstall(
  project: BuiltProject,
  place: Place,
  wish: Omit<EntryWish, 'name' | 'scope' | 'cwd' | 'node'>,
  diagnostics: DiagnosticCollector,
): PlannedChange {
  const { client: id, name, scope, cwd, machine } = place;
  const client = INSTALL_CLIENTS[id];
  const { file, old } = readCurrentEntry(place);
  const newEntry = makeEntry(project, client, { ...wish, name, scope, cwd, node: machine.node }, diagnostics);
  const isOurs = old === undefined || isEntryOfProject(old, project, cwd) || hasUrl(old, [wish.url]);
  if (!isOurs && !place.replaces) refuseForeignEntry(place, file);
  const entry = isOurs && isRecord(old) ? mergeEntries(old, newEntry.entry) : newEntry.entry;
  const text = runReportingUnfitText(file, () =>
    setServerEntry(file.text, client, name, entry, newEntry.inputs),
  );
  const hasValues = [old, entry].some(hasLiteralValues);
  const byCommand = hasValues ? {} : findClaudeCommand(place, project);
  const action = old === undefined ? 'added' : text === file.text ? 'unchanged' : 'updated';
  return {
    client: id,
    action,
    name,
    file,
    text,
    scope,
    newEntry: { ...newEntry, entry },
    hasValues,
    old,
    ...byCommand,
  };
}

/** `url`: that of the entry, if it is for a server that runs elsewhere. */
export function planRemoval(
  project: BuiltProject | undefined,
  place: Place,
  url: string | undefined,
): PlannedChange {
  const { client: id, name, scope, cwd } = place;
  const { file, old } = readCurrentEntry(place);
  const change = { client: id, name, file, scope, old };
  if (old === undefined) return { ...change, action: 'absent', text: file.text };
  const text = runReportingUnfitText(file, () => removeServerEntry(file.text, INSTALL_CLIENTS[id], name));
  const isOurs = project === undefined || isEntryOfProject(old, project, cwd) || hasUrl(old, [url]);
  if (!isOurs && !place.replaces) refuseForeignEntry(place, file);
  return { ...change, action: 'removed', text, ...findClaudeCommand(place, project) };
}

export function configPath(
  { files }: InstallClient,
  scope: InstallScope,
  machine: Machine,
  cwd: string,
): string | undefined {
  const path = files[scope]?.(machine);
  return path === undefined || scope === 'user' ? path : join(cwd, path);
}

/** The part of the file that has the entry, as it would be in a file of its own. */
export function printEntry({ client: id, name, newEntry }: PlannedChange): string {
  if (newEntry === undefined) return '';
  const { entry, inputs } = newEntry;
  return setServerEntry('', INSTALL_CLIENTS[id], name, entry, inputs);
}

export async function applyPlannedChange(change: PlannedChange): Promise<{ backup?: string }> {
  const { action, file, text, program, name, newEntry, scope, old } = change;
  if (action === 'unchanged' || action === 'absent') {
    removeConfigLeftovers(file.target);
    return {};
  }
  if (program !== undefined) {
    const runClaudeMcp = (...commandWords: string[]) =>
      runClaude(program, ['mcp', commandWords[0] ?? '', '--scope', 'user', ...commandWords.slice(1)]);
    if (old !== undefined) await runClaudeMcp('remove', name);
    if (newEntry === undefined) return {};
    try {
      await runClaudeMcp('add-json', name, JSON.stringify(newEntry.entry));
    } catch (error) {
      if (old !== undefined) await runClaudeMcp('add-json', name, JSON.stringify(old));
      throw error;
    }
    return {};
  }
  return writeConfigFile(file, text, { keepsBackup: action !== 'removed', isPrivate: scope === 'user' });
}

/** On Windows, `claude.cmd` is not used: it needs a shell, which would interpret the entry. */
function findClaudeCommand(
  { client, scope, cwd, machine: { env, platform } }: Place,
  project: BuiltProject | undefined,
): { program?: Program } {
  if (client !== 'claude-code' || scope !== 'user') return {};
  const program = findProgram('claude', project === undefined ? [cwd] : [cwd, project.root], env, platform);
  return program === undefined ? {} : { program };
}

function readCurrentEntry({ client: id, scope, name, machine, cwd }: Place): {
  file: ConfigFile;
  old: unknown;
} {
  const client = INSTALL_CLIENTS[id];
  const path = configPath(client, scope, machine, cwd);
  if (path === undefined) {
    const [other = ''] = Object.keys(client.files);
    throw new DiagnosticError(
      createDiagnostic('invalid-option', {
        option: '--scope',
        value: scope,
        expected: `${client.title} has only the scope ${other}.`,
      }),
    );
  }
  const file = readConfigFile(path, scope === 'project' ? cwd : undefined);
  const old = runReportingUnfitText(file, () =>
    file.text.trim() === '' ? undefined : readServerEntry(client, file.text, name),
  );
  return { file, old };
}

function refuseForeignEntry({ name, command }: Place, { path }: ConfigFile): never {
  throw new DiagnosticError(createDiagnostic('entry-of-another', { name, file: path, command }));
}

/** Reports a text that cannot be edited with its place. */
export function runReportingUnfitText<T>({ path, text }: ConfigFile, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof UnfitText)) throw error;
    const lines = text.slice(0, error.offset).split('\n');
    const file = `${path}:${String(lines.length)}:${String((lines.at(-1)?.length ?? 0) + 1)}`;
    const fix = 'Correct it there, or add what `mcpgen install --dry-run` prints by hand.';
    throw new DiagnosticError(createDiagnostic('client-config-unfit', { file, problem: error.message, fix }));
  }
}

export function readAll({ format, servers }: InstallClient, text: string): unknown {
  return format === 'json' ? getJsonAt(text, [servers]) : getTableAt(text, [servers]);
}

function readServerEntry(client: InstallClient, text: string, name: string): unknown {
  const all = readAll(client, text);
  return isRecord(all) && Object.hasOwn(all, name) ? all[name] : undefined;
}

function setServerEntry(
  text: string,
  client: InstallClient,
  name: string,
  entry: Entry,
  inputs: readonly EntryInput[],
): string {
  const { format, servers } = client;
  const isThere = text.trim() !== '' && isDeepStrictEqual(readServerEntry(client, text, name), entry);
  if (format === 'toml') return isThere ? text : setTableAt(text, [servers, name], entry);
  const changed = isThere ? text : setJsonAt(text, [servers, name], entry);
  const existing = listInputs(changed);
  const missing = inputs.filter(({ id }) => !existing.some((input) => recordOrEmpty(input)['id'] === id));
  return missing.length === 0 ? changed : setJsonList(changed, 'inputs', [...existing, ...missing]);
}

function removeServerEntry(text: string, client: InstallClient, name: string): string {
  const { format, servers } = client;
  if (format === 'toml') return removeTableAt(text, [servers, name]);
  const withoutEntry = setJsonAt(text, [servers, name], undefined);
  const inputs = listInputs(text);
  const staying = inputs.filter((input) => !isInputOfEntry(input, text, client, name));
  return staying.length === inputs.length ? withoutEntry : setJsonList(withoutEntry, 'inputs', staying);
}

function listInputs(text: string): unknown[] {
  const inputs = getJsonAt(text, ['inputs']);
  return Array.isArray(inputs) ? inputs : [];
}

/** Only this entry uses the input. */
function isInputOfEntry(input: unknown, text: string, client: InstallClient, name: string): boolean {
  const { env } = recordOrEmpty(readServerEntry(client, text, name));
  const ids = Object.keys(recordOrEmpty(env)).map((variable) => idOfInput(name, variable));
  const { id } = recordOrEmpty(input);
  return ids.some((inputId) => inputId === id && text.split(`\${input:${inputId}}`).length === 2);
}

/** Additions of a person to the entry stay, unless they belong to the other kind of transport. */
function mergeEntries(old: Entry, entry: Entry): Entry {
  const isOther = (isRecord(old) && old['command'] === undefined) === 'command' in entry;
  const otherKeys = [
    ...('command' in entry ? ['url', 'httpUrl', 'serverUrl', 'headers'] : ['command', 'args', 'env', 'cwd']),
    ...(isOther ? ['type'] : []),
  ];
  const keptMembers = Object.entries(old).filter(([key]) => !otherKeys.includes(key));
  const env = { ...recordOrEmpty(old['env']), ...recordOrEmpty(entry['env']) };
  const isLocal = 'command' in entry && Object.keys(env).length > 0;
  return { ...Object.fromEntries(keptMembers), ...entry, ...(isLocal ? { env } : {}) };
}

function recordOrEmpty(value: unknown): Entry {
  return isRecord(value) ? value : {};
}

/** Whether variables or headers have values of their own, rather than names that the client fills in. */
function hasLiteralValues(entry: unknown): boolean {
  const { env, headers } = recordOrEmpty(entry);
  const texts = [recordOrEmpty(env), recordOrEmpty(headers)].flatMap((each) => Object.values(each));
  return texts.some((text) => !/^\$\{\w+(?::-)?\}$/.test(String(text)));
}

function hasUrl(entry: unknown, urls: readonly unknown[]): boolean {
  const { url, httpUrl, serverUrl } = recordOrEmpty(entry);
  return [url, httpUrl, serverUrl].some((each) => each !== undefined && urls.includes(each));
}
