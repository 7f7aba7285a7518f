/** `mcpgen.config.*`: sources and options of a project, so that it can be compiled again without flags. */
import { basename } from 'node:path';
import type { DocumentOptions, InputOptions, ProjectFileOptions, ServerOptions } from './option-types.ts';

/**
 * Paths are relative to the file's folder and `/`-separated. In texts, `${NAME}` is a variable of the environment,
 * `${NAME:-default}` one that may be unset, and `$${` the characters `${`.
 */
export interface ProjectConfig extends ServerConfig {
  /** Several servers, by name. Members beside `servers` are their defaults; `name` and `output` default to the name here. */
  servers?: Record<string, ServerConfig>;
}

/** The sources and the settings of one server. */
export interface ServerConfig extends InputOptions, DocumentOptions, ServerOptions, ProjectFileOptions {}

export interface TypeScriptSource {
  /** Paths and globs. */
  files: string[];
  /** Default: the nearest above the first file. */
  tsconfig?: string;
}

/** The configuration that mcpgen writes into a project, and the only one that it edits. */
export const CONFIG_FILE = 'mcpgen.config.json';

/** All file names of configurations. */
export const CONFIG_FILES = [
  ...['mcpgen.config.ts', 'mcpgen.config.mts', 'mcpgen.config.js', 'mcpgen.config.mjs'],
  CONFIG_FILE,
];

/** Whether a path is a configuration, and no project folder or source. */
export function isConfigFile(path: string): boolean {
  return CONFIG_FILES.includes(basename(path));
}

/** The formats that `mcpgen init` writes. */
export const CONFIG_FORMATS = ['json', 'ts', 'js'] as const;
export type ConfigFormat = (typeof CONFIG_FORMATS)[number];

/** Gives a `mcpgen.config.ts` its types: `export default defineConfig({ … })`. */
export function defineConfig(config: ProjectConfig): ProjectConfig {
  return config;
}
