// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** One server's data and code, and its capabilities. Files and the environment are read elsewhere. */
import type {
  Bindings,
  FunctionBinding,
  HttpBinding,
  ReadOnlyMembers,
  ResultBinding,
} from '../contract/bindings.ts';
import type {
  Json,
  JsonObject,
  ListedPrompt,
  ListedResource,
  ListedTool,
  ObjectSchema,
  SurfaceName,
} from '../contract/json-schema.ts';
import { parseMembersLazily } from '../contract/json-value.ts';
import type { Limits, UpstreamLimits } from '../contract/feature.ts';
import type {
  AuthDefinition,
  CallOnce,
  CompletionHandler,
  Context,
  ExtraTool,
  FunctionModules,
  Handlers,
  PromptDefinition,
  ResourceReader,
  ServerDefinition,
  ServerHandle,
  ToolHandler,
  ToolOverride,
} from '../definition.ts';
import type { FeatureLoaders, OnBehalf, NodeState } from '../feature-loaders.ts';
import {
  type Capability,
  type RevisionFeatures,
  makeServerCapabilities,
  type ListName,
} from '../protocol/revisions.ts';
import type { Validator } from '../schema/compile-schema.ts';
import type { Audit, Call, ClientRequest, Method, SharedText } from './call.ts';
import { type CatalogStore, addItemsOfHandlers } from './catalog-store.ts';
import type { LooseResult, ResourceContents } from './handler-result.ts';
import { type ClientRequester, type EventBus, LocalEventBus, type Question } from './session.ts';
import { MemoryState } from './shared-state.ts';

export interface ServerSource {
  definition: Pick<
    ServerDefinition,
    'info' | 'instructions' | 'meta' | 'card' | 'baseUrl' | 'handlers' | 'features' | 'functions' | 'auth'
  >;
  /** The lists of the server, to which items of the project's own code are added. */
  catalog: CatalogStore;
  readBindings: () => string | Promise<string>;
  env: Readonly<Record<string, string | undefined>>;
  limits: Limits;
  upstreamLimits?: Partial<UpstreamLimits> | undefined;
  baseUrl?: string | undefined;
  filesRoot?: string | undefined;
  /** `--mock`: the text of `mock.json`. Neither API nor functions are called. */
  readMock?: (() => string) | undefined;
  readSkills?: (() => string) | undefined;
  audit?: Audit | undefined;
  /** How many items a page lists. Absent: one page lists everything. */
  pageSize?: number | undefined;
  /** Whether arguments are repaired before they are refused. `--repair off`: false. Default true. */
  repairs?: boolean;
  /** `MCP_SHOW_ERRORS`: callers read why a function failed. Default false. */
  showsErrors?: boolean;
  /** `--confirm destructive`: the user is asked before a destructive tool runs. Default false. */
  confirms?: boolean | undefined;
  report: (thrown: unknown) => void;
  /** Loads the modules of functions, once. Absent: there are none, or none is called (`--mock`). */
  loadModules?: (() => Promise<void>) | undefined;
  /** Another project may replace it (`mcpgen watch`), so any list may become non-empty. Default false. */
  isReplaceable?: boolean;
  bus?: EventBus | undefined;
  /** State that nodes share. Default: state in the memory of this process. */
  shared?: NodeState | undefined;
  state?: ServerState | undefined;
}

/** Holds the server for new requests; a running request keeps the one that it began with. */
export interface LiveServer {
  current: ServerInstance;
}

export interface ServerInstance extends Omit<
  ServerSource,
  'definition' | 'readBindings' | 'bus' | 'shared' | 'state' | 'isReplaceable'
> {
  info: ServerDefinition['info'];
  instructions: string | undefined;
  meta: JsonObject | undefined;
  card: ServerDefinition['card'];
  defaultBaseUrl: string | undefined;
  handlers: Handlers<object>;
  features: CoreFeatures;
  functions: CoreFunctions | undefined;
  auth: AuthDefinition | undefined;
  bus: EventBus;
  shared: NodeState;
  state: ServerState;
  /** Whether resources can be subscribed to, since the project's own code announces their changes. */
  tellsUpdates: boolean;
  changes: boolean;
  isReplaceable: boolean;
  bindings: () => Promise<Bindings>;
  hasCompletions: () => Promise<boolean>;
  cache: LazyCache;
  /** The tools that search others. Absent: all tools are listed, and called by their names. */
  surface?: SearchSurface;
}

