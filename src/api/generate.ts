/** From a source to a server project on disk. */
import { resolve } from 'node:path';
import { checkOptions } from './check-options.ts';
import type { GenerateOptions, Generation } from './options.ts';
import { checkOrigins, reportSecrets } from '../project/check-origins.ts';
import { defaultDir, derive, isBlocked, judged, load } from './compile.ts';
import { CONFIG_FILE } from '../config/options/project-config.ts';
import { DiagnosticCollector, withoutRepeats } from '../diagnostics/collector.ts';
import { noTexts } from '../diagnostics/locate/text-places.ts';
import { emitFiles, writeFiles } from './emit-files.ts';
import { namesByOperation } from '../emit/index.ts';
import { isClosed } from '../hooks/user-code.ts';
import { readProject } from '../project/existing-project.ts';
import { lockedNames } from '../project/locked-names.ts';
import { observeFolder, makeProvenance, makeRecorder } from '../project/provenance.ts';
import { type ChosenLists, chooseLists } from '../project/chosen-lists.ts';
import { skip } from './unchanged.ts';
import { type ConfigDecision, loadOrCreateConfig } from '../project/load-config.ts';
import { assertSameServer, checkBeside, reportRenamed } from '../project/check-target.ts';
import { recover, saveFile } from '../write/index.ts';
import { definedMembers } from '../util/collections.ts';

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
  // Handlers are observed from here on, because a new project got its first ones just now.
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
  return { ...definedMembers({ configText: editedConfig ?? configText }), locked };
}

/**
 * Saves the edited configuration, which is the user's file. It comes before the generated files: with the new lock and the old
 * configuration, the next run would remove files.
 */
async function saveConfig(
  { check = false, dryRun = false, cwd = '.', configOwnership }: GenerateOptions & ConfigDecision,
  { editedConfig }: ChosenLists,
  dir: string,
): Promise<void> {
  if (editedConfig === undefined || configOwnership !== 'once' || check || dryRun) return;
  await saveFile(resolve(cwd, dir, CONFIG_FILE), editedConfig, { force: true, original: false });
}

/** Checks a folder that is named after the server: a link of that name could lead out of the repository. */
async function isConfined(
  dir: string,
  { confinement, cwd = '.' }: GenerateOptions,
  diagnostics: DiagnosticCollector,
): Promise<boolean> {
  if (confinement === undefined) return true;
  const { mayWriteTo } = await import('../project/output-permission.ts');
  return mayWriteTo(dir, cwd, confinement, diagnostics);
}

/** Reports problems of the folder of templates before the source is read. */
async function checkTemplates(
  { templates, observer, cwd = '.' }: GenerateOptions,
  diagnostics: DiagnosticCollector,
): Promise<void> {
  if (templates === undefined) return;
  if (observer !== undefined) observeFolder(resolve(cwd, templates), observer);
  const { judgeTemplates } = await import('../emit/templates/overrides.ts');
  await judgeTemplates({ path: resolve(cwd, templates), label: templates }, diagnostics);
}
