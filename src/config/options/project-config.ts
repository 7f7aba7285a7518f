/** `mcpgen.config.*`: what a project is compiled from, so that it can be compiled again without flags. */
import { basename } from 'node:path';
import type { AuthChoice, OutputSchemaMode, RouteRule } from '../../derive/index.ts';
import type { Omittable, PublishTarget } from '../../model/published.ts';
import type { Hooks, TemplateHelpers } from '../../model/user-code.ts';
import type { ConfigSource } from './sources.ts';

/**
 * Paths are relative to the file's folder, `/`-separated. Every other member is the command line's option. In a text `${NAME}`
 * stands for a variable of the environment, `${NAME:-default}` for one that may be unset, and `$${` for the characters `${`.
 */
export interface ProjectConfig extends ServerConfig {
  /**
   * Several servers, by their names: what stands beside `servers` holds for each that does not say otherwise. `name` and
   * `output` of each are its name here, unless it says others.
   */
  servers?: Record<string, ServerConfig>;
}

/** What one server is made of, and how. */
export interface ServerConfig {
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
  /** Package, command and server name. Default: from the title of the API, or from package.json. */
  name?: string;
  /** Default: that of the document, or of package.json. */
  serverVersion?: string;
  /** The server's name in the MCP registry, in a namespace of yours: `io.github.<account>/<name>`. Default: a placeholder. */
  registryName?: string;
  /** Root of the API, in place of the document's servers. */
  baseUrl?: string;
  /** Selectors `tag:`, `path:`, `op:`, `method:`. Default: everything. */
  include?: string[];
  /** Selectors; win over `include`. */
  exclude?: string[];
  /** `<selector>=<media type>`: what bodies are sent as, where the document offers several. */
  bodyMediaType?: string[];
  /** Which operation becomes what: a file of rules, or the rules themselves. */
  routeMap?: string | RouteRule[];
  /** Longest tool name, 16 to 128. Default 64. */
  maxNameLength?: number;
  /** Default `loose`, for functions `strict`. */
  outputSchema?: OutputSchemaMode;
  /** Whether callers over HTTP are asked for a token (OAuth 2.1). Default `none`. */
  auth?: AuthChoice;
  /** Targets whose files the project has: `docker`, `registry` and others. Default: none; npm needs no file. */
  publish?: PublishTarget[];
  /** Files that the project does without. Default: none. */
  omit?: Omittable[];
  /** Folder of templates, in place of the built-in ones of the same names. */
  templates?: string;
  /** Helpers for those: functions in a configuration that is code, or the path of the module that exports them. */
  helpers?: TemplateHelpers | string;
  /** Called while the server is made: functions in a configuration that is code, or the path of the module that exports them. */
  hooks?: Hooks | string;
  /** Warnings count as errors. Default false. */
  strict?: boolean;
  /** Hosts whose documents a `$ref` may load. Default: none. */
  allowRemoteRefs?: string[];
  /** Folder that `$ref`s to files must stay in. */
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

/** Whether a path names a configuration rather than a project's folder or a source. */
export function isConfigFile(path: string): boolean {
  return CONFIG_FILES.includes(basename(path));
}

/** The forms that `mcpgen init` writes. */
export const CONFIG_FORMATS = ['ts', 'js', 'yaml', 'json'] as const;
export type ConfigFormat = (typeof CONFIG_FORMATS)[number];

/** Gives a `mcpgen.config.ts` its types: `export default defineConfig({ … })`. */
export function defineConfig(config: ProjectConfig): ProjectConfig {
  return config;
}
