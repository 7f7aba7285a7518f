/** What methods make of a project once and keep. Types only, so that the path to a first list stays short. */
import type { ListedPrompt, ListedTool } from '../catalog.ts';
import type { BoundFunctions, ExtraTool, ToolHandler } from '../definition.ts';
import type { Validator } from '../schema/index.ts';
import type { UpstreamClient } from '../upstream/index.ts';
import type { Capability } from './capabilities.ts';
import type { TaskStore } from './tasks/task-store.ts';

export interface Parts {
  capabilities?: ReadonlySet<Capability>;
  tools?: Map<string, ToolParts>;
  prompts?: Map<string, ListedPrompt>;
  upstream?: UpstreamClient;
  functions?: Promise<BoundFunctions>;
  /** The texts of lists as older revisions know them, by list and unknown members. */
  texts?: Map<string, string>;
  /** The beginnings of modern results, by what they say of caching. */
  heads?: Map<string, string>;
  /** Signs the state of calls that wait for a client's answers. */
  stateKey?: Buffer;
  tasks?: TaskStore;
  /** Ends the open subscriptions, each with its result. */
  subscriptions?: Set<() => void>;
  /** The server stops: a subscription that is opened now ends at once. */
  isStopping?: boolean;
}

/** One tool, the project's own code for it, and its compiled schemas. */
export interface ToolParts {
  listed: ListedTool;
  /** Does its work; absent: a binding does, or a function that has not been called yet. */
  handler: ToolHandler<Record<string, unknown>> | undefined;
  /** Makes of the arguments what the handler gets. */
  prepare: ExtraTool['prepare'];
  validateInput?: Validator;
  validateOutput?: Validator;
  /** That its own code answers something else than the output schema promises has been said. */
  isReported?: boolean;
}
