/** From a source to a server project on disk. */
import { resolve } from 'node:path';
import { checkOptions } from './check-options.ts';
import { checkOrigins, reportSecrets } from '../project/check-origins.ts';
import { type CompileOptions, defaultDir, derive, isBlocked, judged, load } from './compile.ts';
import { CONFIG_FILE } from '../config/options/project-config.ts';
import { type Diagnostic, DiagnosticCollector, withoutRepeats } from '../diagnostics/collector.ts';
import { noTexts, type SourceTexts } from '../diagnostics/locate/text-places.ts';
import { emitFiles, writeFiles } from './emit-files.ts';
import { namesByOperation } from '../emit/index.ts';
import { isClosed } from '../hooks/user-code.ts';
import { type FolderOptions, readProject } from '../project/existing-project.ts';
import { lockedNames } from '../project/locked-names.ts';
import { observeFolder, makeProvenance, makeRecorder } from '../project/provenance.ts';
import type { ProjectFileOptions, RunSwitches } from '../config/options/option-types.ts';
import type { PublishTarget } from '../model/published.ts';
import type { Confinement } from '../project/output-permission.ts';
import type { ServerModel } from '../model/server-model.ts';
import { type ChosenLists, chooseLists } from '../project/chosen-lists.ts';
import { skip } from './unchanged.ts';
import { type ConfigDecision, loadOrCreateConfig } from '../project/load-config.ts';
import { assertSameServer, checkBeside, reportRenamed } from '../project/check-target.ts';
import { recover, saveFile, type WriteReport } from '../write/index.ts';
import { definedMembers } from '../util/collections.ts';

export interface GenerateOptions
  extends CompileOptions, Omit<ProjectFileOptions, 'output'>, Omit<RunSwitches, 'rename'>, FolderOptions {
  /** Target folder, taken from `cwd`. Default: `<server name>` in `beside`, or in `cwd` itself. */
  dir?: string;
  /** Targets that the project's configuration gets beside those that it has. Default: none. */
  addTargets?: PublishTarget[];
  /**
   * A project whose lock says that nothing has changed, neither of what it is made of nor of its files, is not compiled again:
   * `skipped` is there then, and `model` and what there is to say of the sources are not. Default false.
   */
  skip?: boolean;
  /** Where the project may be that is made `beside` a configuration. Default: anywhere. */
  confinement?: Confinement;
  /** The file `routeMap` was read from; the project's config names it instead of the rules. */
  routeMapFile?: string;
}

export interface Generation {
  /** False after an error; nothing was written then. With `check`, false also when the folder is stale. */
  ok: boolean;
  /** As named in the options, or in the project's config. Absent when that could not be read. */
  source?: string;
  /** The target folder as given or derived; absent when the source could not be read. */
  dir?: string;
  model?: ServerModel;
  /** With `skip`: nothing has changed, so there is no `model`. */
  skipped?: { tools: number };
  /** Absent after an error of the source. */
  report?: WriteReport;
  /** Every problem, in the order found; with `strict`, warnings of the source have become errors. */
  diagnostics: readonly Diagnostic[];
  texts: SourceTexts;
}

/**
 * Compiles a document, annotated functions, or several of either, and writes the project: everything or nothing.
 *
 * Problems are diagnostics. Rejects only when `signal` is aborted before writing is done, or for a bug of mcpgen.
 */
