/** JSON that the server of `mcpgen preview` and its page exchange over loopback. The page imports these types alone. */
import type { Json, JsonObject } from '../util/json-schema.ts';
import type { ToolHints } from '../config/options/tool-rules.ts';
import type { SurfaceName } from '../model/listed-items.ts';
import type { Severity } from '../diagnostics/define.ts';
import type { Change } from '../diff/surface-diff.ts';
import type { ClientName } from '../model/client-profiles.ts';

/**
 * Each path with what it takes and answers. `GET` takes its parameters as a query, `POST` as a JSON body; `server` is the name of
 * one of several servers. An error is `{ error: Problem }` with a status of 400 and above. `GET /api/events` sends the event
 * `changed` after each compilation, with its generation as data.
 *
 * `POST /api/session` takes the token of the printed address, once. All others, and the events, demand the secret that it gives as
 * `Authorization: Bearer <secret>`.
 */
export interface Routes {
  'POST /api/session': { takes: { token: string }; gives: { secret: string } };
  'GET /api/surface': { takes: ServerQuery; gives: SurfaceView };
  'GET /api/tool': { takes: ToolQuery; gives: ToolView };
  'GET /api/findings': { takes: ServerQuery; gives: FindingsView };
  'GET /api/diff': { takes: DiffQuery; gives: DiffView };
  'POST /api/propose': { takes: ProposeRequest; gives: Proposal };
  'POST /api/apply': { takes: { proposal: string }; gives: Applied };
  'POST /api/undo': { takes: { applied: string }; gives: Applied };
  'POST /api/try': { takes: TryRequest; gives: TryResult };
}

export interface Problem {
  message: string;
  hint?: string;
}

export interface ServerQuery {
  server?: string;
}

/* Surface */

export interface SurfaceView {
  /** Counts compilations; a view of another generation is out of date. */
  generation: number;
  servers: string[];
  server: { name: string; title: string; version: string; instructions?: string };
  source: { kind: 'openapi' | 'typescript' | 'mixed'; files: string[] };
  project: ProjectState;
  /** With `false` the source has not compiled yet, and nothing is listed. */
  compiled: boolean;
  /** The error that stops the source now. What is listed is then of the time before it. */
  fault?: FindingRow;
  settings: SurfaceSettings;
  tools: ToolRow[];
  prompts: { name: string; title?: string; description?: string; arguments: string[] }[];
  resources: { uri: string; name: string; isTemplate: boolean; description?: string }[];
  /** Estimated tokens of what is listed, and of all tools. */
  tokens: { listed: number; all: number };
  clients: ClientFit[];
  /** Origins of the APIs, without what the environment may set: `https://api.example.com`. */
  origins: string[];
  errors: number;
  warnings: number;
  /** Changes of files that can be undone, the last one first to go. */
  applied: Applied[];
}

export interface ProjectState {
  /** Absolute. Absent without a project: nothing can be changed then. */
  folder?: string;
  config?: string;
}

export interface SurfaceSettings {
  include: string[];
  exclude: string[];
  surface: SurfaceName | 'auto';
  features: { name: string; title: string; isOn: boolean; isNeeded: boolean }[];
  /** Tags and methods with their tools, for switches. */
  tags: { name: string; tools: number; tokens: number }[];
  /** Operations that the selection leaves out. */
  deselected: { key: string; tags: string[] }[];
}

export interface ToolRow {
  name: string;
  title?: string;
  /** `GET /pets/{petId}`, or `pets.ts:12` of a function. */
  origin: string;
  method?: string;
  tags: string[];
  access: 'read' | 'write' | 'destructive';
  pin: boolean;
  isListed: boolean;
  tokens: TokenParts;
  /** 0 to 100. */
  score: number;
  findings: number;
}

/** Estimated tokens of o200k. */
export interface TokenParts {
  total: number;
  name: number;
  description: number;
  input: number;
  output: number;
  annotations: number;
}

export interface ClientFit {
  client: ClientName;
  title: string;
  fits: boolean;
  /** `40 tools at most, 128 are listed`; empty if it fits. */
  problems: string[];
  /** Sources of the rules. */
  read: string;
}

/* Tool */

export interface ToolQuery extends ServerQuery {
  name: string;
  client?: ClientName;
  revision?: string;
}

