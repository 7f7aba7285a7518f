/** Finds and reads the configuration of a project, and chooses its servers. */
import { existsSync, readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, extname, join, relative, resolve } from 'node:path';

import { isRecord } from '../../../templates/runtime/json-rpc.ts';
import { nearest } from '../../../templates/runtime/validate.ts';
import type { DiagnosticCollector } from '../../diagnostics/collector.ts';
import type { LineColumn } from '../../util/text-lines.ts';
import type { Observer } from '../../model/observer.ts';
import type { CodeOrigin } from '../../model/origin.ts';
import { formatNameList } from '../../util/collections.ts';
import { type NamedServer, checkConfig, isFaulty, listServers } from '../options/parse-config.ts';
import type { Permissions } from '../options/permissions.ts';
import { CONFIG_FILE, CONFIG_FILES, type ProjectConfig } from '../options/project-config.ts';
import { type Fault, type Path, describeFault } from '../options/shape.ts';
import { findConsentNeeds } from './config-checks.ts';
import type { createPlaceFinder } from './config-value.ts';
import { findConfig } from './find-config.ts';
import { type Environment, type FilledText, type Interpolated, fillInVariables } from './interpolate.ts';

export interface ReadConfig {
  config: ProjectConfig;
  /** Folder of the file, from the working folder. The paths in the configuration are relative to it. */
  dir: string;
  name: string;
  /** The chosen one of several servers. */
  chosen?: string | undefined;
  /** The project whose lock names the configuration, if its folder was given. */
  project?: string | undefined;
  text: string;
  variables: Record<string, string>;
  texts: readonly FilledText[];
  /** Undefined in code. */
  placeOf: (path: Path) => Promise<CodeOrigin | undefined>;
}

export interface ConfigRun extends Permissions {
  cwd: string;
  diagnostics: DiagnosticCollector;
  env?: Environment | undefined;
  observer?: Observer | undefined;
  /** The chosen one of several servers. Variables that only others use need not be set. */
  server?: string | undefined;
  /** The project's folder, instead of the configuration's `output`. */
  output?: string | undefined;
  /** The configuration's text in place of that on disk, for settings that are tried. */
  draft?: { path: string; text: string } | undefined;
}

/**
 * Reads the configuration `path`, or that of the folder `path`. Reports all faults; `undefined` after an error. The chosen server
 * is that of the project, if its lock names one.
 */
export async function readConfig(path: string, requestedRun: ConfigRun): Promise<ReadConfig | undefined> {
  const { cwd, diagnostics, observer } = requestedRun;
  const { dir, names, project, server } = findConfig(path, cwd);
  const run = { ...requestedRun, server: requestedRun.server ?? server };
  const isOfProject = run.server === server;
  for (const name of names.length > 0 ? names : CONFIG_FILES) observer?.file(resolve(cwd, dir, name));
  const [name = CONFIG_FILE, other] = names;
  const file = join(dir, name);
  if (other !== undefined) {
    diagnostics.report('several-configs', { dir, files: names.join(' and ') });
    return undefined;
  }
  if (names.length === 0) {
    const forms = CONFIG_FILES.filter((name) => name !== CONFIG_FILE)
      .map((name) => extname(name))
      .join(', ');
    const configAbove = findConfigAbove(resolve(cwd, dir));
    const above = configAbove === undefined ? '' : relative(resolve(cwd), configAbove) || '.';
    diagnostics.report('missing-config', {
      file,
      forms,
      above,
      below: formatNameList(listConfiguredBelow(dir, cwd)),
    });
    return undefined;
  }
  if (run.noCode === true && /\.m?[jt]s$/.test(name)) {
    diagnostics.report('code-refused', { file, because: 'it is a configuration in code' });
    return undefined;
  }
  const text =
    run.draft?.path === resolve(cwd, file) ? run.draft.text : await readText(file, cwd, diagnostics);
  if (text === undefined) return undefined;
  const read = await evaluateConfig(file, text, run);
  return read && { ...read, dir, name, text, chosen: run.server, ...(isOfProject && { project }) };
}

