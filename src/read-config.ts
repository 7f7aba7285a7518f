/** Finds and reads the configuration of a project, in whichever form a person has written it. */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { checkConfig, parseConfig } from './config/parse-config.ts';
import { CONFIG_FILE, CONFIG_FILES, type ProjectConfig } from './config/project-config.ts';
import type { DiagnosticCollector } from './diagnostics/collector.ts';
import type { Observer } from './model/observer.ts';

export interface ReadConfig {
  config: ProjectConfig;
  /** Folder of the file, as given: its paths are taken from here. */
  dir: string;
  /** Its name in that folder. */
  name: string;
  /** The file as it stands, of JSON; absent of code and YAML. */
  text?: string;
}

/** Bounds the nesting of a configuration in YAML; whatever nests deeper is something else. */
const MAX_DEPTH = 50;

/** Whether a path names a configuration rather than a project's folder or a source. */
export function isConfigFile(path: string): boolean {
  return CONFIG_FILES.includes(basename(path));
}

/** Reads the config in `dir`, or the file that `dir` is (taken from `cwd`). `undefined` after an error. */
export async function readConfig(
  dir: string,
  cwd: string,
  diagnostics: DiagnosticCollector,
  observer?: Observer,
): Promise<ReadConfig | undefined> {
  const isFile = isConfigFile(dir);
  const folder = isFile ? dirname(dir) : dir;
  const found = isFile ? [basename(dir)] : CONFIG_FILES.filter((each) => existsSync(resolve(cwd, dir, each)));
  for (const each of isFile ? found : CONFIG_FILES) observer?.file(resolve(cwd, folder, each));
  const [name = CONFIG_FILE, other] = found;
  const file = join(folder, name);
  if (other !== undefined) {
    diagnostics.report('several-configs', { dir: folder, files: found.join(' and ') });
    return undefined;
  }
  const text = await textOf(file, cwd, diagnostics);
  if (text === undefined) return undefined;
  const config = await configOf(name, text, resolve(cwd, file), observer);
  if (!('problem' in config)) return { config, dir: folder, name, ...(name === CONFIG_FILE ? { text } : {}) };
  diagnostics.report('invalid-config', { file, problem: config.problem });
  return undefined;
}

async function textOf(
  file: string,
  cwd: string,
  diagnostics: DiagnosticCollector,
): Promise<string | undefined> {
  try {
    return await readFile(resolve(cwd, file), 'utf8');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    if (code === 'ENOENT' || code === 'ENOTDIR') diagnostics.report('missing-config', { file });
    else diagnostics.report('invalid-config', { file, problem: `it cannot be read (${code})` });
    return undefined;
  }
}

/** The config, or what is wrong with it, in words that end a sentence. */
async function configOf(
  name: string,
  text: string,
  path: string,
  observer: Observer | undefined,
): Promise<ProjectConfig | { problem: string }> {
  if (name === CONFIG_FILE) return parseConfig(text);
  if (/\.ya?ml$/.test(name)) {
    const { parseYaml } = await import('./frontends/openapi/load/parse-yaml.ts');
    const parsed = parseYaml(text, name, MAX_DEPTH);
    return 'failed' in parsed ? { problem: parsed.reason } : checkConfig(parsed.value);
  }
  const { runConfig } = await import('./run-config.ts');
  const ran = await runConfig(path, text, observer);
  return 'problem' in ran ? ran : checkConfig(ran.value);
}
