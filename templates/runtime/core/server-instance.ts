// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** One server's data and code, as the core sees it. What needs a file or the environment is handed in. */
import type { Binding, Bindings } from '../contract/bindings.ts';
import type {
  AuthDefinition,
  Handlers,
  ServerDefinition,
  ExtraTool,
  ToolHandler,
  FunctionModules,
} from '../definition.ts';
import type { FeatureLoaders } from '../feature-loaders.ts';
import type { Limits } from '../limits.ts';
import type { UpstreamLimits } from '../upstream-limits.ts';
import type { Audit } from './call.ts';
import type { CatalogStore } from './catalog-store.ts';
import { addOwnItems } from './own-items.ts';
import { type EventBus, LocalEventBus } from './session.ts';
import type { ListedPrompt, ListedTool } from '../contract/catalog.ts';
import type { OnBehalf } from '../on-behalf.ts';
import type { SharedText } from './answer.ts';
import type { Validator } from '../schema/index.ts';
import type { BoundUpstream } from '../upstream-part.ts';
import type { Capability } from './capabilities.ts';
import type { BoundFunctions, ResourceLister } from '../functions-part.ts';

/** Everything a server is made from. */
export interface ServerSource {
  definition: Pick<
    ServerDefinition,
    'info' | 'instructions' | 'baseUrl' | 'handlers' | 'features' | 'functions' | 'auth'
  >;
  /** The lists of `catalog.json`; the project's own items are added. */
  catalog: CatalogStore;
  /** Reads the text of `bindings.json`, once, when first needed. */
  readBindings: () => string | Promise<string>;
  /** Credentials and settings by name. */
  env: Readonly<Record<string, string | undefined>>;
  limits: Limits;
  /** Limits of API calls that differ from the defaults. */
  upstreamLimits?: Partial<UpstreamLimits> | undefined;
  /** `--base-url`. */
  baseUrl?: string | undefined;
  /** `--files`: the folder whose files a call may name. */
  filesRoot?: string | undefined;
  /** `--mock`: neither API nor functions are called; the API answers by this, the text of `mock.json`. */
  readMock?: (() => string) | undefined;
  /** Logs each call of a tool. */
  audit?: Audit | undefined;
  /** Items a page; absent: one page lists everything. */
  pageSize?: number | undefined;
  /** Reports internal errors, which clients don't see. */
  report: (thrown: unknown) => void;
  /** Another project may replace it while it has clients, so any list may become non-empty. Default false. */
  isReplaceable?: boolean;
  /** Carries changes to clients. Default: a bus within this process. */
  bus?: EventBus;
  /** Default: the state of a server that has just started. */
  state?: ServerState;
}

/** The server that answers now. A request stays with the server that it began with. */
export interface LiveServer {
  current: ServerInstance;
}

export interface ServerInstance extends Omit<
  ServerSource,
  'definition' | 'readBindings' | 'bus' | 'state' | 'isReplaceable'
> {
  info: ServerDefinition['info'];
  instructions: string | undefined;
  defaultBaseUrl: string | undefined;
  handlers: Handlers<object>;
  features: FeatureLoaders;
  functions: FunctionModules | undefined;
  /** Absent: callers need no token. */
  auth: AuthDefinition | undefined;
  bus: EventBus;
  state: ServerState;
  /** Resources can be subscribed to: the project's own code announces changes. */
  tellsUpdates: boolean;
  /** Its lists may change: its own code announces that, or it may be replaced. */
  changes: boolean;
  isReplaceable: boolean;
  bindings: () => Promise<Bindings>;
  /** Whether any argument has completions. */
  hasCompletions: () => Promise<boolean>;
  /** Values that are derived on first use. */
  cache: LazyCache;
}

