/** Decides about the configuration in a project's folder, for a run that was configured elsewhere and would write another one. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { configToJson, makeConfig } from '../config/options/make-config.ts';
import { isFaulty, parseConfig } from '../config/options/parse-config.ts';
import { CONFIG_FILE, CONFIG_FILES, type ServerConfig } from '../config/options/project-config.ts';
import { isDocument } from '../config/options/sources.ts';
import type { DiagnosticCollector } from '../diagnostics/collector.ts';
import { isHashOf } from '../emit/index.ts';
import { type ExistingProject, type ProjectRun, readFileIfAny } from './existing-project.ts';
import type { Lists } from './chosen-lists.ts';

export interface ConfigDecision {
  /** The text of the file, which stays unchanged. */
  configText?: string;
  /** The name of a configuration that is not JSON, beside which none is added. */
  configFile?: string;
  /** The file is the user's. */
  configOwnership?: 'once';
  /** Publish targets and features of the lock, instead of the configuration. */
  locked?: Lists;
  saved?: string[];
}

/** Reports an error and returns `undefined` if the run would lose settings of the file. */
export function decideProjectConfig(
  options: ProjectRun,
  { dir, root, lock }: ExistingProject,
  diagnostics: DiagnosticCollector,
): ConfigDecision | undefined {
  const { configFile, configText, outer } = options;
  const { check = false, force = false, keep = false, merge = false } = options;
  if (configFile !== undefined) return {};
  const other = configText === undefined ? findOtherConfig(root) : undefined;
  if (other !== undefined) {
    if (check || force) return { configFile: other };
    diagnostics.report('configured-already', { dir, file: join(dir, other) });
    return undefined;
  }
  const text = configText ?? readFileIfAny(join(root, CONFIG_FILE));
  if (text === undefined) return {};
  const isOurs = isHashOf(lock?.files[CONFIG_FILE], CONFIG_FILE, text);
  const asItIs: ConfigDecision = isOurs ? {} : { configText: text, configOwnership: 'once' };
  if (configText !== undefined) return asItIs;
  const existing = parseConfig(text, options.env);
  const isTakenOver = Object.hasOwn(lock?.owned ?? {}, CONFIG_FILE);
  if (lock === undefined || isTakenOver || isFaulty(existing)) return {};
  const [before, now] = [listConfigSettings(existing), listConfigSettings(makeConfig(options, dir))];
  if (isDeepStrictEqual(before, now)) return asItIs;
  // The outer configuration has changed, and replaces the settings that it gave the project before.
  if (check || (isOurs && outer !== undefined)) return {};
  const lost = isOurs ? droppedSettings(before, now) : changedSettings(before, now);
  if (lost.length === 0 || (!isOurs && (keep || merge))) return {};
  if (force) return { saved: [CONFIG_FILE] };
  const file = join(dir, CONFIG_FILE);
  diagnostics.report('settings-lost', { file, dir, settings: lost.join(', '), outer: outer?.file ?? '' });
  return undefined;
}

function findOtherConfig(root: string): string | undefined {
  return CONFIG_FILES.find((name) => name !== CONFIG_FILE && existsSync(join(root, name)));
}

/** A single document is the same server as `source` or in the list `sources`. */
function toSingleSource({ sources, ...config }: ServerConfig): ServerConfig {
  const [only, other] = sources ?? [];
  if (only === undefined || other !== undefined || !isDocument(only) || 'prefix' in only)
    return sources === undefined ? config : { ...config, sources };
  const { openapi, ...settings } = only;
  return { ...config, ...settings, source: openapi };
}

function listConfigSettings(config: ServerConfig): Map<string, unknown> {
  const { typescript, ...rest } = configToJson(toSingleSource(config));
  const { files, tsconfig } = config.typescript ?? {};
  void typescript;
  const all = Object.entries({ ...rest, typescript: files, 'typescript.tsconfig': tsconfig });
  return new Map(
    all.filter(([key, value]) => !isDefault(key, value)).sort(([one], [other]) => (one < other ? -1 : 1)),
  );
}

function isDefault(key: string, value: unknown): boolean {
  // The schema is no setting, and the file's folder is always `output`.
  if (key === '$schema' || key === 'output') return true;
  if (Array.isArray(value)) return value.length === 0;
  return value === undefined || value === false || (key === 'auth' && value === 'none');
}

/** Lists settings that are lost; sources are not compared, since a run always has its own. */
function droppedSettings(before: Map<string, unknown>, now: Map<string, unknown>): string[] {
  const compiled = ['source', 'typescript'];
  return [...before.keys()].filter((key) => !now.has(key) && !compiled.includes(key));
}

function changedSettings(before: Map<string, unknown>, now: Map<string, unknown>): string[] {
  return [...before].filter(([key, value]) => !isDeepStrictEqual(value, now.get(key))).map(([key]) => key);
}
