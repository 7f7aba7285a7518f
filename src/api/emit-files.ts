/** The files of a project as values, from what was compiled and what its options say. */
import { existsSync } from 'node:fs';
import { basename, join, relative, resolve, sep } from 'node:path';

import { readFileIfAny } from '../util/read-file.ts';
import { printProjectConfig } from '../config/options/make-config.ts';
import { CONFIG_FILE } from '../config/options/project-config.ts';
import { isDocument } from '../config/options/sources.ts';
import { resolveAuthRules } from '../derive/index.ts';
import { type DiagnosticCollector, DiagnosticError } from '../diagnostics/collector.ts';
import {
  type EmitOptions,
  type GeneratedFile,
  type HandlerCode,
  type Provenance,
  chooseFeatures,
  emitProject,
  listIdleFeatures,
  lockPath,
  packagePath,
  parseLock,
} from '../emit/index.ts';
import { type FeatureRow, FEATURES } from '../model/feature-table.ts';
import type { AppFiles } from '../model/app-files.ts';
import type { Published } from '../model/published.ts';
import type { ServerModel } from '../model/server-model.ts';
import { type ExistingProject } from '../project/existing-project.ts';
import type { RenamedTool } from '../project/locked-names.ts';
import {
  type ManifestOnDisk,
  readManifestOnDisk,
  pickPublishedMembers,
  reportIgnoredVersion,
  reportPackageFaults,
} from '../project/package-json.ts';
import { omitUndefined, formatNameList } from '../util/collections.ts';
import { version } from '../util/version.ts';
import { yieldToSignals } from '../util/pauses.ts';
import { readHandlerCode, type WriteReport, writeProject } from '../write/index.ts';
import type { GenerateOptions } from './options.ts';

export interface CompiledProject {
  model: ServerModel;
  project: ExistingProject;
  app: AppFiles | undefined;
  handlers?: HandlerCode | undefined;
  provenance: Provenance;
  /** Operation → tool name, as the lock records them. */
  names: Record<string, string>;
  renamedTools: readonly RenamedTool[];
  options: GenerateOptions;
}

/** Returns `undefined` after faults of the user's templates, which are reported to `secondDiagnostics`. */
export async function emitFiles(
  project: CompiledProject,
  diagnostics: DiagnosticCollector,
  secondDiagnostics: DiagnosticCollector,
): Promise<GeneratedFile[] | undefined> {
  try {
    const compiled = { ...project, handlers: await readHandlerCode(project.project.root) };
    const manifest = await readPackageManifest(compiled);
    const published = pickPublishedMembers(manifest);
    const file = join(compiled.project.dir, packagePath);
    reportIgnoredVersion(published, compiled.options, file, diagnostics);
    if (manifest !== undefined) reportPackageFaults(file, manifest, diagnostics);
    reportIdleFeatures(compiled, diagnostics);
    reportFeaturesOfCode(compiled, diagnostics);
    return await emitWithOptions(compiled, published, (tool, reason) => {
      diagnostics.report('golden-call-left-out', { tool, reason });
    });
  } catch (error) {
    if (!(error instanceof DiagnosticError)) throw error;
    for (const diagnostic of error.diagnostics) secondDiagnostics.add(diagnostic);
    return undefined;
  }
}

function reportIdleFeatures(
  { model, app, options: { features, ...options } }: CompiledProject,
  diagnostics: DiagnosticCollector,
): void {
  if (features === undefined) return;
  const idle = listIdleFeatures(model, {
    features,
    ...omitUndefined({ app }),
    ...makeAuthEmitOptions(options),
  });
  for (const base of new Set(idle.map((row) => row.with ?? ''))) {
    const names = idle.filter((row) => row.with === base).map(({ name }) => name);
    const { addedBy = '' } = FEATURES.find(({ name }) => name === base) ?? {};
    diagnostics.report('feature-without-base', { features: formatNameList(names), base, addedBy });
  }
}