export interface SearchSurface {
  /** The lists of tools that a client may ask for; the first is the default. */
  readonly surfaces: readonly SurfaceName[];
  /** The tools that search, describe and call others, by name. */
  readonly entries: ReadonlyMap<string, ToolEntry>;
  /** The server whose catalog has the tools that are listed. */
  serverForSurface(name: SurfaceName | undefined): ServerInstance;
  /** Turns a call of a tool that calls others into the call of the tool it names, if it may make that. */
  redirectCall(request: ClientRequest): ClientRequest;
  /** Adds the signature of a tool to the reason why its arguments are refused. */
  explainRefusal(tool: ToolEntry, reason: string): string;
}

export function createServer({
  definition,
  readBindings,
  bus = new LocalEventBus(),
  shared = new MemoryState(),
  state = {},
  isReplaceable = false,
  ...rest
}: ServerSource): ServerInstance {
  const {
    info,
    instructions,
    meta,
    card,
    baseUrl,
    functions,
    auth,
    handlers = {},
    features = {},
  } = definition;
  const { catalog, filesRoot } = rest;
  addItemsOfHandlers(catalog, handlers);
  const tellsUpdates = handlers.started !== undefined || functions?.started === true;
  const own = functions as CoreFunctions | undefined;
  const bindings = loadOnce(() => loadBindings(readBindings));
  return {
    ...rest,
    info,
    instructions: filesRoot === undefined ? instructions : appendFilesNote(instructions),
    meta,
    card,
    defaultBaseUrl: baseUrl,
    // Copied, since members may change later and the user's object must not.
    handlers: { ...handlers },
    features: loadEachOnce(features),
    functions: own && { ...own, runtime: loadOnce(own.runtime) },
    auth: auth && { ...auth, runtime: loadOnce(auth.runtime) },
    bus,
    shared,
    state,
    tellsUpdates,
    changes: isReplaceable || tellsUpdates,
    isReplaceable,
    bindings,
    hasCompletions: () => hasCompletions(catalog, handlers, bindings),
    cache: {},
  };
}

function loadEachOnce(features: FeatureLoaders): CoreFeatures {
  const loaders = Object.entries(features).map(([name, load]) => [name, load && loadOnce(load)]);
  return Object.fromEntries(loaders) as CoreFeatures;
}

/** An `import()` of a loaded module still takes longer than most steps of a call. */
function loadOnce<T>(load: () => Promise<T>): () => Promise<T> {
  let loading: Promise<T> | undefined;
  return () => (loading ??= load());
}

/** The note is in the instructions once: in each tool it would cost every client tokens. */
function appendFilesNote(instructions: string | undefined): string {
  const words =
    "Where a tool takes bytes (base64 or a data: URI), file:<path> names a file in this server's files folder instead.";
  return instructions === undefined ? words : `${instructions}\n\n${words}`;
}

