/** The configuration that stands in a project's folder, against a run that was configured elsewhere and would write another. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { configObject, makeConfig } from '../config/options/make-config.ts';
import { isFaulty, parseConfig } from '../config/options/parse-config.ts';
import { CONFIG_FILE, CONFIG_FILES, type ServerConfig } from '../config/options/project-config.ts';
import { isDocument } from '../config/options/sources.ts';
import type { DiagnosticCollector } from '../diagnostics/collector.ts';
import { isHashOf } from '../emit/index.ts';
import type { ExistingProject, ProjectRun } from './existing-project.ts';
import type { Lists } from './chosen-lists.ts';

/** What becomes of the file. */
export interface SettledConfig {
  /** It stays as it is written. */
  configText?: string;
  /** None is added: a person has written one in another form, of this name. */
  configFile?: string;
  /** It is a person's. */
  configOwnership?: 'once';
  /** Publish targets and features that the lock records in place of the configuration. */
  locked?: Lists;
  /** Files that are kept as `.orig`, whoever wrote them. */
  saved?: string[];
}

/** `undefined`, and reported, where the run would lose what the file says. */
export function loadOrCreateConfig(
  options: ProjectRun,
  { dir, root, lock }: ExistingProject,
  diagnostics: DiagnosticCollector,
): SettledConfig | undefined {
  const { configFile, configText, outer, check = false, force = false } = options;
  if (configFile !== undefined) return {};
  const other = configText === undefined ? otherConfig(root) : undefined;
  if (other !== undefined) {
    if (check || force) return { configFile: other };
    diagnostics.report('configured-already', { dir, file: join(dir, other) });
    return undefined;
  }
  const text = configText ?? textOf(join(root, CONFIG_FILE));
  if (text === undefined) return {};
  const isOurs = isHashOf(lock?.files[CONFIG_FILE], CONFIG_FILE, text);
  const asItIs: SettledConfig = isOurs ? {} : { configText: text, configOwnership: 'once' };
  if (configText !== undefined) return asItIs;
  const standing = parseConfig(text, options.env);
  const isTakenOver = Object.hasOwn(lock?.owned ?? {}, CONFIG_FILE);
  if (lock === undefined || isTakenOver || isFaulty(standing)) return {};
  const [before, now] = [settingsOf(standing), settingsOf(makeConfig(options, dir))];
  if (isDeepStrictEqual(before, now)) return asItIs;
  // The outer configuration has changed, and what it gave the project is replaced by what it gives now.
  if (check || (isOurs && outer !== undefined)) return {};
  const lost = isOurs ? dropped(before, now) : changed(before, now);
  if (lost.length === 0 || (!isOurs && isSettledOtherwise(options))) return {};
  if (force) return { saved: [CONFIG_FILE] };
  const settings = lost.join(', ');
  diagnostics.report('settings-lost', {
    file: join(dir, CONFIG_FILE),
    dir,
    settings,
    outer: outer?.file ?? '',
  });
  return undefined;
}

/** The one that a person has written in code or YAML. */
function otherConfig(root: string): string | undefined {
  return CONFIG_FILES.find((name) => name !== CONFIG_FILE && existsSync(join(root, name)));
}

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

function isSettledOtherwise({ keep = false, merge = false }: ProjectRun): boolean {
  return keep || merge;
}

/** One document alone is the same server, written as `source` or in the list `sources`. */
function asOneSource({ sources, ...config }: ServerConfig): ServerConfig {
  const [only, other] = sources ?? [];
  if (only === undefined || other !== undefined || !isDocument(only) || 'prefix' in only)
    return sources === undefined ? config : { ...config, sources };
  const { openapi, ...settings } = only;
  return { ...config, ...settings, source: openapi };
}

/** By name; what says no more than the default is left out. */
function settingsOf(config: ServerConfig): Map<string, unknown> {
  const { typescript, ...rest } = configObject(asOneSource(config));
  const { files, tsconfig } = config.typescript ?? {};
  void typescript;
  const all = Object.entries({ ...rest, typescript: files, 'typescript.tsconfig': tsconfig });
  return new Map(
    all.filter(([key, value]) => !isDefault(key, value)).sort(([one], [other]) => (one < other ? -1 : 1)),
  );
}

function isDefault(key: string, value: unknown): boolean {
  // Where the file's schema is; and the folder, which is the file's own.
  if (key === '$schema' || key === 'output') return true;
  if (Array.isArray(value)) return value.length === 0;
  return value === undefined || value === false || (key === 'auth' && value === 'none');
}

/** Each run says anew what it compiles; what it says nothing of at all would be lost. */
function dropped(before: Map<string, unknown>, now: Map<string, unknown>): string[] {
  const compiled = ['source', 'typescript'];
  return [...before.keys()].filter((key) => !now.has(key) && !compiled.includes(key));
}

function changed(before: Map<string, unknown>, now: Map<string, unknown>): string[] {
  return [...before].filter(([key, value]) => !isDeepStrictEqual(value, now.get(key))).map(([key]) => key);
}
