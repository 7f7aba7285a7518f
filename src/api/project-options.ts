/** The options a project is compiled with, from its configuration. */
import { existsSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';

import { ownMember } from '../../templates/runtime/json-rpc.ts';
import type { ConfigurationPlace } from '../derive/index.ts';
import type { FilledText } from '../config/load/interpolate.ts';
import {
  type ConfigRun,
  type ReadServer,
  readSingleServer,
  readConfiguredServers,
  reportSeveralServers,
} from '../config/load/read-config.ts';
import { readRouteMap } from '../config/load/read-route-map.ts';
import { findConfig } from '../config/load/find-config.ts';
import { makeConfig, mapTypeScriptPaths, resolveConfigPath } from '../config/options/make-config.ts';
import { CONFIG_FILE, type ServerConfig } from '../config/options/project-config.ts';
import { mapOptionPaths } from '../config/options/rows.ts';
import type { Path } from '../config/options/shape.ts';
import {
  type ConfigSource,
  type SourceInput,
  isDocument,
  listSourceFiles,
  sourceName,
} from '../config/options/sources.ts';
import { DiagnosticCollector } from '../diagnostics/collector.ts';
import { removeSecretPartsOfUrl } from '../model/without-credentials.ts';
import { createOtherOwner } from '../project/check-target.ts';
import type { Setting } from '../project/edit-config.ts';
import type { Owner } from '../project/existing-project.ts';
import {
  type Additions,
  addToSettings,
  compareSettings,
  listSettings,
  nameSources,
} from '../project/run-settings.ts';
import { omitUndefined } from '../util/collections.ts';
import { escapePointerToken } from '../util/json-schema.ts';
import { findWorkTree } from '../write/find-program.ts';
import type { GenerateOptions } from './options.ts';

export interface ResolvedServer {
  server?: string;
  options?: GenerateOptions;
  diagnostics: DiagnosticCollector;
}

/**
 * The servers of a configuration, or the one that is meant, each when it is asked for. `taker` is what takes one alone.
 * `undefined` after an error.
 */
export async function listServerResolvers(
  dir: string,
  run: ConfigRun & Additions,
  taker = run.output === undefined ? undefined : '-o',
): Promise<(() => Promise<ResolvedServer>)[] | undefined> {
  const all = await readConfiguredServers(dir, run);
  if (all === undefined) return undefined;
  const { addTargets = [], addFeatures = [] } = run;
  const isChange = addTargets.length + addFeatures.length > 0;
  const one = taker ?? (isChange ? 'a change of its settings' : undefined);
  if (one !== undefined && all.length > 1) {
    reportSeveralServers(all, one, run);
    return undefined;
  }
  return all.map((read) => async () => {
    const diagnostics = new DiagnosticCollector();
    const serverRun = { ...run, diagnostics };
    const settings = listSettings(addToSettings(read.config, run));
    const changed = settings.length === 0 ? read : await changeSettings(read, settings, dir, serverRun);
    const options = changed && (await makeGenerateOptions(changed, dir, serverRun));
    if (addTargets.includes('github'))
      reportWorkflowBelowRoot(resolve(run.cwd, findProjectDir(read, run.cwd) ?? dir), diagnostics);
    const { server } = read;
    return { diagnostics, ...(server && { server }), ...(options && { options }) };
  });
}

function reportWorkflowBelowRoot(project: string, diagnostics: DiagnosticCollector): void {
  const root = findWorkTree(project) ?? project;
  const below = relative(root, project).replaceAll('\\', '/');
  if (below !== '')
    diagnostics.report('publish-workflow-below-root', {
      folder: `${below}/.github/workflows`,
      project: below,
    });
}

interface ChangedServer extends ReadServer {
  edits?: Owner['edits'];
}

/** The server as its configuration says it after the edits, which are checked but not saved. `undefined` after an error. */
async function changeSettings(
  read: ReadServer,
  settings: readonly Setting[],
  dir: string,
  run: ConfigRun,
): Promise<ChangedServer | undefined> {
  const { editConfig } = await import('../project/edit-config.ts');
  const edits = editConfig(read, settings, makeCommand(read, dir, run.output), run);
  if (edits === undefined) return undefined;
  const again = { ...run, server: read.server, draft: edits };
  const changed = await readSingleServer(join(read.dir, read.name), again, '');
  return changed && { ...changed, project: read.project, edits };
}

/**
 * Options of a command line for the project in `dir`: with the settings of the configuration that owns it, to which those of the
 * command line are added. `undefined` after an error.
 */
export async function joinOwner(
  callOptions: GenerateOptions,
  dir: string,
  diagnostics: DiagnosticCollector,
): Promise<GenerateOptions | undefined> {
  const { cwd = '.', env, noCode, observer, command } = callOptions;
  const file = join(dir, CONFIG_FILE);
  const configLocation = findConfig(dir, cwd);
  if (configLocation.names.length === 0)
    return {
      ...callOptions,
      ...addToSettings(callOptions, callOptions),
      owner: { file, command: `mcpgen generate ${dir}`, isNew: true },
    };
  const run = { cwd, diagnostics, ...omitUndefined({ env, noCode, observer, command }) };
  const servers = await readConfiguredServers(dir, run);
  if (servers === undefined) return undefined;
  const read = servers.find((server) => isProjectOf(server, dir, cwd));
  if (read === undefined) {
    const there = join(configLocation.dir, configLocation.names[0] ?? CONFIG_FILE);
    diagnostics.add(createOtherOwner(dir, there, file));
    return undefined;
  }
  const options = await makeGenerateOptions(read, dir, run);
  if (options === undefined) return undefined;
  const { publish: addTargets, ...settings } = callOptions;
  const added = addToSettings(options, { ...callOptions, addTargets });
  const [before, here] = [options, { ...settings, ...added }].map((settings) =>
    makeConfig(settings, read.dir),
  );
  const changes = before && here && compareSettings(before, here);
  if (changes === undefined) {
    const config = join(read.dir, read.name);
    const problem = `${config} compiles ${nameSources(read)} to ${dir}, and this run names ${callOptions.source}`;
    const fix = `Change \`sources\` in ${config}, and run \`mcpgen generate ${dir}\`; or name another folder with -o.`;
    diagnostics.report('configured-twice', { problem, fix });
    return undefined;
  }
  const changed = changes.length === 0 ? read : await changeSettings(read, changes, dir, run);
  const joined = changed && (await makeGenerateOptions(changed, dir, run));
  return joined && { ...callOptions, ...joined };
}

function isProjectOf(read: ReadServer, dir: string, cwd: string): boolean {
  const project = findProjectDir(read, cwd);
  return project !== undefined && resolve(cwd, project) === resolve(cwd, dir);
}

async function makeGenerateOptions(
  read: ChangedServer,
  dir: string,
  run: ConfigRun,
): Promise<GenerateOptions | undefined> {
  const { config } = read;
  const { cwd, diagnostics, env, output, noCode, allowOutput, command } = run;
  const resolveFromConfigFolder = (path: string): string => resolveConfigPath(path, read.dir, cwd);
  const sourceRun = { ...run, resolveFromConfigFolder };
  if (config.source === '-')
    diagnostics.report('no-source-kept', { file: join(read.dir, CONFIG_FILE), dir: read.dir });
  const target = output ?? findProjectDir(read, cwd);
  if (diagnostics.hasErrors || !(await mayWriteProject(read, target, run))) return undefined;
  const { output: outputDir, source, sources, typescript, routeMap, hooks, ...rest } = config;
  void [outputDir, source, typescript];
  const routeMapOptions = await readSourceRouteMap(routeMap, sourceRun);
  const several = sources && (await Promise.all(sources.map((source) => makeSourceInput(source, sourceRun))));
  if (diagnostics.hasErrors) return undefined;
  const confinement = { file: join(read.dir, read.name), allowOutput, command };
  const place = target === undefined ? { beside: read.dir, confinement } : { dir: target };
  const { server, edits } = read;
  return {
    ...mapOptionPaths(rest, resolveFromConfigFolder),
    ...(several
      ? {
          source: several.map((source) => removeSecretPartsOfUrl(sourceName(source))).join(' and '),
          sources: several,
        }
      : mapSourcePaths(config, resolveFromConfigFolder)),
    ...routeMapOptions,
    cwd,
    ...place,
    owner: {
      file: join(read.dir, read.name),
      command: makeCommand(read, dir, output),
      ...omitUndefined({ server, edits }),
    },
    variables: read.variables,
    asWritten: selectTextsForServer(read),
    configuration: placeConfiguration(read),
    ...omitUndefined({
      hooks: hooks && codeModuleName(hooks, read, resolveFromConfigFolder),
      noCode,
      env,
    }),
  };
}

/**
 * Whether the project may be in `target`: what the command line names, and what is in the repository, may. False after an error.
 */
export async function mayWriteProject(
  { config, dir, name, project, server, placeOf }: ReadServer,
  target: string | undefined,
  { cwd, output, allowOutput, command, diagnostics }: ConfigRun,
): Promise<boolean> {
  if (target === undefined || output !== undefined) return true;
  if (project === undefined && config.output === undefined) return true;
  const { mayWriteTo } = await import('../project/output-permission.ts');
  const locateOutputSetting = () =>
    placeOf(server === undefined ? ['output'] : ['servers', server, 'output']);
  return mayWriteTo(
    target,
    cwd,
    { file: join(dir, name), place: locateOutputSetting, allowOutput, command },
    diagnostics,
  );
}

/** Finds out where the configuration has members: in the part of the server, or in that of all servers. */
function placeConfiguration({ dir, name, text, server, whole }: ReadServer): ConfigurationPlace {
  const part = server === undefined ? undefined : ownMember(whole.servers ?? {}, server);
  const pointerOf = (member: 'tools' | 'workflows'): string =>
    part?.[member] === undefined ? `/${member}` : `/servers/${escapePointerToken(server ?? '')}/${member}`;
  return {
    file: join(dir, name),
    ...(name.endsWith('.json') && { text }),
    pointers: { tools: pointerOf('tools'), workflows: pointerOf('workflows') },
  };
}

/** The texts with variables that are the server's own, or else shared, as if the configuration had only that one. */
function selectTextsForServer({ texts, server }: ReadServer): FilledText[] {
  const isTextOfServer = ([member, name]: Path): boolean => member === 'servers' && name === server;
  const serverTexts = texts
    .filter(({ path }) => isTextOfServer(path))
    .map((text) => ({ ...text, path: text.path.slice(2) }));
  return [...serverTexts, ...texts.filter(({ path: [member] }) => member !== 'servers')];
}

/** The name of a code module: its path, or for functions in a configuration the configuration's own path. */
function codeModuleName(
  code: object | string,
  { dir, name, server }: ReadServer,
  fromProject: (path: string) => string,
): string {
  return typeof code === 'string'
    ? fromProject(code)
    : `${join(dir, name)}${server === undefined ? '' : `#${server}`}`;
}

/**
 * The project's folder, from `cwd`: the one whose lock named the configuration, or what that says, or its own folder. Undefined
 * for code beside other things: its project is made beside it, by the server's name.
 */
export function findProjectDir({ config, dir, name, project }: ReadServer, cwd: string): string | undefined {
  if (project !== undefined) return project;
  if (config.output !== undefined) return resolveConfigPath(config.output, dir, cwd);
  const marks = ['mcpgen.lock', 'src/generated'];
  return name === CONFIG_FILE || marks.some((mark) => existsSync(resolve(cwd, dir, mark))) ? dir : undefined;
}

/** `dir` and `output` are as they were given. */
function makeCommand({ server, project }: ReadServer, dir: string, output: string | undefined): string {
  const options = [
    ...(dir === '.' ? [] : [dir]),
    ...(server === undefined || project !== undefined ? [] : ['--server', server]),
    ...(output === undefined ? [] : ['-o', output]),
  ];
  return ['mcpgen generate', ...options].join(' ');
}

export interface SourceRun extends ConfigRun {
  /** Turns a path of the configuration into one from `cwd`. */
  resolveFromConfigFolder: (path: string) => string;
}

function mapSourcePaths(
  { source = '', typescript }: Pick<ServerConfig, 'source' | 'typescript'>,
  fromProject: (path: string) => string,
): Pick<GenerateOptions, 'source' | 'typescript'> {
  if (typescript === undefined) return { source: fromProject(source) };
  const mapped = mapTypeScriptPaths(typescript, fromProject);
  return { source: mapped.files.join(' '), typescript: mapped };
}

async function makeSourceInput(source: ConfigSource, sourceRun: SourceRun): Promise<SourceInput> {
  const { resolveFromConfigFolder } = sourceRun;
  if (!isDocument(source))
    return {
      ...mapOptionPaths(source, resolveFromConfigFolder),
      typescript: listSourceFiles(source).map(resolveFromConfigFolder),
    };
  const { openapi, routeMap, ...rest } = source;
  return {
    ...mapOptionPaths(rest, resolveFromConfigFolder),
    openapi: resolveFromConfigFolder(openapi),
    ...(await readSourceRouteMap(routeMap, sourceRun)),
  };
}

/** Reads the route map of a source, if it is a file, and keeps the path for the configuration of the project. */
async function readSourceRouteMap(
  routeMap: ServerConfig['routeMap'],
  { resolveFromConfigFolder, cwd, diagnostics, observer }: SourceRun,
): Promise<Pick<GenerateOptions, 'routeMap' | 'routeMapFile'>> {
  if (routeMap === undefined) return {};
  if (typeof routeMap !== 'string') return { routeMap };
  const routeMapFile = resolveFromConfigFolder(routeMap);
  observer?.file(resolve(cwd, routeMapFile));
  const rules = await readRouteMap(routeMapFile, cwd, diagnostics);
  return { routeMapFile, ...omitUndefined({ routeMap: rules }) };
}