export function createServer({
  definition,
  readBindings,
  bus = new LocalEventBus(),
  state = {},
  isReplaceable = false,
  ...rest
}: ServerSource): ServerInstance {
  const { info, instructions, baseUrl, functions, auth, handlers = {}, features = {} } = definition;
  const { catalog, filesRoot } = rest;
  addOwnItems(catalog, handlers);
  const tellsUpdates = handlers.started !== undefined || functions?.started === true;
  let reading: Promise<Bindings> | undefined;
  const bindings = () => (reading ??= parseBindings(readBindings));
  return {
    ...rest,
    info,
    instructions: filesRoot === undefined ? instructions : withFiles(instructions),
    defaultBaseUrl: baseUrl,
    // A copy: what it holds may change while the server runs, and the user's own object stays as it is.
    handlers: { ...handlers },
    features,
    functions,
    auth,
    bus,
    state,
    tellsUpdates,
    changes: isReplaceable || tellsUpdates,
    isReplaceable,
    bindings,
    hasCompletions: () => hasCompletions(catalog, handlers, bindings),
    cache: {},
  };
}

/** The hint is in the instructions once: in each tool that takes bytes it would cost every client tokens. */
function withFiles(instructions: string | undefined): string {
  const words =
    "Where a tool takes bytes (base64 or a data: URI), file:<path> names a file in this server's files folder instead.";
  return instructions === undefined ? words : `${instructions}\n\n${words}`;
}

async function parseBindings(read: ServerSource['readBindings']): Promise<Bindings> {
  return JSON.parse(await read()) as Bindings;
}

async function hasCompletions(
  catalog: CatalogStore,
  handlers: Handlers<object>,
  bindings: () => Promise<Bindings>,
): Promise<boolean> {
  if (Object.keys(handlers.completions ?? {}).length > 0) return true;
  if (catalog.isEmpty('prompts') && catalog.isEmpty('resourceTemplates')) return false;
  return catalog.completions ?? (await bindings()).completions.length > 0;
}

/** The server stops: each subscription, also one that opens later, is answered with its result; tasks are cancelled. */
export function stopServer({ state }: ServerInstance): void {
  state.isStopping = true;
  for (const end of state.subscriptions?.keys() ?? []) end();
  state.tasks?.endAll();
}

export interface LazyCache {
  capabilities?: ReadonlySet<Capability>;
  tools?: Map<string, ToolEntry>;
  prompts?: Map<string, ListedPrompt>;
  upstream?: Promise<BoundUpstream>;
  /** Finds credentials of callers; resolves to undefined if the project has no source of them. */
  onBehalf?: Promise<OnBehalf | undefined>;
  functions?: Promise<BoundFunctions>;
  /** List the resources of templates, in the order of the catalog. */
  listers?: Promise<ResourceLister[]>;
  /** The texts of lists as revisions know them, by list, unknown members and page. */
  texts?: Map<string, SharedText>;
  /** The beginnings of modern results, by caching hint. */
  heads?: Map<string, string>;
}

/** One tool, the code or binding that runs it, and its compiled schemas. */
export interface ToolEntry {
  listed: ListedTool;
  /** Absent until a call without a handler has read it. */
  binding?: Binding;
  /** Absent: a binding runs the tool, or a function that has not been called yet. */
  handler: ToolHandler<Record<string, unknown>> | undefined;
  /** Changes the arguments before the handler gets them. */
  prepare: ExtraTool['prepare'];
  /** Scopes that the project's own code needs. Default none. */
  scopes?: readonly string[];
  validateInput?: Validator;
  validateOutput?: Validator;
  /** Whether a mismatch between the handler's result and the output schema has been reported. */
  isReported?: boolean;
}

export interface ServerState {
  /** Signs the state of calls between rounds. */
  stateKey?: Buffer;
  /** States that are valid once, and have been used. */
  takenStates?: KeptStates;
  tasks?: KeptTasks;
  /** Open subscriptions: the function that ends each, and its subscriber. */
  subscriptions?: Map<() => void, unknown>;
  /** A subscription that is opened now ends at once. */
  isStopping?: boolean;
}

export interface KeptStates {
  /** Names the process. */
  readonly process: string;
  take(state: { process: string | null; nonce: string; expires: number }): boolean;
}

export interface KeptTasks {
  /** Undefined for a task that doesn't exist, or is another subject's. */
  owned(taskId: string, subject: string | undefined): { scopes: readonly string[] } | undefined;
  endAll(): void;
}
