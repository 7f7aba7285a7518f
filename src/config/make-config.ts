/** What a run was asked to do, as the `mcpgen.config.json` that asks for the same again. */
import { isAbsolute, relative, resolve, sep } from 'node:path';
import type { JsonObject } from '../../templates/runtime/schema/json-schema.ts';
import type { RouteRule } from '../derive/index.ts';
import type { ProjectConfig, TypeScriptSource } from './project-config.ts';

/** The options of a run that its project remembers. Paths are taken from `cwd`. */
export interface RememberedOptions extends Omit<ProjectConfig, 'routeMap' | 'source'> {
  cwd?: string;
  source: string;
  routeMap?: RouteRule[];
  /** Remembered in place of the rules read from it. */
  routeMapFile?: string;
}

/** Paths become relative to the project's folder `dir`. What was not given is left out. */
export function makeConfig(options: RememberedOptions, dir: string): ProjectConfig {
  const { cwd = '.', source, typescript, routeMapFile, templates, refRoot } = options;
  const toProject = (path: string): string => projectPath(resolve(cwd, path), resolve(cwd, dir));
  const routeMap = routeMapFile === undefined ? options.routeMap : toProject(routeMapFile);
  return {
    ...(typescript === undefined
      ? { source: isUrl(source) ? withoutCredentials(source) : source === '-' ? '-' : toProject(source) }
      : { typescript: mapPaths(typescript, toProject) }),
    ...(options.name === undefined ? {} : { name: options.name }),
    ...(options.serverVersion === undefined ? {} : { serverVersion: options.serverVersion }),
    ...(options.baseUrl === undefined ? {} : { baseUrl: options.baseUrl }),
    ...(isEmpty(options.include) ? {} : { include: options.include }),
    ...(isEmpty(options.exclude) ? {} : { exclude: options.exclude }),
    ...(isEmpty(options.bodyMediaType) ? {} : { bodyMediaType: options.bodyMediaType }),
    ...(routeMap === undefined ? {} : { routeMap }),
    ...(options.maxNameLength === undefined ? {} : { maxNameLength: options.maxNameLength }),
    ...(options.outputSchema === undefined ? {} : { outputSchema: options.outputSchema }),
    ...(templates === undefined ? {} : { templates: toProject(templates) }),
    ...(options.strict === true ? { strict: true } : {}),
    ...(isEmpty(options.allowRemoteRefs) ? {} : { allowRemoteRefs: options.allowRemoteRefs }),
    ...(refRoot === undefined ? {} : { refRoot: toProject(refRoot) }),
  };
}

/** The config as plain JSON. */
export function configObject({ routeMap, typescript, ...rest }: ProjectConfig): JsonObject {
  const config = typescript === undefined ? rest : { typescript: { ...typescript }, ...rest };
  if (routeMap === undefined) return config;
  return {
    ...config,
    routeMap: typeof routeMap === 'string' ? routeMap : routeMap.map((rule) => ({ ...rule })),
  };
}

/** The inverse for one path of a config: from the project's folder to `cwd`. URLs and `-` stay. */
export function pathFromConfig(path: string, dir: string, cwd: string): string {
  if (path === '-' || isUrl(path) || isAbsolute(path)) return path;
  return relative(cwd, resolve(cwd, dir, path)) || '.';
}

/** Each of its paths. */
export function mapPaths(
  { files, tsconfig }: TypeScriptSource,
  map: (path: string) => string,
): TypeScriptSource {
  return { files: files.map(map), ...(tsconfig === undefined ? {} : { tsconfig: map(tsconfig) }) };
}

function projectPath(path: string, project: string): string {
  const way = relative(project, path);
  return (sep === '/' ? way : way.replaceAll(sep, '/')) || '.';
}

export function isUrl(source: string): boolean {
  return /^https?:\/\//i.test(source);
}

/** The file is meant to be committed: a password in a URL does not belong there. */
function withoutCredentials(source: string): string {
  if (!URL.canParse(source)) return source;
  const url = new URL(source);
  if (url.username === '' && url.password === '') return source;
  url.username = '';
  url.password = '';
  return url.href;
}

function isEmpty(list: string[] | undefined): list is undefined {
  return list === undefined || list.length === 0;
}
