/** The options a project is compiled with, from its configuration. */
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { mapPaths, pathFromConfig } from './config/make-config.ts';
import { CONFIG_FILE, type ProjectConfig, type ServerConfig } from './config/project-config.ts';
import { type ConfigSource, filesOf, isDocument, type SourceInput, sourceName } from './config/sources.ts';
import { type NamedServer, serversOf } from './config/servers.ts';
import { nearest } from './derive/nearest.ts';
import { DiagnosticCollector } from './diagnostics/collector.ts';
import type { GenerateOptions, OuterConfig } from './generate.ts';
import { missingFiles } from './missing-files.ts';
import { type ConfigRun, readConfig, type ReadConfig } from './read-config.ts';
import { readRouteMap } from './read-route-map.ts';

/** Which project is meant, and with what its configuration is read. */
export interface ProjectRun extends ConfigRun {
  /** The project's folder, in place of what the configuration says. */
  output?: string | undefined;
}

/** The options of one server. */
export interface ServerOptions {
  /** Absent where the configuration is of one server alone. */
  server?: string;
  /** Absent after an error. */
  options?: GenerateOptions;
  /** What there is to say of them. */
  diagnostics: DiagnosticCollector;
}

/** One server of a configuration, with what was read beside it. */
export interface ReadServer extends NamedServer, Omit<ReadConfig, 'config'> {
  /** The configuration that it is a server of. */
  whole: ProjectConfig;
}

/** What configurations are read by: a path of theirs, as it is from `cwd`. */
interface Surroundings extends ProjectRun {
  fromProject: (path: string) => string;
}

/** Reads `mcpgen.config.*` in `dir`. `taker` is what takes one server alone. `undefined` after an error. */
export async function projectOptions(
  dir: string,
  run: ProjectRun,
  taker: string,
): Promise<GenerateOptions | undefined> {
  const read = await readServer(dir, run, taker);
  return read && optionsOf(read, dir, run);
}

/** The server that is meant; `undefined`, and reported, where none is. */
export async function readServer(
  dir: string,
  run: ProjectRun,
  taker: string,
): Promise<ReadServer | undefined> {
  const all = (await readServers(dir, run)) ?? [];
  if (all.length < 2) return all[0];
  reportSeveral(all, taker, run);
  return undefined;
}

/**
 * The servers of a configuration, or the one that is meant, each when it is asked for. `taker` is what takes one alone.
 * `undefined` after an error.
 */
export async function eachServer(
  dir: string,
  run: ProjectRun,
  taker = run.output === undefined ? undefined : '-o',
): Promise<(() => Promise<ServerOptions>)[] | undefined> {
  const all = await readServers(dir, run);
  if (all === undefined) return undefined;
  if (taker !== undefined && all.length > 1) {
    reportSeveral(all, taker, run);
    return undefined;
  }
  return all.map((read) => async () => {
    const diagnostics = new DiagnosticCollector();
    const options = await optionsOf(read, dir, { ...run, diagnostics });
    const { server } = read;
    return { diagnostics, ...(server && { server }), ...(options && { options }) };
  });
}

async function readServers(dir: string, run: ProjectRun): Promise<ReadServer[] | undefined> {
  const read = await readConfig(dir, run);
  if (read === undefined) return undefined;
  const { config, ...rest } = read;
  const all = serversOf(config);
  const chosen = run.server === undefined ? all : all.filter(({ server }) => server === run.server);
  if (chosen.length > 0) return chosen.map((each) => ({ ...rest, ...each, whole: config }));
  reportUnknown(all, read, run);
  return undefined;
}

function reportUnknown(
  all: readonly NamedServer[],
  { dir, name }: ReadConfig,
  { server: given = '', diagnostics }: ProjectRun,
): void {
  const names = all.flatMap(({ server }) => server ?? []);
  const near = nearest(given, names);
  diagnostics.report('unknown-server', {
    file: join(dir, name),
    server: given,
    known: names.join(', '),
    near: near ?? '',
  });
}

function reportSeveral(all: readonly ReadServer[], taker: string, { diagnostics }: ProjectRun): void {
  const [first] = all;
  if (first === undefined) return;
  const names = all.flatMap(({ server }) => server ?? []);
  diagnostics.report('server-not-named', {
    file: join(first.dir, first.name),
    taker,
    known: names.join(', '),
    first: names[0] ?? '',
  });
}

