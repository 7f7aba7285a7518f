/** Makes the `mcpgen.config.json` that repeats a run. */
import { isAbsolute, relative, resolve, sep } from 'node:path';
import type { JsonObject } from '../../util/json-schema.ts';
import {
  type ConfigSource,
  type RouteRule,
  type SourceInput,
  listSourceFiles,
  isDocument,
} from './sources.ts';
import { escapeReferences } from '../load/interpolate.ts';
import { removeCredentials } from '../../model/without-credentials.ts';
import type { ServerConfig, TypeScriptSource } from './project-config.ts';
import { mapOptionPaths, pickOptions, listRows } from './rows.ts';
import { omitUndefined } from '../../util/collections.ts';

/** The options of a run that its configuration remembers. Paths are relative to `cwd`. */
export interface RememberedOptions extends Omit<ServerConfig, 'routeMap' | 'source' | 'sources' | 'output'> {
  cwd?: string;
  source: string;
  sources?: SourceInput[];
  routeMap?: RouteRule[];
  /** The file of `routeMap`, remembered instead of its rules. */
  routeMapFile?: string;
}

/** Paths become relative to the project's folder `dir`. */
export function makeConfig(options: RememberedOptions, dir: string): ServerConfig {
  const { cwd = '.', source, sources, typescript, routeMapFile } = options;
  /** As configurations write paths. */
  const toProjectFolderPath = (path: string): string =>
    relative(resolve(cwd, dir), resolve(cwd, path)).replaceAll(sep, '/') || '.';
  const compiled: ServerConfig =
    sources !== undefined
      ? { sources: sources.map((source) => sourceForConfig(source, toProjectFolderPath)) }
      : typescript !== undefined
        ? { typescript: mapTypeScriptPaths(typescript, toProjectFolderPath) }
        : { source: toConfigPath(source, toProjectFolderPath) };
  const { routeMap, ...settings } = pickOptions(options, 'document', 'server', 'project');
  return {
    ...compiled,
    ...pickRememberedOptions({ ...settings, routeMap: routeMapFile ?? routeMap }, toProjectFolderPath),
  };
}

/** The options in the order of the table, without empty values, switches that are off, and functions. */
function pickRememberedOptions<T extends object>(
  options: T,
  toProject: (path: string) => string,
): Remembered<T>;
function pickRememberedOptions(options: object, toProject: (path: string) => string): object {
  const withPaths = mapOptionPaths(options, (path, kind) =>
    kind === 'place' ? toConfigPath(path, toProject) : toProject(path),
  );
  const mapped = new Map(Object.entries(withPaths));
  const rememberedRows = listRows().filter(([name, { paths }]) => {
    const value: unknown = mapped.get(name);
    return paths === 'module' ? typeof value === 'string' : !isEmptyValue(value);
  });
  return Object.fromEntries(rememberedRows.map(([name]) => [name, mapped.get(name)]));
}

type Remembered<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

function toConfigPath(source: string, toProject: (path: string) => string): string {
  // Without credentials, since the file is meant to be committed.
  if (isUrl(source)) return removeCredentials(source);
  return source === '-' ? '-' : toProject(source);
}

function sourceForConfig(source: SourceInput, toProject: (path: string) => string): ConfigSource {
  if (!isDocument(source))
    return {
      typescript: listSourceFiles(source).map(toProject),
      ...pickRememberedOptions(pickOptions(source, 'source'), toProject),
    };
  const { openapi, routeMap, routeMapFile, ...rest } = source;
  return {
    openapi: toConfigPath(openapi, toProject),
    ...pickRememberedOptions({ ...rest, routeMap: routeMapFile ?? routeMap }, toProject),
  };
}

/** The text of the configuration in a new project's folder `dir`. */
export function printProjectConfig(options: RememberedOptions, dir: string): string {
  const settings = escapeReferences(configToJson(makeConfig(options, dir)));
  return `${JSON.stringify(settings, undefined, 2)}\n`;
}

/** The text of a first configuration in code. Without `output`, a new title would begin a new project. */
export function printCodeConfig(
  sources: readonly ConfigSource[],
  output: string,
  settings: Pick<ServerConfig, 'name' | 'surface' | 'auth' | 'features'>,
): string {
  const members = Object.entries({ sources, output, ...settings });
  return [
    '// What `mcpgen generate` compiles. Paths are taken from here.',
    "import { defineConfig } from 'mcpgen';",
    '',
    'export default defineConfig({',
    ...members.map(([name, value]) => `  ${name}: ${printLiteral(value)},`),
    '});',
    '',
  ].join('\n');
}

/** A value on one line, as JavaScript. */
export function printLiteral(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(printLiteral).join(', ')}]`;
  if (typeof value === 'object' && value !== null)
    return `{ ${Object.entries(value)
      .map(([key, member]) => `${/^\w+$/.test(key) ? key : printLiteral(key)}: ${printLiteral(member)}`)
      .join(', ')} }`;
  const isPlain = typeof value === 'string' && /^[^'\\\p{Cc}]*$/u.test(value);
  return isPlain ? `'${value}'` : JSON.stringify(value);
}

/** Functions have no form in JSON. */
export function configToJson(config: ServerConfig): JsonObject {
  const { routeMap, tools, typescript, sources, auth, budget, hooks, ...rest } = config;
  const hooksModule = typeof hooks === 'string' ? hooks : undefined;
  const members = { typescript, sources, ...rest, hooks: hooksModule, routeMap, tools, auth, budget };
  return JSON.parse(JSON.stringify(members)) as JsonObject;
}

/** A path of a configuration in `dir`, relative to `cwd`. URLs and `-` stay. */
export function resolveConfigPath(path: string, dir: string, cwd: string): string {
  if (path === '-' || isUrl(path) || isAbsolute(path)) return path;
  return relative(cwd, resolve(cwd, dir, path)) || '.';
}

export function mapTypeScriptPaths(
  { files, tsconfig }: TypeScriptSource,
  map: (path: string) => string,
): TypeScriptSource {
  return { files: files.map(map), ...omitUndefined({ tsconfig: tsconfig && map(tsconfig) }) };
}

export function isUrl(source: string): boolean {
  return /^https?:\/\//i.test(source);
}

function isEmptyValue(value: unknown): boolean {
  return (
    value === undefined || value === false || value === '' || (Array.isArray(value) && value.length === 0)
  );
}