export async function generate(given: GenerateOptions): Promise<Generation> {
  let options = given;
  const diagnostics = new DiagnosticCollector();
  if (!checkOptions(options, 'generate', diagnostics))
    return { ok: false, diagnostics: diagnostics.found, texts: noTexts };
  const found = options.skip === true ? await skip(options, diagnostics) : {};
  if (found.generation !== undefined) return found.generation;
  const recorder = makeRecorder(options);
  await checkTemplates(options, diagnostics);
  const { parts, app, texts } = await load(
    { ...options, ...(recorder && { observer: recorder }) },
    diagnostics,
  );
  const stopped = { ok: false, source: options.source, texts };
  if (parts === undefined) return { ...stopped, diagnostics: judged(diagnostics, options) };
  const dir = options.dir ?? defaultDir(parts, options);
  if (!(await isConfined(dir, options, diagnostics)))
    return { ...stopped, dir, diagnostics: judged(diagnostics, options) };
  if (!(await recover(resolve(options.cwd ?? '.', dir), diagnostics, options)))
    return { ...stopped, dir, diagnostics: judged(diagnostics, options) };
  const project = found.project ?? (await readProject(dir, options.cwd));
  const lists = chooseLists(options, project, diagnostics);
  if (lists === undefined) return { ...stopped, dir, diagnostics: judged(diagnostics, options) };
  options = { ...options, ...lists.said };
  const nameLock = options.nameLock ?? (await lockedNames(project, options, diagnostics));
  const { model, derived, code } = await derive(parts, { ...options, nameLock }, diagnostics, recorder);
  if (code !== undefined && !isClosed(code)) recorder?.forget();
  const ownCode = diagnostics.hasErrors ? undefined : app?.();
  if (isBlocked(diagnostics, options)) return { ...stopped, dir, diagnostics: judged(diagnostics, options) };
  const { observer, cwd = '.' } = options;
  const provenance = makeProvenance(options, dir, recorder?.files ?? []);
  const isTarget =
    assertSameServer(model, provenance, project, options, diagnostics) &&
    (await checkBeside(provenance, dir, options, diagnostics));
  if (isTarget) checkOrigins(model, project, options, diagnostics);
  const settled =
    isTarget && !diagnostics.hasErrors ? loadOrCreateConfig(options, project, diagnostics) : undefined;
  if (settled === undefined) return { ...stopped, dir, diagnostics: judged(diagnostics, options) };
  reportRenamed(model, project, options, diagnostics);
  const run = { ...options, ...settled, ...withEditedConfig(settled, lists) };
  options.onStage?.('emit');
  const compiled = { model, dir, project, app: ownCode, code, provenance, names: namesByOperation(derived) };
  const files = await emitFiles(compiled, run, diagnostics);
  if (!('diagnostics' in files)) reportSecrets(files, options.variables ?? {}, diagnostics);
  if (isBlocked(diagnostics, options)) return { ...stopped, dir, diagnostics: judged(diagnostics, options) };
  await saveConfig(run, lists, dir);
  const writing = new DiagnosticCollector();
  const report = 'diagnostics' in files ? undefined : await writeFiles(files, compiled, run, writing);
  // What is built of them is built anew. Now, since a new project has just been given some.
  if (observer !== undefined) observeFolder(resolve(cwd, dir, 'src/handlers'), observer);
  const later = 'diagnostics' in files ? files.diagnostics : writing.found;
  return {
    ok: report !== undefined && !writing.hasErrors,
    source: options.source,
    dir,
    model,
    ...definedMembers({ report }),
    diagnostics: withoutRepeats(judged(diagnostics, options), later),
    texts,
  };
}

function withEditedConfig(
  { configText }: ConfigDecision,
  { locked, editedConfig }: ChosenLists,
): Pick<ConfigDecision, 'configText' | 'locked'> {
  const text = editedConfig ?? configText;
  return {
    ...(text === undefined ? {} : { configText: text }),
    locked,
  };
}

/** A configuration that a person has written is no generated file. Before the others: without it, a lock of today would take files away. */
async function saveConfig(
  { check = false, dryRun = false, cwd = '.', configOwnership }: GenerateOptions & ConfigDecision,
  { editedConfig }: ChosenLists,
  dir: string,
): Promise<void> {
  if (editedConfig === undefined || configOwnership !== 'once' || check || dryRun) return;
  await saveFile(resolve(cwd, dir, CONFIG_FILE), editedConfig, { force: true, original: false });
}

/** A project that is called as its server: a link of that name may lead anywhere. */
async function isConfined(
  dir: string,
  { confinement, cwd = '.' }: GenerateOptions,
  diagnostics: DiagnosticCollector,
): Promise<boolean> {
  if (confinement === undefined) return true;
  const { mayWriteTo } = await import('../project/output-permission.ts');
  return mayWriteTo(dir, cwd, confinement, diagnostics);
}

/** What can be told of the folder before the source is read. */
async function checkTemplates(
  { templates, observer, cwd = '.' }: GenerateOptions,
  diagnostics: DiagnosticCollector,
): Promise<void> {
  if (templates === undefined) return;
  if (observer !== undefined) observeFolder(resolve(cwd, templates), observer);
  const { judgeTemplates } = await import('../emit/templates/overrides.ts');
  await judgeTemplates({ path: resolve(cwd, templates), label: templates }, diagnostics);
}
