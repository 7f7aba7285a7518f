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

/** Where a project comes from. */
export interface ServerSource {
  definition: Pick<
    ServerDefinition,
    'info' | 'instructions' | 'baseUrl' | 'handlers' | 'features' | 'functions' | 'auth'
  >;
  /** What `catalog.json` lists; the project's own items are added to it. */
  catalog: CatalogStore;
  /** The text of `bindings.json`; asked for once, when first needed. */
  readBindings: () => string | Promise<string>;
  /** Credentials and settings by name. */
  env: Readonly<Record<string, string | undefined>>;
  limits: Limits;
  /** What differs from the default bounds of the calls of the API. */
  upstreamLimits?: Partial<UpstreamLimits> | undefined;
  /** `--base-url`. */
  baseUrl?: string | undefined;
  /** `--files`: the folder whose files a call may name. Absent: there is none. */
  filesRoot?: string | undefined;
  /** `--mock`: neither API nor functions are called; the API answers by this, the text of `mock.json`. */
  readMock?: (() => string) | undefined;
  /** Told of each call of a tool. Absent: nobody is. */
  audit?: Audit | undefined;
  /** Items a page; absent: one page lists everything. */
  pageSize?: number | undefined;
  /** Told of what went wrong inside; clients are not. */
  report: (thrown: unknown) => void;
  /** Another project may take its place while it has clients: of each kind there may be some later. Default false. */
  isReplaceable?: boolean;
  /** Tells clients what has changed. Default: one for this process. */
  bus?: EventBus;
  /** Default: that of a server which has just been started. */
  state?: ServerState;
}

/** The one that answers now. A request is answered by the project that it met. */
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
  /** Absent: nobody is asked who they are. */
  auth: AuthDefinition | undefined;
  bus: EventBus;
  state: ServerState;
  /** Resources can be subscribed to: the project's own code tells of their changes. */
  tellsUpdates: boolean;
  /** Its lists may change: its own code tells of it, or it may be replaced. */
  changes: boolean;
  isReplaceable: boolean;
  bindings: () => Promise<Bindings>;
  /** Whether any argument has completions. */
  hasCompletions: () => Promise<boolean>;
  /** What is made of the above on first use. */
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

/** Said once, and only where it holds: in each tool that takes bytes it would cost every client. */
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

/** One tool, the code or binding that runs it, and its compiled schemas. */
export interface ToolEntry {
  listed: ListedTool;
  /** Absent until a call without a handler has read it. */
  binding?: Binding;
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
