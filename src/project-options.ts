/** The options a project is compiled with, from its configuration. */
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { isUrl, mapPaths, pathFromConfig } from './config/make-config.ts';
import { CONFIG_FILE, type ProjectConfig } from './config/project-config.ts';
import { type ConfigSource, filesOf, isDocument, type SourceInput, sourceName } from './config/sources.ts';
import type { DiagnosticCollector } from './diagnostics/collector.ts';
import type { Observer } from './model/observer.ts';
import type { GenerateOptions, OuterConfig } from './generate.ts';
import { readConfig, type ReadConfig } from './read-config.ts';
import { readRouteMap } from './read-route-map.ts';

/** What configurations are read by: a path of theirs, as it is from `cwd`. */
interface Surroundings {
  fromProject: (path: string) => string;
  cwd: string;
  diagnostics: DiagnosticCollector;
  observer: Observer | undefined;
}

/**
 * Reads `mcpgen.config.*` in `dir` (taken from `cwd`). `output` is the project's folder, in place of the one that it says.
 * `undefined` after an error.
 */
export async function projectOptions(
  dir: string,
  cwd: string,
  diagnostics: DiagnosticCollector,
  output?: string,
  observer?: Observer,
): Promise<GenerateOptions | undefined> {
  const read = await readConfig(dir, cwd, diagnostics, observer);
  if (read === undefined) return undefined;
  const { config } = read;
  const fromProject = (path: string): string => pathFromConfig(path, read.dir, cwd);
  const surroundings = { fromProject, cwd, diagnostics, observer };
  reportMissing(read, surroundings);
  const {
    output: said,
    source,
    sources,
    overlays,
    typescript,
    routeMap,
    templates,
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
    ...(refRoot === undefined ? {} : { refRoot: fromProject(refRoot) }),
  };
}

/**
 * The project's folder, from `cwd`: what the configuration says, else its own folder, where that is a project. Undefined for
 * one that a person has written beside other things: its project is made beside it, by the server's name.
 */
export function targetOf({ config, dir, name }: ReadConfig, cwd: string): string | undefined {
  if (config.output !== undefined) return pathFromConfig(config.output, dir, cwd);
  const isEmitted = name === CONFIG_FILE && config.sources === undefined;
  const marks = ['mcpgen.lock', 'src/generated'];
  return isEmitted || marks.some((mark) => existsSync(resolve(cwd, dir, mark))) ? dir : undefined;
}

/** A configuration in the project's folder is the project's own; elsewhere the project gets one. */
function keptConfig({ name, text }: ReadConfig): Pick<GenerateOptions, 'configText' | 'configFile'> {
  return text === undefined ? { configFile: name } : { configText: text };
}

/** `dir` and `output` are as they were given. */
function outerConfig(
  { dir: folder, name }: ReadConfig,
  dir: string,
  output: string | undefined,
): OuterConfig {
  const given = [...(dir === '.' ? [] : [dir]), ...(output === undefined ? [] : ['-o', output])];
  return { file: join(folder, name), command: ['mcpgen generate', ...given].join(' ') };
}

function reportMissing(
  { config, dir, name }: ReadConfig,
  { fromProject, cwd, diagnostics, observer }: Surroundings,
): void {
  const file = join(dir, name);
  if (config.source === '-')
    return diagnostics.report('no-source-kept', { file: join(dir, CONFIG_FILE), dir });
  const documents = [
    config.source ?? [],
    ...(config.sources ?? []).filter(isDocument).map(sourceName),
  ].flat();
  for (const source of documents) {
    if (isUrl(source)) continue;
    observer?.file(resolve(cwd, fromProject(source)));
    if (existsSync(resolve(cwd, fromProject(source)))) continue;
    const problem = `it names the source ${JSON.stringify(source)}, and there is no such file (the path is taken from ${dir})`;
    diagnostics.report('invalid-config', { file, problem });
  }
}

/** A document, or annotated functions by the paths of their files. */
function sourceOf(
  { source = '', typescript }: Pick<ProjectConfig, 'source' | 'typescript'>,
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
  routeMap: ProjectConfig['routeMap'],
  { fromProject, cwd, diagnostics, observer }: Surroundings,
): Promise<Pick<GenerateOptions, 'routeMap' | 'routeMapFile'>> {
  if (routeMap === undefined) return {};
  if (typeof routeMap !== 'string') return { routeMap };
  const routeMapFile = fromProject(routeMap);
  observer?.file(resolve(cwd, routeMapFile));
  const rules = await readRouteMap(routeMapFile, cwd, diagnostics);
  return { routeMapFile, ...(rules === undefined ? {} : { routeMap: rules }) };
}
