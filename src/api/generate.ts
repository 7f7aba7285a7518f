/** From a source to a server project on disk. */
import { join, resolve } from 'node:path';
import { checkOptions } from './check-options.ts';
import type { GenerateOptions, Generation } from './options.ts';
import { checkOrigins, reportSecrets } from '../project/check-origins.ts';
import { reportExceededBudget } from './inspect.ts';
import {
  deriveProjectDir,
  runDeriveStage,
  hasBlockingDiagnostics,
  sortAndEscalateDiagnostics,
  runLoadStage,
} from './compile.ts';
import type { Loaded } from './load-sources.ts';
import type { SourcePart } from '../derive/index.ts';
import { DiagnosticCollector, joinWithoutRepeats } from '../diagnostics/collector.ts';
import { noTexts } from '../diagnostics/locate/text-places.ts';
import { type CompiledProject, emitFiles, writeOrCompareFiles } from './emit-files.ts';
import { type GeneratedFile, mapNamesByOperation } from '../emit/index.ts';
import { isClosed } from '../hooks/user-code.ts';
import { type ExistingProject, readProject } from '../project/existing-project.ts';
import { readLockedChoices } from '../project/locked-names.ts';
import { type InputRecorder, observeFolder, makeProvenance, makeRecorder } from '../project/provenance.ts';
import { skipIfUnchanged } from './unchanged.ts';
import { joinOwner } from './project-options.ts';
import { originsOfModel } from '../model/credential-origins.ts';
import { checkOwner, checkSameServer, checkNoSecondProject, reportRenamed } from '../project/check-target.ts';
import type { WriteReport } from '../write/index.ts';
import { omitUndefined } from '../util/collections.ts';

/**
 * Compiles a document, annotated functions, or several of either, and writes the project. After an error nothing has changed, unless it
 * is `write-unfinished`.
 *
 * Problems are diagnostics. Rejects only when `signal` is aborted before writing is done, or for a bug of mcpgen.
 */
export async function generate(given: GenerateOptions): Promise<Generation> {
  const diagnostics = new DiagnosticCollector();
  if (!checkOptions(given, 'generate', diagnostics)) return failedGeneration(diagnostics);
  const { owner, dir } = given;
  if (owner !== undefined || dir === undefined) return generateOwned(given, diagnostics);
  const joined = await joinOwner(given, dir, diagnostics);
  return joined === undefined ? failedGeneration(diagnostics) : generateOwned(joined, diagnostics);
}

function failedGeneration({ found }: DiagnosticCollector): Generation {
  return { ok: false, diagnostics: found, texts: noTexts };
}

/** Without an owner the folder is that of the server's name, which the sources say. */
async function generateOwned(given: GenerateOptions, diagnostics: DiagnosticCollector): Promise<Generation> {
  // An unchanged project may still exceed a budget that this run brings.
  const maySkip = given.skip === true && given.maxTokens === undefined;
  const earlier = maySkip ? await skipIfUnchanged(given, diagnostics) : {};
  if (earlier.generation !== undefined) return earlier.generation;
  const reading = new DiagnosticCollector();
  const sources = await readSources(given, reading);
  const { dir } = sources;
  const isUndecided = given.owner === undefined && dir !== undefined;
  const options = isUndecided ? await joinOwner(given, dir, diagnostics) : given;
  // The configuration in the folder may say how the sources are read, so they are read again, with their diagnostics.
  if (isUndecided && options !== undefined && options.owner?.isNew !== true)
    return generateOwned(options, diagnostics);
  diagnostics.include(reading);
  if (options === undefined) return failedGeneration(diagnostics);
  const target = await openTargetProject(sources, options, earlier.project, diagnostics);
  const compiled = target && (await compileTargetProject(target, diagnostics));
  const checked = compiled && (await checkTargetProject(compiled, diagnostics));
  const later = new DiagnosticCollector();
  const emitted = checked && (await emitTargetFiles(checked, diagnostics, later));
  const report = emitted && (await writeTargetFiles(emitted, later));
  return {
    ok: report !== undefined && !later.hasErrors,
    source: options.source,
    ...omitUndefined({ dir, model: emitted?.model, report }),
    diagnostics: joinWithoutRepeats(sortAndEscalateDiagnostics(diagnostics, options), later.found),
    texts: sources.texts,
  };
}

interface Sources extends Loaded {
  dir?: string;
  recorder: InputRecorder | undefined;
}

