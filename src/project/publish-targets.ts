/** The publish targets of a project: what its configuration says, or the files that a project of an earlier compiler has. */
import { lstatSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { isFaulty, parseConfig } from '../config/options/parse-config.ts';
import { CONFIG_FILE } from '../config/options/project-config.ts';
import type { DiagnosticCollector } from '../diagnostics/collector.ts';
import { hashContents, type Lock, lockFormat } from '../emit/index.ts';
import { isRecord } from '../../templates/runtime/contract/json-value.ts';
import { type PublishTarget, publishTargets, targetsWithFiles } from '../model/published.ts';
import type { ExistingProject } from './existing-project.ts';

interface TargetOptions {
  cwd?: string;
  publish?: PublishTarget[];
  /** Targets that the configuration shall have from now on. */
  addTargets?: PublishTarget[];
  configText?: string;
  configFile?: string;
  outer?: { file: string };
  rebuildLock?: boolean;
}

export interface ChosenTargets {
  /** What the configuration says, or says from now on. */
  publish?: PublishTarget[];
  /** In place of `publish`: the lock records them, since the configuration cannot be edited. */
  lockedTargets?: PublishTarget[];
  /** The project's configuration with the new targets. */
  editedConfig?: string;
}

/** `undefined`, and reported, where targets cannot be added. */
export async function choosePublishTargets(
  options: TargetOptions,
  project: ExistingProject,
  diagnostics: DiagnosticCollector,
): Promise<ChosenTargets | undefined> {
  const { addTargets = [], configText, rebuildLock = false } = options;
  const { dir, root } = project;
  const lock = rebuildLock ? undefined : project.lock;
  const said = options.publish ?? targetsOfStanding(options, root);
  const isOld = said === undefined && lock !== undefined && lock.format < lockFormat;
  const kept = said ?? lock?.publish ?? (isOld ? targetsWithFiles(Object.keys(lock.files)) : []);
  const targets = publishTargets.filter((target) => kept.includes(target) || addTargets.includes(target));
  if (targets.length === 0 || isDeepStrictEqual(new Set(targets), new Set(said)))
    return said === undefined ? {} : { publish: said };
  const isEditable = isConfigEditable(options, root, lock);
  if (!isEditable && !addTargets.every((target) => kept.includes(target))) {
    const file = options.outer?.file ?? join(dir, options.configFile ?? CONFIG_FILE);
    diagnostics.report('targets-not-added', { file, line: printTargets('publish', targets) });
    return undefined;
  }
  if (isOld)
    diagnostics.report('publish-targets-kept', {
      targets: targets.join(', '),
      place: isEditable ? CONFIG_FILE : 'mcpgen.lock',
    });
  if (!isEditable) return { lockedTargets: targets };
  return {
    publish: targets,
    ...(configText === undefined ? {} : { editedConfig: withTargets(configText, targets) }),
  };
}

function isCommandLine({ configText, configFile, outer }: TargetOptions): boolean {
  return configText === undefined && configFile === undefined && outer === undefined;
}

/** A run by flags does not take away what `mcpgen publish init` added. */
function targetsOfStanding(options: TargetOptions, root: string): PublishTarget[] | undefined {
  const text = isCommandLine(options) ? readText(join(root, CONFIG_FILE)) : undefined;
  const config = text === undefined ? undefined : parseConfig(text);
  return config === undefined || isFaulty(config) ? undefined : config.publish;
}

/** Code, YAML, a configuration that is shared by several projects, and one that is a link stay as they are written. */
function isConfigEditable(options: TargetOptions, root: string, lock: Lock | undefined): boolean {
  const path = join(root, CONFIG_FILE);
  if (isCommandLine(options)) {
    const text = readText(path);
    return text === undefined || lock?.files[CONFIG_FILE] === hashContents(text);
  }
  const { configText, outer } = options;
  if (outer !== undefined || configText === undefined || isLink(path)) return false;
  const config = parseConfig(configText);
  return !isFaulty(config) && config.servers === undefined;
}

function isLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? true;
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

/** The text with other targets; everything else stays as it is laid out, where that is possible. */
export function withTargets(text: string, targets: readonly PublishTarget[]): string {
  const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ''));
  const want = { ...(isRecord(value) ? value : {}), publish: [...targets] };
  const line = printTargets('"publish"', targets, '"');
  const indent = /^\{\s*?\n([ \t]+)"/.exec(text)?.[1] ?? '  ';
  const edited = Object.hasOwn(isRecord(value) ? value : {}, 'publish')
    ? text.replace(/"publish"\s*:\s*\[[^\]]*\]/, line)
    : text.replace(/,?\s*\}\s*$/, `,\n${indent}${line}\n}\n`);
  return isSameJson(edited, want) ? edited : `${JSON.stringify(want, undefined, 2)}\n`;
}

function isSameJson(text: string, want: unknown): boolean {
  try {
    return isDeepStrictEqual(JSON.parse(text.replace(/^\uFEFF/, '')), want);
  } catch {
    return false;
  }
}

function printTargets(key: string, targets: readonly PublishTarget[], quote = "'"): string {
  return `${key}: [${targets.map((target) => `${quote}${target}${quote}`).join(', ')}]`;
}
