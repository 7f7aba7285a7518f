/** From a source to a server project on disk. */
import { join, resolve } from 'node:path';
import { DiagnosticCollector, joinWithoutRepeats } from '../diagnostics/collector.ts';
import { noTexts } from '../diagnostics/locate/text-places.ts';
import { mapNamesByOperation } from '../emit/index.ts';
import { originsOfModel } from '../model/credential-origins.ts';
import { checkOrigins, reportSecrets } from '../project/check-origins.ts';
import { checkOwner, checkSameServer, reportRenamed } from '../project/check-target.ts';
import { readProject } from '../project/existing-project.ts';
import { listRenamedTools, readLockedChoices, reportRenamedTools } from '../project/locked-names.ts';
import { type InputRecorder, observeFolder, makeProvenance, makeRecorder } from '../project/provenance.ts';
import { omitUndefined } from '../util/collections.ts';
import { checkOptions } from './check-options.ts';
import {
  type Escalation,
  deriveProjectDir,
  runDeriveStage,
  hasBlockingDiagnostics,
  sortAndEscalateDiagnostics,
  runLoadStage,
} from './compile.ts';
import { type CompiledProject, emitFiles, writeOrCompareFiles } from './emit-files.ts';
import { reportExceededBudget } from './inspect.ts';
import type { Loaded } from './load-sources.ts';
import type { GenerateOptions, Generation } from './options.ts';
import { joinOwner } from './project-options.ts';

/** A selector that matches nothing may have left tools out before: the project would serve them, so it is not written. */
const RAISED = ['selector-matches-nothing'] as const;

/**
 * Compiles a document, annotated functions, or several of either, and writes the project. After an error nothing has changed, unless it
 * is `write-unfinished`.
 *
 * Problems are diagnostics. Rejects only when `signal` is aborted before writing is done, or for a bug of mcpgen.
 */
export async function generate(callOptions: GenerateOptions): Promise<Generation> {
  const diagnostics = new DiagnosticCollector();
  if (!checkOptions(callOptions, 'generate', diagnostics)) return makeFailure(diagnostics);

  // Without `dir`, the folder has the name of the server, which the sources say.
  const earlySources = callOptions.dir === undefined ? await readSources(callOptions) : undefined;
  const folder = callOptions.dir ?? earlySources?.dir;
  const isOwned = callOptions.owner !== undefined || folder === undefined;
  const options = isOwned ? callOptions : await joinOwner(callOptions, folder, diagnostics);
  if (options === undefined) return makeFailure(diagnostics);
  // The lock is read before the sources: another run that writes meanwhile is noticed.
  const existing = options.dir === undefined ? undefined : await readProject(options.dir, options.cwd);
  // A configuration that was there may read the sources in another way.
  const isReadAsSaid = earlySources !== undefined && (isOwned || options.owner?.isNew === true);
  const sources = isReadAsSaid ? earlySources : await readSources(options);
  const { parts, app, texts, recorder } = sources;
  diagnostics.include(sources.diagnostics);
  const dir = options.dir ?? sources.dir;
  const escalation: Escalation = { ...options, raise: RAISED };
  /** Problems that `strict` does not raise: of the user's templates, and of writing. */
  const laterProblems = new DiagnosticCollector();
  const finish = (end: Pick<Generation, 'model' | 'report'> = {}): Generation => ({
    ok: end.report !== undefined && !laterProblems.hasErrors,
    source: options.source,
    ...omitUndefined({ dir: sources.dir }),
    ...end,
    diagnostics: joinWithoutRepeats(sortAndEscalateDiagnostics(diagnostics, escalation), laterProblems.found),
    texts,
  });
  if (parts === undefined || dir === undefined) return finish();
  if (!(await isConfined(dir, options, diagnostics))) return finish();

  const project = existing ?? (await readProject(dir, options.cwd));
  const choices = options.nameLock ? {} : await readLockedChoices(project, options, diagnostics);
  const { model, derived } = await runDeriveStage(parts, { ...options, ...choices }, diagnostics);
  const renamedTools = listRenamedTools(model, project);
  reportRenamedTools(renamedTools, derived, project, diagnostics);
  reportExceededBudget(model, options, diagnostics);
  if (hasBlockingDiagnostics(diagnostics, escalation)) return finish();

  const provenance = makeProvenance(options, dir, recorder?.files ?? []);
  const names = mapNamesByOperation(derived);
  const compiled = { model, app: app?.({ maps: true }), provenance, names, renamedTools, project, options };
  const isChosen = callOptions.dir !== undefined || callOptions.name !== undefined;
  if (!checkTarget(compiled, isChosen, diagnostics)) return finish();

  options.onStage?.('emit');
  const files = await emitFiles(compiled, diagnostics, laterProblems);
  if (files !== undefined) reportSecrets(files, options.variables ?? {}, diagnostics);
  if (files === undefined || hasBlockingDiagnostics(diagnostics, escalation)) return finish();

  const report = await writeOrCompareFiles(files, compiled, laterProblems);
  // A new project gets its first handlers when it is written.
  if (options.observer !== undefined) observeFolder(join(project.root, 'src/handlers'), options.observer);
  return finish({ model, report });
}

function makeFailure({ found }: DiagnosticCollector): Generation {
  return { ok: false, diagnostics: found, texts: noTexts };
}

interface Sources extends Loaded {
  dir?: string;
  recorder: InputRecorder | undefined;
  diagnostics: DiagnosticCollector;
}

/** Reads the sources, and first checks the templates, since their faults need no source. */
async function readSources(options: GenerateOptions): Promise<Sources> {
  const diagnostics = new DiagnosticCollector();
  const recorder = makeRecorder(options);
  const { templates, observer, cwd = '.' } = options;
  if (templates !== undefined) {
    const path = resolve(cwd, templates);
    if (observer !== undefined) observeFolder(path, observer);
    const { checkTemplatesFolder } = await import('../emit/templates/overrides.ts');
    await checkTemplatesFolder({ path, label: templates }, diagnostics);
  }
  const loaded = await runLoadStage({ ...options, ...omitUndefined({ observer: recorder }) }, diagnostics);
  const dir = loaded.parts && (options.dir ?? deriveProjectDir(loaded.parts, options));
  return { ...loaded, recorder, diagnostics, ...omitUndefined({ dir }) };
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

/** Checks that the folder may become this server's project. */
function checkTarget(
  { model, provenance, project, options }: CompiledProject,
  isChosen: boolean,
  diagnostics: DiagnosticCollector,
): boolean {
  if (!checkOwner(project, options, diagnostics)) return false;
  if (!checkSameServer(model, provenance, project, options, isChosen, diagnostics)) return false;
  checkOrigins(originsOfModel(model), project, options, diagnostics);
  if (diagnostics.hasErrors) return false;
  reportRenamed(model, project, options, diagnostics);
  return true;
}