/** Reports features that come because of handlers, and those of the last run that no code uses any more. */
function reportFeaturesOfCode(compiled: CompiledProject, diagnostics: DiagnosticCollector): void {
  const { model, app, handlers, project, options } = compiled;
  const { publish, features } = options;
  const { ownedFeatures } = describeOwnedServer(project, options);
  const choice = {
    ...omitUndefined({ app, publish, features, ownedFeatures }),
    ...makeAuthEmitOptions(options),
  };
  const namesOf = (rows: readonly FeatureRow[]): Set<string> => new Set(rows.map(({ name }) => name));
  const namesWithoutHandlers = namesOf(chooseFeatures(model, choice));
  const all = namesOf(chooseFeatures(model, { ...choice, ...omitUndefined({ handlers }) }));
  const server = readFileIfAny(join(project.root, SERVER)) ?? '';
  for (const { name, uses = {}, factory } of FEATURES) {
    const members = [...(uses.members ?? []), ...(uses.keys ?? [])];
    const wasPresent = new RegExp(`^ *${factory}\\(`, 'm').test(server);
    if (members.length === 0 || wasPresent === all.has(name)) continue;
    if (wasPresent) diagnostics.report('feature-changed', { feature: name, uses: '', change: 'left out' });
    else if (!namesWithoutHandlers.has(name)) {
      const used = members.filter((word) => handlers?.members.has(word) || handlers?.keys.has(word));
      diagnostics.report('feature-changed', { feature: name, uses: formatNameList(used), change: 'added' });
    }
  }
}

/**
 * The package.json on disk, with the values that the lock says were generated. If the run does without a lock, the package.json
 * that it would generate replaces them: values that differ from it are the user's.
 */
async function readPackageManifest(compiled: CompiledProject): Promise<ManifestOnDisk | undefined> {
  const { force = false, rebuildLock = false } = compiled.options;
  const { root } = compiled.project;
  const lock = rebuildLock ? undefined : compiled.project.lock;
  if (lock !== undefined || !(force || rebuildLock) || !existsSync(join(root, packagePath)))
    return readManifestOnDisk(root, lock);
  const files = await emitWithOptions(compiled, {});
  const newLock = parseLock(files.find(({ path }) => path === lockPath)?.contents ?? '');
  const read = readManifestOnDisk(root, newLock);
  // Without a lock, no member counts as removed by the user: the merge adds missing ones.
  return read && { ...read, manifest: { type: 'module', ...read.manifest } };
}

async function emitWithOptions(
  { model, project, app, handlers, provenance, names, options }: CompiledProject,
  published: Published,
  onLeftOut?: EmitOptions['onLeftOut'],
): Promise<GeneratedFile[]> {
  const { cwd = '.', templates, hostedUrl, publish, features, toolNames } = options;
  const folder = templates === undefined ? undefined : { path: resolve(cwd, templates), label: templates };
  return emitProject(model, {
    source: listSourcesForHeaders(options),
    compilerVersion: version,
    provenance,
    names,
    published,
    ...makeConfigEmitOptions(options, project),
    ...omitUndefined({
      hostedUrl,
      publish,
      features,
      toolNames,
    }),
    ...omitUndefined({ templates: folder }),
    ...omitUndefined({
      handlers,
      onLeftOut,
      signal: options.signal,
      ...describeOwnedServer(project, options),
    }),
    ...(app && { app, link: options.link ?? false, root: project.root }),
    ...makeAuthEmitOptions(options),
  });
}

const SERVER = 'src/server.ts';