async function optionsOf(
  read: ReadServer,
  dir: string,
  run: ProjectRun,
): Promise<GenerateOptions | undefined> {
  const { config } = read;
  const { cwd, diagnostics, env, output } = run;
  const fromProject = (path: string): string => pathFromConfig(path, read.dir, cwd);
  const surroundings = { ...run, fromProject };
  await reportMissing(read, run);
  if (diagnostics.hasErrors) return undefined;
  const {
    output: said,
    source,
    sources,
    overlays,
    typescript,
    routeMap,
    templates,
    helpers,
    hooks,
    refRoot,
    ...rest
  } = config;
  void [said, source, typescript];
  const own = await rulesOf(routeMap, surroundings);
  const several = sources && (await Promise.all(sources.map((each) => sourceInput(each, surroundings))));
  if (diagnostics.hasErrors) return undefined;
  const target = output ?? targetOf(read, cwd);
  const isOwn = target !== undefined && resolve(cwd, target) === resolve(cwd, read.dir);
  return {
    ...rest,
    ...(several === undefined ? sourceOf(config, fromProject) : severalOf(several)),
    ...own,
    ...(overlays === undefined ? {} : { overlays: overlays.map(fromProject) }),
    cwd,
    ...(target === undefined ? { beside: read.dir } : { dir: target }),
    ...(isOwn ? keptConfig(read) : { outer: outerConfig(read, dir, output) }),
    ...(templates === undefined ? {} : { templates: fromProject(templates) }),
    ...(helpers === undefined ? {} : { helpers: moduleOf(helpers, read, fromProject) }),
    ...(hooks === undefined ? {} : { hooks: moduleOf(hooks, read, fromProject) }),
    ...(refRoot === undefined ? {} : { refRoot: fromProject(refRoot) }),
    variables: read.variables,
    ...(env === undefined ? {} : { env }),
  };
}

/** Functions in a configuration are remembered by its own name. */
function moduleOf(
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
export function targetOf({ config, dir, name }: ReadServer, cwd: string): string | undefined {
  if (config.output !== undefined) return pathFromConfig(config.output, dir, cwd);
  const isEmitted = name === CONFIG_FILE && config.sources === undefined;
  const marks = ['mcpgen.lock', 'src/generated'];
  return isEmitted || marks.some((mark) => existsSync(resolve(cwd, dir, mark))) ? dir : undefined;
}

/** A configuration in the project's folder is the project's own; elsewhere the project gets one. */
function keptConfig({ name, text }: ReadServer): Pick<GenerateOptions, 'configText' | 'configFile'> {
  return text === undefined ? { configFile: name } : { configText: text };
}

/** `dir` and `output` are as they were given. */
function outerConfig(
  { dir: folder, name, server }: ReadServer,
  dir: string,
  output: string | undefined,
): OuterConfig {
  const given = [
    ...(dir === '.' ? [] : [dir]),
    ...(server === undefined ? [] : ['--server', server]),
    ...(output === undefined ? [] : ['-o', output]),
  ];
  return { file: join(folder, name), command: ['mcpgen generate', ...given].join(' ') };
}

async function reportMissing(
  { config, whole, server, dir, refuse }: ReadServer,
  { cwd, diagnostics, observer }: ProjectRun,
): Promise<void> {
  if (config.source === '-') diagnostics.report('no-source-kept', { file: join(dir, CONFIG_FILE), dir });
  await refuse(missingFiles(whole, server, { folder: dir, cwd, observer }), diagnostics);
}

/** A document, or annotated functions by the paths of their files. */
function sourceOf(
  { source = '', typescript }: Pick<ServerConfig, 'source' | 'typescript'>,
  fromProject: (path: string) => string,
): Pick<GenerateOptions, 'source' | 'typescript'> {
  if (typescript === undefined) return { source: fromProject(source) };
  const mapped = mapPaths(typescript, fromProject);
  return { source: mapped.files.join(' '), typescript: mapped };
}

function severalOf(sources: SourceInput[]): Pick<GenerateOptions, 'source' | 'sources'> {
  return { source: sources.map(sourceName).join(' and '), sources };
}

async function sourceInput(source: ConfigSource, surroundings: Surroundings): Promise<SourceInput> {
  const { fromProject } = surroundings;
  if (!isDocument(source)) {
    const { tsconfig, ...rest } = source;
    const mapped = { ...rest, typescript: filesOf(source).map(fromProject) };
    return tsconfig === undefined ? mapped : { ...mapped, tsconfig: fromProject(tsconfig) };
  }
  const { openapi, overlays, routeMap, refRoot, ...rest } = source;
  return {
    ...rest,
    openapi: fromProject(openapi),
    ...(overlays === undefined ? {} : { overlays: overlays.map(fromProject) }),
    ...(await rulesOf(routeMap, surroundings)),
    ...(refRoot === undefined ? {} : { refRoot: fromProject(refRoot) }),
  };
}

/** Rules may stand in a file, which is remembered. */
async function rulesOf(
  routeMap: ServerConfig['routeMap'],
  { fromProject, cwd, diagnostics, observer }: Surroundings,
): Promise<Pick<GenerateOptions, 'routeMap' | 'routeMapFile'>> {
  if (routeMap === undefined) return {};
  if (typeof routeMap !== 'string') return { routeMap };
  const routeMapFile = fromProject(routeMap);
  observer?.file(resolve(cwd, routeMapFile));
  const rules = await readRouteMap(routeMapFile, cwd, diagnostics);
  return { routeMapFile, ...(rules === undefined ? {} : { routeMap: rules }) };
}
