/** What methods make of a project once and keep. Types only, so that the path to a first list stays short. */
import type { ListedPrompt, ListedTool } from '../contract/catalog.ts';
import type { BoundFunctions, ExtraTool, ResourceLister, ToolHandler } from '../definition.ts';
import type { OnBehalf } from '../on-behalf.ts';
import type { SharedText } from './answer.ts';
import type { Validator } from '../schema/index.ts';
import type { BoundUpstream } from '../upstream-part.ts';
import type { Capability } from './capabilities.ts';

export interface LazyCache {
  capabilities?: ReadonlySet<Capability>;
  tools?: Map<string, ToolEntry>;
  prompts?: Map<string, ListedPrompt>;
  upstream?: Promise<BoundUpstream>;
  /** Brings credentials of callers; undefined inside where nothing does. */
  onBehalf?: Promise<OnBehalf | undefined>;
  functions?: Promise<BoundFunctions>;
  /** They list the resources of templates, in the order of the catalog. */
  listers?: Promise<ResourceLister[]>;
  /** The texts of lists as revisions know them, by list, unknown members and page. */
  texts?: Map<string, SharedText>;
  /** The beginnings of modern results, by what they say of caching. */
  heads?: Map<string, string>;
}

/** One tool, the project's own code for it, and its compiled schemas. */
export interface ToolEntry {
  listed: ListedTool;
  /** Does its work; absent: a binding does, or a function that has not been called yet. */
  handler: ToolHandler<Record<string, unknown>> | undefined;
  /** Makes of the arguments what the handler gets. */
  prepare: ExtraTool['prepare'];
  /** Those that the project's own code asks for. Default none. */
  scopes?: readonly string[];
  validateInput?: Validator;
  validateOutput?: Validator;
  /** That its own code answers something else than the output schema promises has been said. */
  isReported?: boolean;
}

export interface ServerState {
  /** Signs the state of calls that wait for a client's answers. */
  stateKey?: Buffer;
  /** Those of such states that count once. */
  takenStates?: KeptStates;
  tasks?: KeptTasks;
  /** What ends each open subscription with its result, and whose it is. */
  subscriptions?: Map<() => void, unknown>;
  /** The server stops: a subscription that is opened now ends at once. */
  isStopping?: boolean;
}

export interface KeptStates {
  /** Names the process. */
  readonly process: string;
  /** Whether a state comes for the first time. */
  take(state: { process: string | null; nonce: string; expires: number }): boolean;
}

export interface KeptTasks {
  /** Undefined for a task that is not there, or is somebody else's. */
  owned(taskId: string, subject: string | undefined): { scopes: readonly string[] } | undefined;
  /** The server stops. */
  endAll(): void;
}