/** The folders of `dir` with a configuration. */
function listConfiguredBelow(dir: string, cwd: string): string[] {
  const folder = resolve(cwd, dir);
  if (!existsSync(folder)) return [];
  const folders = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return folders
    .map(({ name }) => join(dir, name))
    .filter((folder) => findConfig(folder, cwd).names.length > 0)
    .sort();
}

function findConfigAbove(folder: string): string | undefined {
  const parent = dirname(folder);
  if (parent === folder) return undefined;
  const there = CONFIG_FILES.find((name) => existsSync(join(parent, name)));
  return there === undefined ? findConfigAbove(parent) : join(parent, there);
}

async function readText(
  file: string,
  cwd: string,
  diagnostics: DiagnosticCollector,
): Promise<string | undefined> {
  try {
    return await readFile(resolve(cwd, file), 'utf8');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    if (code === 'ENOENT' || code === 'ENOTDIR')
      diagnostics.report('missing-config', { file, forms: '', above: '', below: '' });
    else diagnostics.report('invalid-config', { file, problem: `it cannot be read (${code})` });
    return undefined;
  }
}

async function evaluateConfig(
  file: string,
  text: string,
  run: ConfigRun,
): Promise<Omit<ReadConfig, 'dir' | 'name' | 'chosen' | 'project' | 'text'> | undefined> {
  const { cwd, diagnostics, env = {}, observer, server } = run;
  const makeCodeOrigin = (place: LineColumn | undefined): CodeOrigin | undefined =>
    place && { kind: 'code', file, ...place };
  const { parseConfigText: configValue } = await import('./config-value.ts');
  const read = await configValue(resolve(cwd, file), text, observer);
  if ('problems' in read) {
    for (const { problem, place } of read.problems)
      diagnostics.report('invalid-config', { file, problem }, { at: makeCodeOrigin(place) });
    return undefined;
  }
  const { value, texts, variables, unset, faults } = fillVariablesForServer(server, read.value, env);
  const config = checkConfig(value);
  const consentNeeds = findConsentNeeds(value, texts, dirname(file), run);
  const rest = {
    variables,
    texts,
    placeOf: async (path: Path) => makeCodeOrigin((await loadPositionFinder(file, text))({ path })),
  };
  const isSound = !isFaulty(config) && unset.length + faults.length === 0;
  if (isSound && consentNeeds.length === 0) return { config, ...rest };
  const placeOf = await loadPositionFinder(file, text);
  for (const { path, report } of consentNeeds) report(makeCodeOrigin(placeOf({ path })));
  if (isSound && !consentNeeds.some(({ isError }) => isError)) return { config, ...rest };
  for (const variable of unset)
    diagnostics.report('unset-variable', { name: variable.name }, { at: makeCodeOrigin(placeOf(variable)) });
  const wrong = isFaulty(config) ? config.faults : [];
  await reportConfigFaults(
    [...faults, ...wrong.filter((fault) => !isAtUnsetVariable(fault, [...unset, ...faults]))],
    file,
    text,
    diagnostics,
  );
  return undefined;
}

async function loadPositionFinder(file: string, text: string): ReturnType<typeof createPlaceFinder> {
  const loaded = await import('./config-value.ts');
  return loaded.createPlaceFinder(file, text);
}

async function reportConfigFaults(
  faults: readonly Fault[],
  file: string,
  text: string,
  diagnostics: DiagnosticCollector,
): Promise<void> {
  if (faults.length === 0) return;
  const placeOf = await loadPositionFinder(file, text);
  const placed = faults.map((fault) => ({ fault, place: placeOf(fault) }));
  placed.sort(({ place: one }, { place: other }) =>
    one && other ? one.line - other.line || one.column - other.column : 0,
  );
  for (const { fault, place } of placed) {
    const parameters = { file, problem: describeFault(fault) };
    diagnostics.report('invalid-config', parameters, { at: place && { kind: 'code', file, ...place } });
  }
}

