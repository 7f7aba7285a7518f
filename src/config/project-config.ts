/** `mcpgen.config.*`: what a project is compiled from, so that it can be compiled again without flags. */
import type { AuthChoice, OutputSchemaMode, RouteRule } from '../derive/index.ts';
import type { ConfigSource } from './sources.ts';

/** Paths are relative to the file's folder, `/`-separated. Every other member is the command line's option. */
export interface ProjectConfig {
  /** Path or URL of the document, or `-` for standard input. Absent with `typescript` and `sources`. */
  source?: string;
  /** OpenAPI Overlays, applied to the document in order: paths or http(s) URLs. */
  overlays?: string[];
  /** Annotated functions, in place of a document. */
  typescript?: TypeScriptSource;
  /** Several sources of one server, in place of either; what concerns one document alone stands beside it. */
  sources?: ConfigSource[];
  /** Folder of the project. Default: that of this file. */
  output?: string;
  /** Annotated functions stay where they are, and the project has no copy of their code. Default false. */
  link?: boolean;
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
  /** Whether callers over HTTP are asked for a token (OAuth 2.1). Default `none`. */
  auth?: AuthChoice;
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

/** The file's name in an emitted project. */
export const CONFIG_FILE = 'mcpgen.config.json';

/** The names that a person may give it. */
export const CONFIG_FILES = [
  ...['mcpgen.config.ts', 'mcpgen.config.mts', 'mcpgen.config.js', 'mcpgen.config.mjs'],
  ...[CONFIG_FILE, 'mcpgen.config.yaml', 'mcpgen.config.yml'],
];

/** Gives a `mcpgen.config.ts` its types: `export default defineConfig({ … })`. */
export function defineConfig(config: ProjectConfig): ProjectConfig {
  return config;
}
