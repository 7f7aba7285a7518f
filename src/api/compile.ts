/** Load and derive: from sources to what the server will be. Nothing is written. */
import { join } from 'node:path';
import { checkOptions } from './check-options.ts';
import { isRecord } from '../../templates/runtime/json-rpc.ts';
import type { CompileOptions, DocumentCompileOptions } from './options.ts';
import {
  resolveAuthRules,
  reportAuthProblems,
  reportUnenforcedScopes,
  cleanHookedModel,
  deriveServer,
  reportClientProblems,
  mapScopesOfModel,
  maximumNameLength,
  type SourcePart,
  addWorkflows,
  renameTools,
} from '../derive/index.ts';
import { deriveInfoOfSources } from '../derive/server-info.ts';
import { type Diagnostic, DiagnosticCollector, raiseWarning, sortByPlace } from '../diagnostics/collector.ts';
import type { DiagnosticName } from '../diagnostics/registry.ts';
import { noTexts, type SourceTexts } from '../diagnostics/locate/text-places.ts';
import { type Loaded, loadSources } from './load-sources.ts';
import { readProject } from '../project/existing-project.ts';
import { type LockedChoices, readLockedChoices } from '../project/locked-names.ts';
import { NAME_LENGTH } from '../config/options/values.ts';
import type { AppFiles, AppOptions } from '../model/app-files.ts';
import type { ServerModel } from '../model/server-model.ts';
import { loadHooks } from '../hooks/user-code.ts';
import { omitUndefined } from '../util/collections.ts';
import { yieldToSignals } from '../util/pauses.ts';

export interface Compilation {
  /** False after an error: `model` is absent then. */
  ok: boolean;
  model?: ServerModel;
  /** The user's own code, of annotated functions; made when asked for. Absent after an error. */
  app?: (options?: AppOptions) => AppFiles;
  /** Every problem of the source, in the order found; with `strict`, warnings have become errors. */
  diagnostics: readonly Diagnostic[];
  texts: SourceTexts;
}

/**
 * Compiles an OpenAPI document, annotated functions, or several of either, to a `ServerModel`.
 *
 * Problems of the sources are diagnostics. Rejects only when `signal` is aborted, or for a bug of mcpgen.
 */
export async function compile(input: CompileOptions | DocumentCompileOptions): Promise<Compilation> {
  const options = hasDocument(input) ? { source: '<document>', ...input } : input;
  const diagnostics = new DiagnosticCollector();
  if (!checkOptions(options, 'compile', diagnostics))
    return { ok: false, diagnostics: diagnostics.found, texts: noTexts };
  const { parts, app, texts } = await runLoadStage(options, diagnostics);
  if (parts === undefined)
    return { ok: false, diagnostics: sortAndEscalateDiagnostics(diagnostics, options), texts };
  const locked = await readLockedNames(parts, options, diagnostics);
  const { model } = await runDeriveStage(parts, { ...options, ...locked }, diagnostics);
  const ok = !hasBlockingDiagnostics(diagnostics, options);
  return {
    ok,
    ...(ok && omitUndefined({ model, app })),
    diagnostics: sortAndEscalateDiagnostics(diagnostics, options),
    texts,
  };
}

function hasDocument(options: CompileOptions | DocumentCompileOptions): options is DocumentCompileOptions {
  return isRecord(options) && options.document !== undefined;
}

export async function readLockedNames(
  parts: readonly SourcePart[],
  options: CompileOptions,
  diagnostics: DiagnosticCollector,
): Promise<Partial<LockedChoices>> {
  const { dir, beside, cwd = '.' } = options;
  if (options.nameLock !== undefined || (dir === undefined && beside === undefined)) return {};
  const project = await readProject(dir ?? deriveProjectDir(parts, options), cwd);
  return readLockedChoices(project, {}, diagnostics);
}

/** The folder has the name of the server. Diagnostics of the name are dropped here, since compiling reports them. */
export function deriveProjectDir(parts: readonly SourcePart[], options: CompileOptions): string {
  const { beside = '' } = options;
  const { name } = deriveInfoOfSources(parts, options, new DiagnosticCollector());
  return join(beside, name.split('/').at(-1) ?? name);
}

