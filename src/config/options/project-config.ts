/** `mcpgen.config.*`: what a project is compiled from, so that it can be compiled again without flags. */
import { basename } from 'node:path';
import type { DocumentOptions, InputOptions, ProjectFileOptions, ServerOptions } from './option-types.ts';

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

/** The sources and the settings of one server. */
export interface ServerConfig extends InputOptions, DocumentOptions, ServerOptions, ProjectFileOptions {}

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
