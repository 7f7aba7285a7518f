/** Chooses a project's publish targets, features and form of the runtime: from its configuration, its lock, or a project of mcpgen 0.1. */
import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { isFaulty, parseConfig } from '../config/options/parse-config.ts';
import { CONFIG_FILE } from '../config/options/project-config.ts';
import { isDocument, type SourceInput } from '../config/options/sources.ts';
import type { DiagnosticCollector } from '../diagnostics/collector.ts';
import { isHashOf, type Lock, lockFormat } from '../emit/index.ts';
import { isRecord } from '../../templates/runtime/contract/json-value.ts';
import { FEATURES } from '../../templates/runtime/features.ts';
import { DEFAULT_FEATURES, FEATURE_NAMES, FEATURES_OF_0_1 } from '../model/features.ts';
import { type PublishTarget, publishTargets, targetsWithFiles } from '../model/published.ts';
import { omitUndefined } from '../util/collections.ts';
import { type ExistingProject, type OuterConfig, readFileIfAny } from './existing-project.ts';

interface ListOptions {
  cwd?: string;
  publish?: PublishTarget[];
  features?: string[];
  addTargets?: PublishTarget[];
  addFeatures?: string[];
  runtime?: RuntimeForm;
  /** The form that the configuration gets. */
  setRuntime?: RuntimeForm | undefined;
  auth?: unknown;
  sources?: readonly SourceInput[];
  typescript?: object;
  configText?: string;
  configFile?: string;
  outer?: OuterConfig;
  rebuildLock?: boolean;
  check?: boolean;
  dryRun?: boolean;
}

type RuntimeForm = 'vendored' | 'bundled';

export interface Lists {
  publish?: PublishTarget[];
  features?: string[];
}

type Members = Lists & { runtime?: RuntimeForm };

export interface ChosenLists {
  /** Members of the configuration, including additions. */
  said: Members;
  /** Lists of the lock, if the configuration cannot be edited. */
  locked: Lists;
  editedConfig?: string;
}

interface Asked {
  said: readonly string[] | undefined;
  added: readonly string[];
  locked: readonly string[] | undefined;
}

/** Reports an error and returns `undefined` if an addition needs an edit that is impossible, or an old project is checked. */
export function choosePublishAndFeatures(
  options: ListOptions,
  project: ExistingProject,
  diagnostics: DiagnosticCollector,
): ChosenLists | undefined {
  const { addTargets = [], addFeatures = [], configText, rebuildLock = false } = options;
  const { dir, root } = project;
  const lock = rebuildLock ? undefined : project.lock;
  const written = readListsFromProjectConfig(options, root);
  const isOld = lock !== undefined && lock.format < lockFormat;
  if (isOld && options.check === true) {
    diagnostics.report('made-by-earlier', { compiler: lock.compiler });
    return undefined;
  }
  const isEditable = isConfigEditable(options, root, lock);
  const place = isEditable ? CONFIG_FILE : 'mcpgen.lock';
  const publish = chooseList(
    { said: options.publish ?? written.publish, added: addTargets, locked: lock?.publish },
    publishTargets,
    [],
    isOld ? targetsWithFiles(Object.keys(lock.files)) : undefined,
  );
  const features = chooseList(
    { said: options.features ?? written.features, added: addFeatures, locked: lock?.features },
    FEATURE_NAMES,
    addFeatures.length > 0 ? DEFAULT_FEATURES : [],
    isOld ? listOldFeatures(options) : undefined,
  );
  const lists: [keyof Lists, Choice][] = [
    ['publish', publish],
    ['features', features],
  ];
  const form = options.setRuntime === (options.runtime ?? 'vendored') ? undefined : options.setRuntime;
  const refused: [keyof Members, MemberValue][] = lists.flatMap(([key, { isAdded, values = [] }]) =>
    isAdded ? [[key, values]] : [],
  );
  if (form !== undefined) refused.push(['runtime', form]);
  if (!isEditable && refused.length > 0) {
    reportConfigNotEdited(refused, dir, options, diagnostics);
    return undefined;
  }
  const told = { place, names: options.dryRun === true ? 'would name' : 'now names' } as const;
  const list = ({ values = [] }: Choice): string => values.join(', ');
  if (publish.isKept) diagnostics.report('publish-targets-kept', { targets: list(publish), ...told });
  if (features.isKept) diagnostics.report('features-kept', { features: list(features), ...told });
  const belongsInLock = ({ isChanged }: Choice): boolean => isChanged && !isEditable;
  const pickChosenLists = (wanted: (choice: Choice) => boolean): Lists =>
    Object.fromEntries(
      lists.flatMap(([key, choice]) =>
        choice.values !== undefined && wanted(choice) ? [[key, choice.values]] : [],
      ),
    );
  const runtime = omitUndefined({ runtime: form });
  const edited = { ...pickChosenLists(({ isChanged }) => isChanged && isEditable), ...runtime };
  const result = {
    said: { ...pickChosenLists((choice) => !belongsInLock(choice)), ...runtime },
    locked: pickChosenLists(belongsInLock),
  };
  if (configText === undefined || Object.keys(edited).length === 0) return result;
  return { ...result, editedConfig: replaceConfigMembers(configText, edited) };
}

