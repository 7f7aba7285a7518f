/** Output of `openapi`, `ts`, `generate`, `check`, `lint` and `diff` with `--json`. `schema/json-output.json` is made from these types. */
import type { DiagnosticRecord } from '../diagnostics/render/record.ts';
import type { SurfaceDiff } from '../diff/surface-diff.ts';
import type { WriteReport } from '../write/write-target.ts';
import type { BugReport } from './bug.ts';

/** `diff` prints only its comparison, unless it fails or `--fail-on` matches a change. */
export type JsonOutput = JsonDocument | JsonRound | SurfaceDiff | ComparisonsByServer;

export interface JsonDocument {
  /** Whether `exitCode` is 0. */
  ok: boolean;
  exitCode: number;
  /** The diagnostics of all sources, in the order found. */
  diagnostics: DiagnosticRecord[];
  /** The result, or several by server. Null if there is none. */
  result: RunResult | SurfaceDiff | LintResult | ResultsByServer | null;
  /** Files of the repository that were run, relative to the working folder, and packages that they import. Absent if none was. */
  code?: string[];
  /** The report of a bug in mcpgen. */
  bug?: BugReport;
}

/** A line of `generate --watch` and `ts --watch`. */
export interface JsonRound extends Omit<JsonDocument, 'bug'> {
  /** Server of a configuration with several. */
  server?: string;
  /** Changed files, relative to the working folder. Empty in the first round. */
  changed: string[];
}

export interface ResultsByServer {
  servers: Record<string, RunResult | SurfaceDiff | LintResult | null>;
}

export interface ComparisonsByServer {
  servers: Record<string, SurfaceDiff>;
}

/** Result of a run that writes or checks a project. After an error in the sources, the members that follow from them are absent. */
export interface RunResult extends Partial<ServerSummary>, Partial<WriteReport> {
  source?: string;
  dir?: string;
}

/** Name, version and counts of the server. Absent if nothing has changed, so that nothing was compiled. */
export interface ServerSummary {
  name: string;
  version: string;
  tools: number;
  resources: number;
  resourceTemplates: number;
  prompts: number;
}

/** Result of `lint`. */
export interface LintResult {
  /** The server's name. */
  name: string;
  /** 0 to 100: 0.6 of the mean and 0.4 of the lowest score of all tools, listed or found by search. */
  score: number;
  /** With a search surface: of the pinned tools alone. Absent without any. */
  listedScore?: number;
  /** Tools that `tools/list` has: with a search surface, the five that search, and pinned ones. */
  listed: number;
  /** Tokens of `tools/list`, estimated. */
  listTokens: number;
  /** Tokens of all tools, estimated. */
  allTokens: number;
  /** Counts by code. The findings themselves are diagnostics. */
  findings: Record<string, number>;
  /** Findings that `--fix` ends. */
  fixable: number;
  tools: LintedToolResult[];
}

export interface LintedToolResult {
  name: string;
  score: number;
  tokens: number;
  /** Names of the rules that took points. */
  findings: string[];
}
