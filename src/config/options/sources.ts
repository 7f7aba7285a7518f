/** The sources of a server of several, as options and configurations name them. */
export type SourceInput = DocumentSource | FunctionsSource;

/** An OpenAPI document. */
export interface DocumentSource extends SourceOptions {
  /** Path or http(s) URL. */
  openapi: string;
  /** The file that `routeMap` was read from; the project's config names it instead of the rules. */
  routeMapFile?: string;
  /** OpenAPI Overlays, applied to it in order: paths or http(s) URLs. */
  overlays?: string[];
  /** Hosts that its `$ref`s may be fetched from. Default: none. */
  allowRemoteRefs?: string[];
  /** The folder that its `$ref`s to files must stay in. */
  refRoot?: string;
}

/** Annotated functions. All such sources are one program, so that code they share stands once. */
export interface FunctionsSource extends Pick<SourceOptions, 'prefix'> {
  /** Paths and globs; one may stand alone. */
  typescript: string | string[];
  /** The same in all of them. Default: the nearest above the first file. */
  tsconfig?: string;
}

/** As a configuration has it: rules may stand in a file. */
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

export function filesOf({ typescript }: FunctionsSource): string[] {
  return [typescript].flat();
}

/** How messages call a source. */
export function sourceName(source: ConfigSource | SourceInput): string {
  return isDocument(source) ? source.openapi : filesOf(source).join(' ');
}

/** What can differ from source to source. */
export interface SourceOptions {
  /** Begins the names of its tools, prompts and resources, and marks the scheme of a document's URIs. Default: none. */
  prefix?: string;
  /** Replaces the document's servers. */
  baseUrl?: string;
  /** Selectors: `tag:`, `path:`, `op:`, `method:`. Default: everything. */
  include?: string[];
  /** Selectors; wins over `include`. */
  exclude?: string[];
  /** `<selector>=<media type>`: what bodies are sent as that the document offers in several. The first match wins. */
  bodyMediaType?: string[];
  /** Ordered; the first match wins. */
  routeMap?: RouteRule[];
}

export type OutputSchemaMode = 'loose' | 'strict' | 'off';

/** Operations that match every given member are served `as` said. */
export interface RouteRule {
  /** In any case. */
  methods?: string[];
  /** Glob: `*` within a segment, `**` any. */
  path?: string;
  /** One of them is enough. */
  tags?: string[];
  /** Glob. */
  operationId?: string;
  deprecated?: boolean;
  as: 'tool' | 'resource' | 'template' | 'exclude';
}
