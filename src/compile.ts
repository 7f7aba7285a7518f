/** Load and derive: from a source to what the server will be. Nothing is written. */
import { type DeriveOptions, deriveServer } from './derive/index.ts';
import { DiagnosticCollector } from './diagnostics/collector.ts';
import type { Diagnostic } from './diagnostics/diagnostic.ts';
import type { SourceTexts } from './diagnostics/locate/source-texts.ts';
import { raiseWarnings } from './diagnostics/strict.ts';
import { type OpenApiInput, readOpenApi } from './frontends/openapi/index.ts';
import type { TypeScriptInput } from './frontends/typescript/index.ts';
import type { AppFiles } from './model/app-files.ts';
import type { ServerModel } from './model/server-model.ts';
import type { SourceModel } from './model/source-model.ts';

/** The steps of a run, in order. */
export type Stage = 'load' | 'derive' | 'emit' | 'write';

/** What to compile (`source`: a path, an http(s) URL, or `-` with `stdin`) and how. */
export interface CompileOptions extends OpenApiInput, DeriveOptions {
  /** Annotated functions in place of a document; `source` is what messages call them then. */
  typescript?: TypeScriptInput;
  /** Warnings count as errors. Default false. */
  strict?: boolean;
  /** Told of each step as it begins. */
  onStage?: (stage: Stage) => void;
}

export interface Compilation {
  /** False after an error: `model` is absent then. */
  ok: boolean;
  model?: ServerModel;
  /** Every problem of the source, in the order found; with `strict`, warnings have become errors. */
  diagnostics: readonly Diagnostic[];
  /** The texts that were read, for positions and code frames. */
  texts: SourceTexts;
}

/**
 * Compiles an OpenAPI document to a `ServerModel`.
 *
 * Problems of the document are diagnostics. Rejects only when `signal` is aborted, or for a bug of mcpgen.
 */
export async function compile(options: CompileOptions): Promise<Compilation> {
  const diagnostics = new DiagnosticCollector();
  const { source, texts } = await load(options, diagnostics);
  if (source === undefined) return { ok: false, diagnostics: judged(diagnostics, options), texts };
  const model = await derive(source, options, diagnostics);
  const ok = !isBlocked(diagnostics, options);
  return { ok, ...(ok ? { model } : {}), diagnostics: judged(diagnostics, options), texts };
}

/** A source that has been read. */
export interface Loaded {
  /** Absent after an error. */
  source?: SourceModel;
  /** The user's own code, of annotated functions; made when asked for. */
  app?: () => AppFiles;
  texts: SourceTexts;
}

/** The first step. `source` is absent after an error. */
export async function load(options: CompileOptions, diagnostics: DiagnosticCollector): Promise<Loaded> {
  options.onStage?.('load');
  const { typescript, cwd } = options;
  if (typescript !== undefined) {
    const { readTypeScript } = await import('./frontends/typescript/index.ts');
    const { model, app, texts } = readTypeScript({ ...typescript, cwd }, diagnostics);
    await pause(options.signal);
    return model === undefined ? { texts } : { source: model, app, texts };
  }
  const { model, texts } = await readOpenApi(options, diagnostics);
  await pause(options.signal);
  return model === undefined ? { texts } : { source: model, texts };
}

/** The second step. */
export async function derive(
  source: SourceModel,
  options: CompileOptions,
  diagnostics: DiagnosticCollector,
): Promise<ServerModel> {
  options.onStage?.('derive');
  const model = deriveServer(source, options, diagnostics);
  await pause(options.signal);
  return model;
}

/** Whether what was reported forbids going on. */
export function isBlocked(
  diagnostics: DiagnosticCollector,
  { strict = false }: { strict?: boolean },
): boolean {
  return diagnostics.found.some(({ severity }) => severity === 'error' || (strict && severity === 'warning'));
}

/** What was reported, as the caller shall see it. */
export function judged(
  diagnostics: DiagnosticCollector,
  { strict = false }: { strict?: boolean },
): readonly Diagnostic[] {
  return strict ? raiseWarnings(diagnostics.found) : diagnostics.found;
}

/** Lets signals and timers in between two long synchronous steps; throws the signal's reason once aborted. */
export async function pause(signal: AbortSignal | undefined): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
  signal?.throwIfAborted();
}