/** The folder of the project that `generate` writes with these options. `undefined` after an error of the sources. */
export async function resolveProjectDir(options: CompileOptions): Promise<string | undefined> {
  if (options.dir !== undefined) return options.dir;
  const { parts } = await runLoadStage(options, new DiagnosticCollector());
  return parts && deriveProjectDir(parts, options);
}

export async function runLoadStage(
  options: CompileOptions,
  diagnostics: DiagnosticCollector,
): Promise<Loaded> {
  options.onStage?.('load');
  const loaded = await loadSources(options, diagnostics);
  await yieldToSignals(options.signal);
  return loaded;
}

export interface Derived {
  model: ServerModel;
  /** The model with the names of the lock, before `tools` and the user's hook `onModel` change them. */
  derived: ServerModel;
}

/** The second step, which ends with the user's hook. */
export async function runDeriveStage(
  parts: readonly SourcePart[],
  options: CompileOptions,
  diagnostics: DiagnosticCollector,
): Promise<Derived> {
  options.onStage?.('derive');
  const derived = deriveModel(parts, options, diagnostics);
  const named = renameTools(derived, options, diagnostics);
  await yieldToSignals(options.signal);
  const { cwd = '.', observer } = options;
  const hooks = await loadHooks(options, { cwd, diagnostics, observer });
  const sources = parts.map((part) => part.source);
  const withWorkflows = (model: ServerModel): ServerModel =>
    diagnostics.hasErrors ? model : addWorkflows(model, sources, { cwd }, diagnostics);
  if (hooks === undefined || diagnostics.hasErrors) return { model: withWorkflows(named), derived };
  const { changeModel } = await import('../hooks/change-model.ts');
  const changed = await changeModel(named, hooks, diagnostics);
  return { model: withWorkflows(cleanHookedModel(changed, hooks.file, diagnostics)), derived };
}

/** Names are as short as all clients of `for` want them. */
function limitNamesForClients(parts: readonly SourcePart[], options: CompileOptions): CompileOptions {
  const { for: clients = [], maxNameLength } = options;
  if (clients.length === 0) return options;
  const { name } = deriveInfoOfSources(parts, options, new DiagnosticCollector());
  const room = Math.min(maximumNameLength(name, clients), maxNameLength ?? NAME_LENGTH.default);
  return { ...options, maxNameLength: Math.max(NAME_LENGTH.shortest, room) };
}

function deriveModel(
  parts: readonly SourcePart[],
  options: CompileOptions,
  diagnostics: DiagnosticCollector,
): ServerModel {
  const { for: clients = [] } = options;
  const model = deriveServer(parts, limitNamesForClients(parts, options), diagnostics);
  reportClientProblems(model, clients, diagnostics);
  const rules = resolveAuthRules(options.auth);
  if (options.auth === undefined) reportUnenforcedScopes(model, diagnostics);
  if (rules === undefined) return model;
  const mapped = mapScopesOfModel(model, rules);
  reportAuthProblems(mapped, rules, diagnostics);
  return mapped;
}

/** Which warnings become errors: with `strict` all of them, else those that `raise` names. */
export interface Escalation {
  strict?: boolean;
  raise?: readonly DiagnosticName[];
}

/** Whether a diagnostic stops the run. */
export function hasBlockingDiagnostics(diagnostics: DiagnosticCollector, escalation: Escalation): boolean {
  return sortAndEscalateDiagnostics(diagnostics, escalation).some(({ severity }) => severity === 'error');
}

/** The diagnostics sorted by place; warnings that are raised have become errors. */
export function sortAndEscalateDiagnostics(
  diagnostics: DiagnosticCollector,
  { strict = false, raise = [] }: Escalation,
): readonly Diagnostic[] {
  return sortByPlace(diagnostics.found).map((diagnostic) => {
    if (strict) return raiseWarning(diagnostic);
    return raise.includes(diagnostic.name) ? { ...diagnostic, severity: 'error' } : diagnostic;
  });
}
