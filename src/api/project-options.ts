/** The options a project is compiled with, from its configuration. */
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { findMissingFiles } from '../config/load/config-checks.ts';
import type { FilledText } from '../config/load/interpolate.ts';
import {
  type ConfigRun,
  type ReadServer,
  readSingleServer,
  readConfiguredServers,
  reportSeveralServers,
} from '../config/load/read-config.ts';
import { readRouteMap } from '../config/load/read-route-map.ts';
import { mapTypeScriptPaths, resolveConfigPath } from '../config/options/make-config.ts';
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
import type { OuterConfig } from '../project/existing-project.ts';
import { omitUndefined } from '../util/collections.ts';
import type { GenerateOptions } from './options.ts';

export interface ResolvedServer {
  server?: string;
  options?: GenerateOptions;
  diagnostics: DiagnosticCollector;
}

/** Reads `mcpgen.config.*` in `dir`. `taker` is what takes one server alone. `undefined` after an error. */
export async function readProjectOptions(
  dir: string,
  run: ConfigRun,
  taker: string,
): Promise<GenerateOptions | undefined> {
  const read = await readSingleServer(dir, run, taker);
  return read && makeGenerateOptions(read, dir, run);
}

/**
 * The servers of a configuration, or the one that is meant, each when it is asked for. `taker` is what takes one alone.
 * `undefined` after an error.
 */
export async function listServerResolvers(
  dir: string,
  run: ConfigRun,
  taker = run.output === undefined ? undefined : '-o',
): Promise<(() => Promise<ResolvedServer>)[] | undefined> {
  const all = await readConfiguredServers(dir, run);
  if (all === undefined) return undefined;
  if (taker !== undefined && all.length > 1) {
    reportSeveralServers(all, taker, run);
    return undefined;
  }
  return all.map((read) => async () => {
    const diagnostics = new DiagnosticCollector();
    const options = await makeGenerateOptions(read, dir, { ...run, diagnostics });
    const { server } = read;
    return { diagnostics, ...(server && { server }), ...(options && { options }) };
  });
}

async function makeGenerateOptions(
  read: ReadServer,
  dir: string,
  run: ConfigRun,
): Promise<GenerateOptions | undefined> {
  const { config } = read;
  const { cwd, diagnostics, env, output, noCode, allowOutput, command } = run;
  const resolveFromConfigFolder = (path: string): string => resolveConfigPath(path, read.dir, cwd);
  const sourceRun = { ...run, resolveFromConfigFolder };
  await reportMissingFiles(read, run);
  const target = output ?? findProjectDir(read, cwd);
  if (diagnostics.hasErrors || !(await mayWriteProject(read, target, run))) return undefined;
  const { output: said, source, sources, typescript, routeMap, helpers, hooks, ...rest } = config;
  void [said, source, typescript];
  const own = await readSourceRouteMap(routeMap, sourceRun);
  const several = sources && (await Promise.all(sources.map((each) => makeSourceInput(each, sourceRun))));
  if (diagnostics.hasErrors) return undefined;
  const confinement = { file: join(read.dir, read.name), allowOutput, command };
  const place = target === undefined ? { beside: read.dir, confinement } : { dir: target };
  const isOwn = target !== undefined && resolve(cwd, target) === resolve(cwd, read.dir);
  return {
    ...mapOptionPaths(rest, resolveFromConfigFolder),
    ...(several ? makeJointSourceOptions(several) : mapSourcePaths(config, resolveFromConfigFolder)),
    ...own,
    cwd,
    ...place,
    ...(isOwn ? configToWrite(read) : { outer: makeOuterConfig(read, dir, output) }),
    variables: read.variables,
    asWritten: selectTextsForServer(read),
    ...omitUndefined({
      helpers: helpers && codeModuleName(helpers, read, resolveFromConfigFolder),
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
  { config, dir, name, server, placeOf }: ReadServer,
  target: string | undefined,
  { cwd, output, allowOutput, command, diagnostics }: ConfigRun,
): Promise<boolean> {
  if (target === undefined || output !== undefined || config.output === undefined) return true;
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

/** The texts with variables that are the server's own, or else shared, as if the configuration had only that one. */
function selectTextsForServer({ texts, server }: ReadServer): FilledText[] {
  const isTextOfServer = ([member, name]: Path): boolean => member === 'servers' && name === server;
  const own = texts
    .filter(({ path }) => isTextOfServer(path))
    .map((text) => ({ ...text, path: text.path.slice(2) }));
  return [...own, ...texts.filter(({ path: [member] }) => member !== 'servers')];
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
 * The project's folder, from `cwd`: what the configuration says, else its own folder, where that is a project. Undefined for
 * one that a person has written beside other things: its project is made beside it, by the server's name.
 */
export function findProjectDir({ config, dir, name }: ReadServer, cwd: string): string | undefined {
  if (config.output !== undefined) return resolveConfigPath(config.output, dir, cwd);
  const isEmitted = name === CONFIG_FILE && config.sources === undefined;
  const marks = ['mcpgen.lock', 'src/generated'];
  return isEmitted || marks.some((mark) => existsSync(resolve(cwd, dir, mark))) ? dir : undefined;
}

/** A configuration in the project's folder is the project's own; elsewhere the project gets one. */
function configToWrite({ name, text }: ReadServer): Pick<GenerateOptions, 'configText' | 'configFile'> {
  return text === undefined ? { configFile: name } : { configText: text };
}

/** `dir` and `output` are as they were given. */
function makeOuterConfig(
  { dir: folder, name, server }: ReadServer,
  dir: string,
  output: string | undefined,
): OuterConfig {
  const given = [
    ...(dir === '.' ? [] : [dir]),
    ...flagAsArguments('--server', server),
    ...flagAsArguments('-o', output),
  ];
  return { file: join(folder, name), command: ['mcpgen generate', ...given].join(' ') };
}

function flagAsArguments(flag: string, value: string | undefined): string[] {
  return value === undefined ? [] : [flag, value];
}

async function reportMissingFiles(
  { config, whole, server, dir, refuse }: ReadServer,
  { cwd, diagnostics, observer }: ConfigRun,
): Promise<void> {
  if (config.source === '-') diagnostics.report('no-source-kept', { file: join(dir, CONFIG_FILE), dir });
  await refuse(findMissingFiles(whole, server, { folder: dir, cwd, observer }), diagnostics);
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

function makeJointSourceOptions(sources: SourceInput[]): Pick<GenerateOptions, 'source' | 'sources'> {
  return { source: sources.map((each) => removeSecretPartsOfUrl(sourceName(each))).join(' and '), sources };
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