/** Reads the sources, and first checks the templates, since their faults need no source. */
async function readSources(options: GenerateOptions, diagnostics: DiagnosticCollector): Promise<Sources> {
  const recorder = makeRecorder(options);
  await checkUserTemplates(options, diagnostics);
  const loaded = await runLoadStage({ ...options, ...omitUndefined({ observer: recorder }) }, diagnostics);
  const { parts } = loaded;
  return { ...loaded, recorder, ...(parts && { dir: options.dir ?? deriveProjectDir(parts, options) }) };
}

interface Target extends Pick<Sources, 'recorder'> {
  parts: SourcePart[];
  app: Loaded['app'];
  project: ExistingProject;
  options: GenerateOptions;
}

/** Reads the project on disk. `project` is it, if it has been read. */
async function openTargetProject(
  { parts, dir, app, recorder }: Sources,
  options: GenerateOptions,
  project: ExistingProject | undefined,
  diagnostics: DiagnosticCollector,
): Promise<Target | undefined> {
  if (parts === undefined || dir === undefined) return undefined;
  if (!(await isConfined(dir, options, diagnostics))) return undefined;
  const existing = project ?? (await readProject(dir, options.cwd));
  return { parts, app, recorder, project: existing, options };
}

async function compileTargetProject(
  { parts, app, recorder, project, options }: Target,
  diagnostics: DiagnosticCollector,
): Promise<CompiledProject | undefined> {
  const locked = options.nameLock === undefined ? await readLockedChoices(project, options, diagnostics) : {};
  const own = { ...options, ...locked };
  const { model, derived, code } = await runDeriveStage(parts, own, diagnostics, recorder);
  if (code !== undefined && !isClosed(code)) recorder?.forgetInputs();
  await reportExceededBudget(model, options, diagnostics);
  const ownCode = diagnostics.hasErrors ? undefined : app?.({ maps: true });
  if (hasBlockingDiagnostics(diagnostics, options)) return undefined;
  const provenance = makeProvenance(options, project.dir, recorder?.files ?? []);
  const names = mapNamesByOperation(derived);
  return { model, app: ownCode, code, provenance, names, project, options };
}

/** Checks that the folder may become this server's project. */
async function checkTargetProject(
  target: CompiledProject,
  diagnostics: DiagnosticCollector,
): Promise<CompiledProject | undefined> {
  const { model, provenance, project, options } = target;
  const isTarget =
    checkOwner(project, options, diagnostics) &&
    checkSameServer(model, provenance, project, options, diagnostics) &&
    (await checkNoSecondProject(provenance, project.dir, options, diagnostics));
  if (!isTarget) return undefined;
  checkOrigins(originsOfModel(model), project, options, diagnostics);
  if (diagnostics.hasErrors) return undefined;
  reportRenamed(model, project, options, diagnostics);
  return target;
}

interface EmittedTarget extends CompiledProject {
  files: GeneratedFile[];
}

async function emitTargetFiles(
  target: CompiledProject,
  diagnostics: DiagnosticCollector,
  later: DiagnosticCollector,
): Promise<EmittedTarget | undefined> {
  const { options } = target;
  options.onStage?.('emit');
  const files = await emitFiles(target, diagnostics, later);
  if (files !== undefined) reportSecrets(files, options.variables ?? {}, diagnostics);
  return files === undefined || hasBlockingDiagnostics(diagnostics, options)
    ? undefined
    : { ...target, files };
}

/** Handlers are observed only after writing, because a new project gets its first ones then. */
async function writeTargetFiles(
  target: EmittedTarget,
  diagnostics: DiagnosticCollector,
): Promise<WriteReport> {
  const { files, project, options } = target;
  const report = await writeOrCompareFiles(files, target, diagnostics);
  if (options.observer !== undefined) observeFolder(join(project.root, 'src/handlers'), options.observer);
  return report;
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

async function checkUserTemplates(
  { templates, observer, cwd = '.' }: GenerateOptions,
  diagnostics: DiagnosticCollector,
): Promise<void> {
  if (templates === undefined) return;
  if (observer !== undefined) observeFolder(resolve(cwd, templates), observer);
  const { checkTemplatesFolder: judgeTemplates } = await import('../emit/templates/overrides.ts');
  await judgeTemplates({ path: resolve(cwd, templates), label: templates }, diagnostics);
}
