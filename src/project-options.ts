/** The options an emitted project was compiled with, from its own files. */
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { isUrl, mapPaths, pathFromConfig } from './config/make-config.ts';
import { CONFIG_FILE, type ProjectConfig } from './config/project-config.ts';
import { readConfig } from './config/read-config.ts';
import type { DiagnosticCollector } from './diagnostics/collector.ts';
import type { GenerateOptions } from './generate.ts';
import { readRouteMap } from './read-route-map.ts';

/** Reads `mcpgen.config.json` in `dir` (taken from `cwd`). `undefined` after an error. */
export async function projectOptions(
  dir: string,
  cwd: string,
  diagnostics: DiagnosticCollector,
): Promise<GenerateOptions | undefined> {
  const read = await readConfig(dir, cwd, diagnostics);
  if (read === undefined) return undefined;
  const { config, text } = read;
  if (config.source === '-') {
    diagnostics.report('no-source-kept', { file: join(dir, CONFIG_FILE), dir });
    return undefined;
  }
  const { source, routeMap, templates, refRoot, ...rest } = config;
  const fromProject = (path: string): string => pathFromConfig(path, dir, cwd);
  if (source !== undefined && !isUrl(source) && !existsSync(resolve(cwd, fromProject(source)))) {
    const problem = `it names the source ${JSON.stringify(source)}, and there is no such file (the path is taken from ${dir})`;
    diagnostics.report('invalid-config', { file: join(dir, CONFIG_FILE), problem });
    return undefined;
  }
  const routeMapFile = typeof routeMap === 'string' ? fromProject(routeMap) : undefined;
  const rules =
    typeof routeMap === 'string' ? await readRouteMap(fromProject(routeMap), cwd, diagnostics) : routeMap;
  if (diagnostics.hasErrors) return undefined;
  return {
    ...rest,
    ...sourceOf(config, fromProject),
    cwd,
    dir,
    configText: text,
    ...(rules === undefined ? {} : { routeMap: rules }),
    ...(routeMapFile === undefined ? {} : { routeMapFile }),
    ...(templates === undefined ? {} : { templates: fromProject(templates) }),
    ...(refRoot === undefined ? {} : { refRoot: fromProject(refRoot) }),
  };
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