async function loadBindings(read: ServerSource['readBindings']): Promise<Bindings> {
  return parseMembersLazily(await read(), 'tools') as Bindings;
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

/** Ends subscriptions, also those that begin later, and cancels tasks. */
export function stopServer({ state }: ServerInstance): void {
  state.isStopping = true;
  for (const end of state.subscriptions?.keys() ?? []) end();
  state.tasks?.cancelAllTasks();
}

/** Disposes of instances that functions were called on. @param waits whether their calls may return before */
export async function closeFunctions({ cache }: ServerInstance, waits = false): Promise<void> {
  const functions = await cache.functions?.catch(() => undefined);
  await functions?.close?.(waits);
}

interface LazyCache {
  /** Whether the features that match patterns, alternatives and URI templates are loaded. */
  canMatch?: boolean;
  capabilities?: ReadonlySet<Capability>;
  tools?: ToolEntries;
  prompts?: Map<string, ListedPrompt>;
  upstream?: Promise<BoundUpstream>;
  onBehalf?: Promise<OnBehalf | undefined>;
  skills?: object;
  functions?: Promise<{ close?(waits?: boolean): Promise<void> }>;
  listers?: Promise<object>;
  /** Texts of lists, by list, members that the revision doesn't know, and page. */
  texts?: Map<string, SharedText>;
  heads?: Map<string, string>;
}

/** The tools by name. Each is parsed when it is first asked for. */
export interface ToolEntries {
  readonly open: Map<string, ToolEntry>;
  findToolEntry: (name: string) => ToolEntry | undefined;
  has: (name: string) => boolean;
  listToolNames: () => Iterable<string>;
}

export interface ToolEntry {
  listed: ListedTool;
  /** Absent: a binding, or a function that has not been called yet. */
  handler: ToolOverride<Record<string, unknown>> | undefined;
  /** The tool's own work where a handler replaces it; the handler's `next` does it. */
  own?: ToolEntry | undefined;
  /** The call of an API, since the first one, or the work of a tool of the search surface. */
  work?: (call: Call, args: Record<string, unknown>) => Promise<LooseResult>;
  prepare: ExtraTool['prepare'];
  /** Whether its function was looked up, and has no `prepare`. */
  isUnprepared?: boolean;
  scopes: readonly string[] | undefined;
  /** The whole schema of its arguments, which calls are checked by if less of it is listed. */
  input?: ObjectSchema;
  validateInput?: Validator;
  validateOutput?: Validator;
  isReported?: boolean;
}

interface ServerState {
  stateKeys?: readonly [Buffer, ...Buffer[]];
  tasks?: KeptTasks;
  /** Subscribers by the function that ends their subscription. */
  subscriptions?: Map<() => void, unknown>;
  /** The server stops: new subscriptions end at once. */
  isStopping?: boolean;
}

interface KeptTasks {
  readonly size: number;
  cancelAllTasks(): void;
}

interface CoreFunctions extends FunctionModules {
  runtime: () => Promise<FunctionsRuntime>;
}

/** Makes handlers of functions. Rejects if a module can't be loaded. */
export interface FunctionsRuntime {
  bindTool(
    server: ServerInstance,
    binding: FunctionBinding,
    name: string,
  ): Promise<ToolHandler<Record<string, unknown>>>;
  bindPreparer(server: ServerInstance, tool: ToolEntry): Promise<ToolEntry['prepare']>;
  /** Asks the user first, where the function is a tool that must be confirmed. */
  bindReader(call: Call, binding: FunctionBinding, args: Record<string, unknown>): Promise<ResourceReader>;
  bindPrompt(call: Call, binding: FunctionBinding, name: string): Promise<PromptDefinition['handler']>;
  bindCompletion(server: ServerInstance, binding: FunctionBinding): Promise<CompletionHandler>;
  /** Whether arguments are valid but for those that a library checks: its own words must reach the caller. */
  isValidBesideChecks(input: ObjectSchema, args: Record<string, unknown>, binding: FunctionBinding): boolean;
  /** @throws {ProtocolError} `-32603` when a function fails: a part would look like the whole */
  listResources(call: Call): Promise<ListedResource[]>;
  /** Runs the functions that are to run at the start, each in `start`. */
  runStartFunctions(
    server: ServerInstance,
    handle: ServerHandle,
    start: (name: string, begin: () => unknown) => Promise<void>,
  ): Promise<void>;
  loadModules(modules: FunctionModules['modules'], report: (thrown: unknown) => void): Promise<void>;
}

export interface CoreFeatures extends FeatureLoaders {
  search?: () => Promise<SearchFeature>;
  tasks?: () => Promise<TasksFeature>;
  ask?: () => Promise<AskFeature>;
  api?: () => Promise<ApiFeature>;
  skills?: () => Promise<SkillsFeature>;
  answerMembers?: () => Promise<AnswerMembersFeature>;
  parameters?: () => Promise<ReadOnlyFeature>;
}

interface ReadOnlyFeature {
  /** Leaves out members of arguments that only answers have. */
  dropReadOnly<T>(value: T, members: ReadOnlyMembers | undefined): T;
}

interface AnswerMembersFeature {
  /** @returns the words of a refusal, or how an answer is cut */
  createMemberSelection(kept: ResultBinding, args: Record<string, unknown>): string | ((value: Json) => Json);
}

export interface SkillsFeature {
  listSkills: Method;
  getSkill: Method;
  readDirectory: Method;
  /** Undefined if no skill has a file with this URI. */
  readSkillFile(server: ServerInstance, uri: string): ResourceContents | undefined;
}

export interface TasksFeature {
  /** @throws {ProtocolError} if the tool can't run as the client asks, or `task` is malformed */
  shouldRunAsTask(call: Call, tool: ListedTool): boolean;
  startTask(call: Call, work: (call: Call) => Promise<object>): Promise<object>;
  requireTasksCapability(call: Call): void;
  readTaskDetails(server: ServerInstance, taskId: string): Promise<object | undefined>;
  /** Finds a task of the subject. Undefined if it is unknown, or belongs to another subject. */
  findOwnTask(
    server: ServerInstance,
    taskId: string,
    subject: string | undefined,
  ): Promise<{ scopes: readonly string[] } | undefined>;
  getTask: Method;
  taskResult: Method;
  updateTask: Method;
  cancelTask: Method;
  listTasks: Method;
}

/** Calls with the arguments of the member of `Context`, whose types only a project with the feature has. */
type Asks = (call: Call, question: Question, ...asked: never[]) => Promise<unknown>;

interface AskFeature extends Record<'elicitForm' | 'elicitUrl' | 'sample' | 'listRoots', Asks> {
  /** Whether the user confirms the call. @throws {AskError} if the client can't ask */
  askToConfirmCall(context: Context, tool: ListedTool, args: object): Promise<boolean>;
  getClientRequester(call: Call): ClientRequester;
  runRound(call: Call, method: string, run: Method): ReturnType<Method>;
}

interface SearchFeature {
  /** @param pins names of tools that are listed beside the compiler's */
  openSurface(
    server: ServerInstance,
    surfaces: readonly SurfaceName[],
    text: string,
    pins?: readonly string[],
  ): SearchSurface;
}

interface ApiFeature {
  bindUpstreamToServer(server: ServerInstance): BoundUpstream;
}

export interface BoundUpstream {
  tool(call: Call, request: BoundRequest): Promise<LooseResult>;
  /** @throws {ProtocolError} if there is no such resource, or it can't be read */
  readResource(call: Call, uri: string, request: BoundRequest): Promise<ResourceContents[]>;
  /** Returns the body. @throws {ApiError} @throws {ToolError} if no such operation exists or answers */
  callOperation(call: Call, path: OperationPath, args: object, options: CallOnce): Promise<unknown>;
  /** Counts requests that wait for others to end. */
  countWaiting(): number;
}

export interface OperationPath {
  source: string;
  operationId: string;
}

export interface BoundRequest {
  binding: HttpBinding;
  args: Record<string, unknown>;
  tool: string | undefined;
}

export async function declaredCapabilities(server: ServerInstance): Promise<ReadonlySet<Capability>> {
  return (server.cache.capabilities ??= listCapabilities(server, await server.hasCompletions()));
}

export async function makeCapabilitiesForRevision(
  server: ServerInstance,
  features: RevisionFeatures,
): Promise<JsonObject> {
  return makeServerCapabilities(await declaredCapabilities(server), server.changes, features);
}

function listCapabilities(
  { catalog, features, tellsUpdates, isReplaceable }: ServerInstance,
  completions: boolean,
): ReadonlySet<Capability> {
  // A client that saw no capability would not look for it in the replacing project.
  const hasItems = (...lists: ListName[]): boolean =>
    isReplaceable || lists.some((list) => !catalog.isEmpty(list));
  const resources = hasItems('resources', 'resourceTemplates');
  const all: Record<Capability, boolean> = {
    tools: hasItems('tools'),
    resources,
    subscriptions: resources && tellsUpdates,
    prompts: hasItems('prompts'),
    completions: completions || isReplaceable,
    logging: true,
    tasks: features.tasks !== undefined && hasTaskTools(catalog),
    skills: features.skills !== undefined && catalog.hasWord('resources', '"skill://'),
  };
  const names = Object.keys(all) as Capability[];
  return new Set(names.filter((name) => all[name]));
}

/** Parses the list only if its text has the word. */
function hasTaskTools(catalog: ServerInstance['catalog']): boolean {
  if (!catalog.hasWord('tools', '"taskSupport"')) return false;
  return catalog
    .items('tools')
    .some(({ execution }) => (execution?.taskSupport ?? 'forbidden') !== 'forbidden');
}