export interface ToolView {
  generation: number;
  row: ToolRow;
  /** The operation or function as its author wrote it. */
  source: { file: string; firstLine: number; lines: string[]; language: 'yaml' | 'json' | 'typescript' };
  /** As the client and revision list it. */
  listed: JsonObject;
  notes: string[];
  origins: WordOrigin[];
  editable: EditableWords;
  findings: FindingRow[];
  revisions: string[];
  clients: ClientName[];
}

/** Tells where a text of the listed tool comes from. */
export interface WordOrigin {
  /** JSON Pointer in the listed tool: `/description`, `/inputSchema/properties/petId/description`. */
  pointer: string;
  text: string;
  from: 'document' | 'configuration' | 'function' | 'generated' | 'hook';
  file?: string;
  /** 1-based. */
  line?: number;
  /** mcpgen has added to what stands there. */
  isExtended?: boolean;
}

export interface EditableWords {
  name: string;
  title: string;
  description: string;
  hints: ToolHints;
  arguments: { name: string; description: string; required: boolean; hidden: boolean }[];
  pin: boolean;
  exclude: boolean;
  /** The configuration that an edit changes. Absent where there is none. */
  file?: string;
}

/* Findings */

export interface FindingsView {
  generation: number;
  /** Absent while the source does not compile. */
  score?: number;
  findings: FindingRow[];
}

export interface FindingRow {
  code: string;
  name: string;
  severity: Severity;
  message: string;
  hint?: string;
  tools: string[];
  /** JSON Pointer of the text of the listed tool that ends it. */
  field?: string;
  file?: string;
  line?: number;
  /** Lines of the source around the place, as the terminal shows them. */
  frame?: string;
  isFixable: boolean;
}

/* Diff */

export interface DiffQuery extends ServerQuery {
  /** `lock` or `document:<path>`. */
  against: string;
}

export interface DiffView {
  generation: number;
  against: string;
  breaking: number;
  compatible: number;
  changes: Change[];
  tokens: { before: number; after: number };
}

/* Editing */

export type Edit =
  | { kind: 'tool'; name: string; set: ToolEdit }
  | { kind: 'selection'; include?: string[]; exclude?: string[] }
  | { kind: 'surface'; surface: SurfaceName | 'auto' }
  | { kind: 'features'; features: Record<string, boolean> }
  /** Ends the fixable findings of these tools; all without `tools`. */
  | { kind: 'fix'; tools?: string[] };

/** Absent members stay; `null` takes an earlier edit back. */
export interface ToolEdit {
  name?: string | null;
  title?: string | null;
  description?: string | null;
  hints?: ToolHints | null;
  arguments?: Record<string, { description?: string | null; hidden?: boolean | null }>;
  pin?: boolean | null;
  exclude?: boolean | null;
}

export interface ProposeRequest extends ServerQuery {
  edits: Edit[];
}

export interface Proposal {
  id: string;
  files: ProposedFile[];
  /** Size of the surface after the edits, and what they change. */
  after: { tools: number; tokens: number; changes: Change[] };
  /** Diagnostics that the edits cause. */
  problems: FindingRow[];
}

export interface ProposedFile {
  path: string;
  /** Unified diff without a header: lines begin with ` `, `+`, `-` or `@@`. */
  diff: string[];
}

export interface Applied {
  /** Identifies the change for undoing it; the latest change must be undone first. */
  id: string;
  files: string[];
}

/* Trying */

export interface TryRequest extends ServerQuery {
  call:
    | { kind: 'tool'; name: string; arguments: JsonObject }
    | { kind: 'prompt'; name: string; arguments: Record<string, string> }
    | { kind: 'resource'; uri: string }
    | { kind: 'completion'; ref: JsonObject; argument: { name: string; value: string } };
  target: 'mock' | 'api';
  revision?: string;
  /** Must be true for `api` where the tool is no reading one: the page has asked. */
  confirmed?: boolean;
}

export interface TryResult {
  /** The JSON-RPC result or error, whole. */
  answer: { result?: Json; error?: Json };
  /** The words that a client shows to its model. */
  seen: string;
  milliseconds: number;
  /** Requests to the API in order, secrets redacted. */
  exchanges: HttpExchange[];
  curl?: string;
  /** The origin that was asked; absent for mock. */
  origin?: string;
}

export interface HttpExchange {
  request: { method: string; url: string; headers: [string, string][]; body: string };
  response?: { status: number; headers: [string, string][]; body: string };
}
