/** One of several sources of a server, as an option. */
export type SourceInput = DocumentSource | FunctionsSource;

/** An OpenAPI document. */
export interface DocumentSource extends SourceOptions {
  /** Path or http(s) URL. */
  openapi: string;
  /** The file of `routeMap`; the project's configuration names it instead of the rules. */
  routeMapFile?: string;
  /** OpenAPI Overlays, applied in order: paths or http(s) URLs. */
  overlays?: string[];
  /** Hosts that `$ref`s may be loaded from. Default: none. */
  allowRemoteRefs?: string[];
  /** The folder that `$ref`s to files must stay in. */
  refRoot?: string;
}

/** Annotated functions. All such sources compile as one program, so that they share code. */
export interface FunctionsSource extends Pick<SourceOptions, 'prefix'> {
  /** Paths and globs. */
  typescript: string | string[];
  /** The same in all sources. Default: the nearest above the first file. */
  tsconfig?: string;
}

/** A source as a member of a configuration, where a file may have the route map. */
export type ConfigSource =
  (Omit<DocumentSource, 'routeMap' | 'routeMapFile'> & { routeMap?: string | RouteRule[] }) | FunctionsSource;

export function isDocument<T extends ConfigSource | SourceInput>(
  source: T,
): source is Extract<T, { openapi: string }> {
  return 'openapi' in source;
}

export function isFunctions(source: ConfigSource | SourceInput): source is FunctionsSource {
  return !('openapi' in source);
}

export function listSourceFiles({ typescript }: FunctionsSource): string[] {
  return [typescript].flat();
}

/** The name of a source in messages. */
export function sourceName(source: ConfigSource | SourceInput): string {
  return isDocument(source) ? source.openapi : listSourceFiles(source).join(' ');
}

/** The options of one source. */
export interface SourceOptions {
  /** Start of the names of its tools, prompts and resources, and part of the scheme of a document's URIs. Default: none. */
  prefix?: string;
  /** Replaces the document's servers. */
  baseUrl?: string;
  /** Selectors: `tag:`, `path:`, `op:`, `method:`. Default: everything. */
  include?: string[];
  /** Selectors; wins over `include`. */
  exclude?: string[];
  /** Selectors of operations that are listed beside the tools that search. Default: none. */
  pin?: string[];
  /** Fixed headers of requests. `${NAME}` is a variable that the server reads when it starts. */
  headers?: Record<string, string>;
  /** Ordered; the first match wins. */
  routeMap?: RouteRule[];
}

export type OutputSchemaMode = 'loose' | 'strict' | 'off';

/** Operations that match all members are served `as` a tool, a resource, a template, or not at all. */
export interface RouteRule {
  /** Upper or lower case. */
  methods?: string[];
  /** Glob: `*` within a segment, `**` any. */
  path?: string;
  /** The operation must have at least one of these tags. */
  tags?: string[];
  /** Glob. */
  operationId?: string;
  deprecated?: boolean;
  as: 'tool' | 'resource' | 'template' | 'exclude';
}