function reportConfigNotEdited(
  refused: readonly [keyof Members, MemberValue][],
  dir: string,
  options: ListOptions,
  diagnostics: DiagnosticCollector,
): void {
  const { outer, configFile = CONFIG_FILE } = options;
  const printMembers = (areThere: boolean): string =>
    refused
      .filter(([key]) => (options[key] !== undefined) === areThere)
      .map(([key, value]) => printConfigMember(key, value, "'"))
      .join(', ');
  diagnostics.report('config-not-edited', {
    file: outer?.file ?? join(dir, configFile),
    added: printMembers(false),
    changed: printMembers(true),
    command: outer?.command ?? ['mcpgen generate', ...(dir === '.' ? [] : [dir])].join(' '),
  });
}

/** The features of 0.1, without those that extend a feature which the project does not have. */
function listOldFeatures({ auth, sources, typescript }: ListOptions): string[] {
  const hasApi = sources?.some(isDocument) ?? typescript === undefined;
  const missing = new Set([
    ...(hasApi ? [] : ['api']),
    ...(auth === undefined || auth === 'none' ? ['oauth'] : []),
  ]);
  const isIdleFeature = (name: string): boolean =>
    FEATURES.some((row) => row.name === name && row.with !== undefined && missing.has(row.with));
  return FEATURES_OF_0_1.filter((name) => !isIdleFeature(name));
}

interface Choice {
  values: readonly string[] | undefined;
  /** `values` differ from the list that the options or the configuration give. */
  isChanged: boolean;
  /** Neither configuration nor lock has all additions. */
  isAdded: boolean;
  /** A project of mcpgen 0.1 keeps its list. */
  isKept: boolean;
}

/** `base` is the list to which the first addition is made, `old` the list of a project of 0.1. */
function chooseList(
  { said, added, locked }: Asked,
  all: readonly string[],
  base: readonly string[],
  old: readonly string[] | undefined,
): Choice {
  const kept = said ?? locked ?? old ?? base;
  const values = all.filter((each) => kept.includes(each) || added.includes(each));
  const isSame = values.length === 0 || isDeepStrictEqual(new Set(values), new Set(said));
  if (isSame) return { values: said, isChanged: false, isAdded: false, isKept: false };
  const known = said ?? locked ?? old ?? [];
  return {
    values,
    isChanged: true,
    isAdded: !added.every((each) => known.includes(each)),
    isKept: said === undefined && old !== undefined,
  };
}

function isConfiguredByCommandLine({ configText, configFile, outer }: ListOptions): boolean {
  return configText === undefined && configFile === undefined && outer === undefined;
}

/** Without a configuration, a run reads these lists from the one that mcpgen wrote into the project. */
function readListsFromProjectConfig(options: ListOptions, root: string): Lists {
  const text = isConfiguredByCommandLine(options) ? readFileIfAny(join(root, CONFIG_FILE)) : undefined;
  const config = text === undefined ? undefined : parseConfig(text);
  if (config === undefined || isFaulty(config)) return {};
  return omitUndefined({ publish: config.publish, features: config.features });
}

/** Configurations in code or YAML, those of several projects, and links are not edited. */
function isConfigEditable(options: ListOptions, root: string, lock: Lock | undefined): boolean {
  const path = join(root, CONFIG_FILE);
  if (isConfiguredByCommandLine(options)) {
    const text = readFileIfAny(path);
    return text === undefined || isHashOf(lock?.files[CONFIG_FILE], CONFIG_FILE, text);
  }
  const { configText, outer } = options;
  const isLink = lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? true;
  if (outer !== undefined || configText === undefined || isLink) return false;
  const config = parseConfig(configText);
  return !isFaulty(config) && config.servers === undefined;
}

/** Replaces members in the text of a configuration, and keeps its layout if possible. */
export function replaceConfigMembers(text: string, members: Members): string {
  return Object.entries(members).reduce(
    (edited, [key, value]: [string, MemberValue]) => replaceConfigMember(edited, key, value),
    text,
  );
}

type MemberValue = string | readonly string[];

function replaceConfigMember(text: string, key: string, value: MemberValue): string {
  const parsed: unknown = JSON.parse(text.replace(/^\uFEFF/, ''));
  const members = isRecord(parsed) ? parsed : {};
  const want = { ...members, [key]: value };
  const line = printConfigMember(`"${key}"`, value, '"');
  const indent = /^\{\s*?\n([ \t]+)"/.exec(text)?.[1] ?? '  ';
  const edited = Object.hasOwn(members, key)
    ? text.replace(new RegExp(`"${key}"\\s*:\\s*(?:\\[[^\\]]*\\]|"[^"]*")`), line)
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

function printConfigMember(key: string, value: MemberValue, quote: string): string {
  const quoteText = (text: string): string => `${quote}${text}${quote}`;
  return `${key}: ${typeof value === 'string' ? quoteText(value) : `[${value.map(quoteText).join(', ')}]`}`;
}
