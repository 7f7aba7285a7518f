/** The programmatic API. Importing it loads none of the compiler's heavy parts. */
export type { OutputSchemaMode, RouteRule } from './config/options/sources.ts';
export { defineConfig, type ProjectConfig, type ServerConfig } from './config/options/project-config.ts';
export type { ConfigSource, DocumentSource, FunctionsSource, SourceInput } from './config/options/sources.ts';
export { check, checkAll, regenerate, regenerateAll, type ServerGeneration } from './api/check.ts';
export { type Compilation, compile } from './api/compile.ts';
export { type Comparison, diff } from './api/diff.ts';
export type { Change, ItemKind, SurfaceDiff } from './diff/surface-diff.ts';
export { lint, type LintReport, printFixes } from './api/lint.ts';
export { generate } from './api/generate.ts';
export type {
  CompileOptions,
  DiffOptions,
  DiffSide,
  DocumentCompileOptions,
  GenerateOptions,
  Generation,
  LintOptions,
  ProjectOptions,
  RunOptions,
  Stage,
} from './api/options.ts';
export { inspect, type Inspection, type ListingCost } from './api/inspect.ts';
export type { DeriveOptions, LockedName, NameLock } from './derive/index.ts';
export { DiagnosticCollector } from './diagnostics/collector.ts';
export type { Diagnostic, RelatedPlace } from './diagnostics/collector.ts';
export type { Severity } from './diagnostics/define.ts';
export type { GeneratedFile } from './emit/generated-file.ts';
export type { Origin } from './model/origin.ts';
export type { Prompt, Resource, ResourceTemplate, ServerModel, Tool } from './model/server-model.ts';
export type { Hooks } from './model/user-code.ts';
export { draftOverlay, type OverlayDraft } from './api/overlay-draft.ts';
export type { WriteReport } from './write/index.ts';
