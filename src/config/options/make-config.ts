/** What a run was asked to do, as the `mcpgen.config.json` that asks for the same again. */
import { isAbsolute, relative, resolve, sep } from 'node:path';
import type { JsonObject } from '../../../templates/runtime/contract/json-schema.ts';
import type { AuthRules, RouteRule } from '../../derive/index.ts';
import { withoutCredentials } from '../../model/without-credentials.ts';
import type { ServerConfig, TypeScriptSource } from './project-config.ts';
import { type ConfigSource, filesOf, isDocument, type SourceInput } from './sources.ts';
import { definedMembers } from '../../util/defined-members.ts';

/** The options of a run that its project remembers. Paths are taken from `cwd`. */
export interface RememberedOptions extends Omit<ServerConfig, 'routeMap' | 'source' | 'sources' | 'output'> {
  cwd?: string;
  source: string;
  sources?: SourceInput[];
  routeMap?: RouteRule[];
  /** Remembered in place of the rules read from it. */
  routeMapFile?: string;
}

/** Paths become relative to the project's folder `dir`. What was not given is left out. */
export function makeConfig(options: RememberedOptions, dir: string): ServerConfig {
  const { cwd = '.', source, sources, overlays, typescript, routeMapFile, templates, refRoot } = options;
  const { helpers, hooks } = options;
  const toProject = (path: string): string => projectPath(resolve(cwd, path), resolve(cwd, dir));
  const routeMap = routeMapFile === undefined ? options.routeMap : toProject(routeMapFile);
  const compiled: ServerConfig =
    sources !== undefined
      ? { sources: sources.map((each) => rememberedSource(each, toProject)) }
      : typescript !== undefined
        ? { typescript: mapPaths(typescript, toProject) }
        : { source: placeOf(source, toProject) };
  return {
    ...compiled,
    ...(isEmpty(overlays) ? {} : { overlays: overlays.map((each) => placeOf(each, toProject)) }),
    ...(options.link === true ? { link: true } : {}),
    ...definedMembers({
      name: options.name,
      serverVersion: options.serverVersion,
      registryName: options.registryName,
      baseUrl: options.baseUrl,
    }),
    ...(isEmpty(options.include) ? {} : { include: options.include }),
    ...(isEmpty(options.exclude) ? {} : { exclude: options.exclude }),
    ...(isEmpty(options.bodyMediaType) ? {} : { bodyMediaType: options.bodyMediaType }),
    ...definedMembers({
      routeMap,
      maxNameLength: options.maxNameLength,
      outputSchema: options.outputSchema,
      auth: options.auth,
    }),
    ...(options.publish === undefined || options.publish.length === 0 ? {} : { publish: options.publish }),
    ...(options.omit === undefined || options.omit.length === 0 ? {} : { omit: options.omit }),
    ...(templates === undefined ? {} : { templates: toProject(templates) }),
    ...(typeof helpers === 'string' ? { helpers: toProject(helpers) } : {}),
    ...(typeof hooks === 'string' ? { hooks: toProject(hooks) } : {}),
    ...(options.strict === true ? { strict: true } : {}),
    ...(isEmpty(options.allowRemoteRefs) ? {} : { allowRemoteRefs: options.allowRemoteRefs }),
    ...(refRoot === undefined ? {} : { refRoot: toProject(refRoot) }),
  };
}

function placeOf(source: string, toProject: (path: string) => string): string {
  // The file is meant to be committed.
  if (isUrl(source)) return withoutCredentials(source);
  return source === '-' ? '-' : toProject(source);
}

/** What was not given is left out. */
function rememberedSource(source: SourceInput, toProject: (path: string) => string): ConfigSource {
  if (!isDocument(source)) {
    const { prefix, tsconfig } = source;
    return {
      typescript: filesOf(source).map(toProject),
      ...(isBlank(prefix) ? {} : { prefix }),
      ...(tsconfig === undefined ? {} : { tsconfig: toProject(tsconfig) }),
    };
  }
  const { openapi, overlays, routeMap, routeMapFile, refRoot, prefix, ...rest } = source;
  const rules = routeMapFile === undefined ? routeMap : toProject(routeMapFile);
  return {
    openapi: placeOf(openapi, toProject),
    ...(isEmpty(overlays) ? {} : { overlays: overlays.map((each) => placeOf(each, toProject)) }),
    ...(isBlank(prefix) ? {} : { prefix }),
    ...rest,
    ...definedMembers({ routeMap: rules }),
    ...(refRoot === undefined ? {} : { refRoot: toProject(refRoot) }),
  };
}

/** The config as plain JSON. */
export function configObject({
  routeMap,
  typescript,
  sources,
  auth,
  helpers,
  hooks,
  ...rest
}: ServerConfig): JsonObject {
  return {
    ...(typescript === undefined ? {} : { typescript: { ...typescript } }),
    ...definedMembers({ sources: sources?.map(sourceObject) }),
    ...rest,
    ...(typeof helpers === 'string' ? { helpers } : {}),
    ...(typeof hooks === 'string' ? { hooks } : {}),
    ...rulesObject(routeMap),
    ...(auth === undefined ? {} : { auth: typeof auth === 'string' ? auth : authObject(auth) }),
  };
}

function authObject({ exchange, ...rest }: AuthRules): JsonObject {
  if (exchange === undefined) return { ...rest };
  const rules = Object.entries(exchange).map(([scheme, rule]): [string, JsonObject] => [scheme, { ...rule }]);
  return { ...rest, exchange: Object.fromEntries(rules) };
}

function sourceObject(source: ConfigSource): JsonObject {
  if (!isDocument(source)) return { ...source };
  const { routeMap, ...rest } = source;
  return { ...rest, ...rulesObject(routeMap) };
}

function rulesObject(routeMap: ServerConfig['routeMap']): JsonObject {
  if (routeMap === undefined) return {};
  return { routeMap: typeof routeMap === 'string' ? routeMap : routeMap.map((rule) => ({ ...rule })) };
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

function isBlank(text: string | undefined): text is undefined {
  return text === undefined || text === '';
}

function isEmpty(list: string[] | undefined): list is undefined {
  return list === undefined || list.length === 0;
}
