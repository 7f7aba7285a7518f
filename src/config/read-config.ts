import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { DiagnosticCollector } from '../diagnostics/collector.ts';
import { parseConfig } from './parse-config.ts';
import { CONFIG_FILE, type ProjectConfig } from './project-config.ts';

export interface ReadConfig {
  config: ProjectConfig;
  /** The file as it stands. */
  text: string;
}

/** Reads the config of the project in `dir` (taken from `cwd`). `undefined` after an error. */
export async function readConfig(
  dir: string,
  cwd: string,
  diagnostics: DiagnosticCollector,
): Promise<ReadConfig | undefined> {
  const file = join(dir, CONFIG_FILE);
  let text: string;
  try {
    text = await readFile(resolve(cwd, file), 'utf8');
  } catch (error) {
    reportUnreadable(file, error, diagnostics);
    return undefined;
  }
  const config = parseConfig(text);
  if (!('problem' in config)) return { config, text };
  diagnostics.report('invalid-config', { file, problem: config.problem });
  return undefined;
}

function reportUnreadable(file: string, error: unknown, diagnostics: DiagnosticCollector): void {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code === 'ENOENT' || code === 'ENOTDIR') diagnostics.report('missing-config', { file });
  else diagnostics.report('invalid-config', { file, problem: `it cannot be read (${code})` });
}
