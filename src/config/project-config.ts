/** `mcpgen.config.json`: what a project is compiled from, so that it can be compiled again without flags. */
import type { OutputSchemaMode, RouteRule } from '../derive/index.ts';

/** Paths are relative to the file's folder, `/`-separated. Every other member is the command line's option. */
export interface ProjectConfig {
  /** Path or URL of the document, or `-` for standard input. Absent with `typescript`. */
  source?: string;
  /** Annotated functions, in place of a document. */
  typescript?: TypeScriptSource;
  name?: string;
  serverVersion?: string;
  baseUrl?: string;
  include?: string[];
  exclude?: string[];
  bodyMediaType?: string[];
  /** A file, or the rules themselves. */
  routeMap?: string | RouteRule[];
  maxNameLength?: number;
  outputSchema?: OutputSchemaMode;
  templates?: string;
  strict?: boolean;
  allowRemoteRefs?: string[];
  refRoot?: string;
}

/** Paths and globs, as every path here. */
export interface TypeScriptSource {
  files: string[];
  /** Default: the nearest above the first file. */
  tsconfig?: string;
}

/** The file's name in a project's folder. */
export const CONFIG_FILE = 'mcpgen.config.json';