/** The features that an edited `src/server.ts` imports, if this run or an earlier one leaves the file to the user. */
function describeOwnedServer(
  { root, lock }: ExistingProject,
  { keep = false, force = false }: GenerateOptions,
): Pick<EmitOptions, 'ownedFeatures'> {
  const isOwned = (keep && !force) || lock?.owned?.[SERVER] !== undefined;
  const text = isOwned ? readFileIfAny(join(root, SERVER)) : undefined;
  if (text === undefined) return {};
  const imports = Array.from(text.matchAll(/import \{([^}]*)\} from ['"]\.\/runtime\/(.+)\.ts['"]/g));
  const isImported = ({ factory, module }: FeatureRow): boolean =>
    imports.some(([, names = '', path]) => path === module && new RegExp(`\\b${factory}\\b`).test(names));
  return { ownedFeatures: new Set(FEATURES.filter(isImported).map(({ name }) => name)) };
}

const FUNCTIONS = 'annotated functions';

/** The sources that file headers name. URLs keep the variables of the configuration, whose values may be secrets. */
function listSourcesForHeaders({
  source,
  sources,
  typescript,
  asWritten: texts = [],
}: GenerateOptions): string[] {
  const urlsAsWritten = new Map(texts.map((text) => [text.filled, text.template]));
  const restoreUrlVariables = (url: string): string =>
    /^https?:/i.test(url) ? (urlsAsWritten.get(url) ?? url) : url;
  if (sources === undefined) return [typescript === undefined ? restoreUrlVariables(source) : FUNCTIONS];
  return [
    ...new Set(
      sources.map((source) => (isDocument(source) ? restoreUrlVariables(source.openapi) : FUNCTIONS)),
    ),
  ];
}

function makeConfigEmitOptions(
  options: GenerateOptions,
  { dir, root }: ExistingProject,
): Pick<EmitOptions, 'config' | 'configuration' | 'server'> {
  const { owner, cwd = '.' } = options;
  if (owner === undefined) return {};
  const place = join(root, CONFIG_FILE);
  const text = resolve(cwd, owner.file) === place ? (owner.edits?.text ?? readFileIfAny(place)) : undefined;
  return {
    ...omitUndefined({ config: owner.isNew ? printProjectConfig(options, dir) : text }),
    configuration: relative(root, resolve(cwd, owner.file)).replaceAll(sep, '/'),
    ...omitUndefined({ server: owner.server }),
  };
}

function makeAuthEmitOptions({ auth }: GenerateOptions): Pick<EmitOptions, 'auth'> {
  const rules = resolveAuthRules(auth);
  if (rules === undefined) return {};
  const { scopeMap, ...emitted } = rules;
  void scopeMap;
  return { auth: emitted };
}

/** Writes the files of a project, the only step that changes any; with `check`, reports files that differ instead. */
export async function writeOrCompareFiles(
  files: GeneratedFile[],
  { project, model, provenance, renamedTools, options }: CompiledProject,
  diagnostics: DiagnosticCollector,
): Promise<WriteReport> {
  await yieldToSignals(options.signal);
  options.onStage?.('write');
  const { dir } = project;
  const { force = false, keep = false } = options;
  const { dryRun = false, check = false, rebuildLock = false, signal, owner, onRemoval } = options;
  const target = {
    dir: project.root,
    label: dir,
    ...omitUndefined({ again: owner?.isNew ? undefined : owner?.command, configuration: owner?.file }),
    force,
    keep,
    existing: project,
    rebuildLock,
    beforeWriting: async (removed: readonly string[]) => {
      if (removed.length > 0) onRemoval?.(dir, removed);
      if (owner?.edits === undefined) return;
      const { saveEdits } = await import('../project/edit-config.ts');
      await saveEdits(owner.edits, diagnostics);
    },
    known: listUserInputs(options, provenance),
    dryRun,
    check,
    tools: model.tools.map(({ name }) => name),
    renamedTools: new Map(renamedTools.map(({ tool, before }) => [before, tool.name])),
    ...omitUndefined({ signal }),
  };
  const report = await writeProject(files, target, diagnostics);
  if (options.source === '-' && !check && !diagnostics.hasErrors) diagnostics.report('source-not-kept', {});
  if (check) reportStaleProject(report, dir, options, diagnostics);
  return report;
}

/** The user's files that may be in the folder before its first run: the configuration and the sources. */
function listUserInputs(options: GenerateOptions, { inputs }: Provenance): string[] {
  const { owner } = options;
  return owner === undefined || owner.isNew ? [] : [basename(owner.file), ...inputs];
}

function reportStaleProject(
  { written, removed, edited, foreign }: WriteReport,
  dir: string,
  { owner, command }: GenerateOptions,
  diagnostics: DiagnosticCollector,
): void {
  if (diagnostics.hasErrors) return;
  const count = written.length + removed.length + edited.length + foreign.length;
  if (count === 0) return;
  diagnostics.report('project-stale', {
    dir,
    count,
    edited: edited.length,
    files: formatNameList(edited),
    command:
      (owner?.edits && command?.replace(/ --check(?= |$)/, '')) ?? owner?.command ?? `mcpgen generate ${dir}`,
    configuration: owner?.file ?? 'mcpgen.config.json',
  });
}
