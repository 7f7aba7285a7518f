/** What `--json` of `openapi`, `ts`, `generate`, `check` and `diff` prints. `schema/json-output.json` is made of these types. */
import type { DiagnosticRecord } from '../diagnostics/render/record.ts';
import type { SurfaceDiff } from '../diff/surface-diff.ts';
import type { WriteReport } from '../write/write-target.ts';
import type { BugReport } from './bug.ts';

/** `diff` prints its comparison bare, unless it fails or `--fail-on` strikes. */
export type JsonOutput = JsonDocument | JsonRound | SurfaceDiff | ComparisonsByServer;

export interface JsonDocument {
  /** Whether `exitCode` is 0. */
  ok: boolean;
  exitCode: number;
  /** Of all sources, in the order found. */
  diagnostics: DiagnosticRecord[];
  /** Of a configuration of several servers, each by its name. Null where there is none. */
  result: RunResult | SurfaceDiff | ResultsByServer | null;
  /** Files of the repository that were run, from the working folder, and packages that they name. Absent where none was. */
  code?: string[];
  /** A failure that is mcpgen's own fault. */
  bug?: BugReport;
}

/** A line of `generate --watch` and `ts --watch`. */
export interface JsonRound extends Omit<JsonDocument, 'bug'> {
  /** Of a configuration of several. */
  server?: string;
  /** Paths from the working folder. Empty in the first round. */
  changed: string[];
}

export interface ResultsByServer {
  servers: Record<string, RunResult | SurfaceDiff | null>;
}

export interface ComparisonsByServer {
  servers: Record<string, SurfaceDiff>;
}

/** Of a run that writes a project, or would. After an error of the sources there is nothing but what was known by then. */
export interface RunResult extends Partial<ServerSummary>, Partial<WriteReport> {
  source?: string;
  /** The project's folder. */
  dir?: string;
}

/** Absent too where nothing has changed, so that nothing was compiled. */
export interface ServerSummary {
  name: string;
  version: string;
  /** How many. */
  tools: number;
  resources: number;
  resourceTemplates: number;
  prompts: number;
}