/** The value with variables in its texts. Other servers whose variables are not set are left out. */
function fillVariablesForServer(server: string | undefined, value: unknown, env: Environment): Interpolated {
  const filled = fillInVariables(value, env);
  if (server === undefined || !isRecord(value)) return filled;
  const { servers } = value;
  if (!isRecord(servers) || !Object.hasOwn(servers, server)) return filled;
  const unset = new Set(
    filled.unset.map(({ path: [member, name] }) => (member === 'servers' ? name : undefined)),
  );
  const usableServers = Object.entries(servers).filter(([name]) => name === server || !unset.has(name));
  return fillInVariables({ ...value, servers: Object.fromEntries(usableServers) }, env);
}

function isAtUnsetVariable({ path }: Fault, unset: readonly { path: Path }[]): boolean {
  return unset.some(
    (text) => text.path.length === path.length && text.path.every((step, at) => step === path[at]),
  );
}

export interface ReadServer extends NamedServer, Omit<ReadConfig, 'config' | 'chosen'> {
  /** The configuration with all of its servers. */
  whole: ProjectConfig;
}

/** Reads the only server, or the chosen one. `taker` names the command, for the error if there are several. */
export async function readSingleServer(
  dir: string,
  run: ConfigRun,
  taker: string,
): Promise<ReadServer | undefined> {
  const all = (await readConfiguredServers(dir, run)) ?? [];
  if (all.length < 2) return all[0];
  reportSeveralServers(all, taker, run);
  return undefined;
}

/** The chosen server, or all in the order they are written. `undefined` after an error. */
export async function readConfiguredServers(dir: string, run: ConfigRun): Promise<ReadServer[] | undefined> {
  const read = await readConfig(dir, run);
  if (read === undefined) return undefined;
  const { config, chosen: server, project, ...rest } = read;
  const all = listServers(config);
  const chosen = server === undefined ? all : all.filter((namedServer) => namedServer.server === server);
  if (chosen.length === 0) {
    reportUnknownServer(all, read, run);
    return undefined;
  }
  const isOfProject = ({ config: { output = '.' } }: NamedServer): boolean =>
    project !== undefined && resolve(run.cwd, read.dir, output) === resolve(run.cwd, project);
  // A configuration may have got several servers since its lock was written.
  const ofProject = chosen.length > 1 ? chosen.filter(isOfProject) : chosen;
  const isFound = ofProject.length === 1;
  return (isFound ? ofProject : chosen).map((namedServer) => ({
    ...{ ...rest, ...namedServer, whole: config },
    ...(isFound && { project }),
  }));
}

function reportUnknownServer(
  all: readonly NamedServer[],
  { dir, name, chosen = '' }: ReadConfig,
  { diagnostics }: ConfigRun,
): void {
  const names = all.flatMap(({ server }) => server ?? []);
  const file = join(dir, name);
  if (names.length === 0) {
    const problem = `configures a single server, so it has no server "${chosen}"`;
    diagnostics.report('unknown-server', { file, problem, fix: 'Omit `--server`.' });
    return;
  }
  const suggestion = nearest(chosen, names);
  diagnostics.report('unknown-server', {
    file,
    problem: `has no server "${chosen}". It has ${names.join(', ')}`,
    fix:
      suggestion === undefined
        ? 'Use one of these names, or omit `--server` for all.'
        : `Did you mean ${suggestion}?`,
  });
}

/** `taker` names the command, which takes one server. */
export function reportSeveralServers(
  all: readonly ReadServer[],
  taker: string,
  { diagnostics }: ConfigRun,
): void {
  const [first] = all;
  if (first === undefined) return;
  const names = all.flatMap(({ server }) => server ?? []);
  diagnostics.report('unknown-server', {
    file: join(first.dir, first.name),
    problem: `has several servers (${names.join(', ')}), but ${taker} needs one`,
    fix: `Choose it with \`--server ${names[0] ?? ''}\`.`,
  });
}
