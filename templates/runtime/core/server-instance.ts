// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/**
 * One server's data and code, as the core sees it, and the capabilities that it declares. Files and the environment are
 * read elsewhere.
 */
import type { Binding, Bindings, HttpBinding } from '../contract/bindings.ts';
import type { JsonObject, ListedPrompt, ListedTool, ObjectSchema } from '../contract/json-schema.ts';
import { type Limits, type UpstreamLimits, withoutFeature, UsageError } from '../contract/feature.ts';
import type {
  AuthDefinition,
  ElicitAnswer,
  ElicitUrlOptions,
  ExtraTool,
  FunctionModules,
  Handlers,
  Root,
  SampleAnswer,
  SampleRequest,
  ServerDefinition,
  ToolHandler,
} from '../definition.ts';
import type { BoundFunctions, FeatureLoaders, OnBehalf, ResourceLister } from '../feature-loaders.ts';

import { ToolError } from '../protocol/json-rpc.ts';
import type { RevisionFeatures } from '../protocol/revisions.ts';
import type { Validator } from '../schema/compile-schema.ts';
import { type Audit, type Call, type Method, type SharedText, describeThrown } from './call.ts';
import { type CatalogStore, type ListName, addOwnItems } from './catalog-store.ts';
import type { LooseResult, ResourceContents } from './handler-result.ts';
import { type EventBus, LocalEventBus, type Question } from './session.ts';

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
  /**
   * Whether another project may replace it while it has clients, so that any list may become non-empty. Default false.
   */
  isReplaceable?: boolean;
  /** Delivers changes to clients. Default: a bus within this process. */
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
  features: CoreFeatures;
  functions: FunctionModules | undefined;
  /** Absent: callers need no token. */
  auth: AuthDefinition | undefined;
  bus: EventBus;
  state: ServerState;
  /** Whether resources can be subscribed to, because the project's own code announces changes. */
  tellsUpdates: boolean;
  /** Whether its lists may change, because its own code announces changes or the project may be replaced. */
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
    // A copy, since its members may change while the server runs, and the user's own object must not.
    handlers: { ...handlers },
    features: features as CoreFeatures,
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

interface LazyCache {
  capabilities?: ReadonlySet<Capability>;
  tools?: Map<string, ToolEntry>;
  prompts?: Map<string, ListedPrompt>;
  upstream?: Promise<BoundUpstream>;
  /** Finds credentials of callers; resolves to undefined if the project has no source of them. */
  onBehalf?: Promise<OnBehalf | undefined>;
  functions?: Promise<BoundFunctions>;
  /** The functions that list resources of templates, in the order of the catalog. */
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

interface ServerState {
  /** Signs the state of calls between rounds. */
  stateKey?: Buffer;
  /** States that are valid once, and have been used. */
  takenStates?: KeptStates;
  tasks?: KeptTasks;
  /** Open subscriptions: the function that ends each, and its subscriber. */
  subscriptions?: Map<() => void, unknown>;
  /** Whether the server is stopping, so that a new subscription ends at once. */
  isStopping?: boolean;
}

export interface KeptStates {
  /** Identifies the process. */
  readonly process: string;
  take(state: { process: string | null; nonce: string; expires: number }): boolean;
}

interface KeptTasks {
  /** Undefined for a task that doesn't exist, or is another subject's. */
  owned(taskId: string, subject: string | undefined): { scopes: readonly string[] } | undefined;
  endAll(): void;
}

/** The features that the core loads, with the types of their modules. */
export interface CoreFeatures extends FeatureLoaders {
  tasks?: () => Promise<TasksFeature>;
  ask?: () => Promise<AskFeature>;
  api?: () => Promise<ApiFeature>;
}

export interface TasksFeature {
  /** @throws {ProtocolError} where the tool can't run the way that the client wants, or the wish is malformed */
  becomesTask(call: Call, tool: ListedTool): boolean;
  /** Answers with a task, and does the work behind it. */
  startTask(call: Call, work: (call: Call) => Promise<object>): object;
  /** @throws {ProtocolError} `-32021` */
  mustDeclareTasks(call: Call): void;
  /** A task as it is now; undefined where it is not there any more. */
  changedTask(server: ServerInstance, taskId: string): object | undefined;
  getTask: Method;
  taskResult: Method;
  updateTask: Method;
  cancelTask: Method;
  listTasks: Method;
}

export interface AskFeature {
  elicitForm(
    call: Call,
    question: Question,
    message: string,
    requestedSchema: ObjectSchema,
  ): Promise<ElicitAnswer>;
  elicitUrl(
    call: Call,
    question: Question,
    message: string,
    url: string,
    options: ElicitUrlOptions,
  ): Promise<ElicitAnswer>;
  sample(call: Call, question: Question, request: SampleRequest): Promise<SampleAnswer>;
  listRoots(call: Call, question: Question): Promise<Root[]>;
  runRound(call: Call, method: string, run: Method): ReturnType<Method>;
}

interface ApiFeature {
  openUpstream(server: ServerInstance): BoundUpstream;
}

/** Requests to APIs as the work that is bound to them. */
export interface BoundUpstream {
  /** Failures of the API, and of the project's hooks, are results. */
  tool(call: Call, request: BoundRequest): Promise<LooseResult>;
  /** @throws {ProtocolError} where there is no such resource, or it cannot be read */
  resource(call: Call, uri: string, request: BoundRequest): Promise<ResourceContents[]>;
}

export interface BoundRequest {
  binding: HttpBinding;
  args: Record<string, unknown>;
  /** The tool whose work it is; undefined for a resource that is no tool's. */
  tool: string | undefined;
}

/** The extension of tasks, as capabilities name it. */
export const TASKS_EXTENSION = 'io.modelcontextprotocol/tasks';

export type Capability =
  'tools' | 'resources' | 'subscriptions' | 'prompts' | 'completions' | 'logging' | 'tasks';

/** The capabilities whose methods this project answers. */
export async function declaredCapabilities(server: ServerInstance): Promise<ReadonlySet<Capability>> {
  return (server.cache.capabilities ??= listCapabilities(server, await server.hasCompletions()));
}

/** MCP's `ServerCapabilities`, for clients of a revision. */
export async function capabilitiesFor(
  server: ServerInstance,
  features: RevisionFeatures,
): Promise<JsonObject> {
  const declared = await declaredCapabilities(server);
  const list = server.changes ? { listChanged: true } : {};
  const subscribe = declared.has('subscriptions') ? { subscribe: true } : {};
  return {
    ...(declared.has('tools') ? { tools: list } : {}),
    ...(declared.has('resources') ? { resources: { ...subscribe, ...list } } : {}),
    ...(declared.has('prompts') ? { prompts: list } : {}),
    ...(declared.has('completions') && features.completionsCapability ? { completions: {} } : {}),
    ...(declared.has('logging') ? { logging: {} } : {}),
    ...(declared.has('tasks') ? taskCapabilities(features) : {}),
  };
}

function taskCapabilities({ tasks }: RevisionFeatures): JsonObject {
  switch (tasks) {
    case 'none':
      return {};
    case 'core':
      return { tasks: { list: {}, cancel: {}, requests: { tools: { call: {} } } } };
    case 'extension':
      return { extensions: { [TASKS_EXTENSION]: {} } };
  }
}

function listCapabilities(
  { catalog, features, tellsUpdates, isReplaceable }: ServerInstance,
  completions: boolean,
): ReadonlySet<Capability> {
  // A client that saw no capability would not look for it in the project that replaces this one.
  const has = (...lists: ListName[]): boolean =>
    isReplaceable || lists.some((list) => !catalog.isEmpty(list));
  const resources = has('resources', 'resourceTemplates');
  const all: Record<Capability, boolean> = {
    tools: has('tools'),
    resources,
    subscriptions: resources && tellsUpdates,
    prompts: has('prompts'),
    completions: completions || isReplaceable,
    logging: true,
    tasks: features.tasks !== undefined && hasTasks(catalog),
  };
  const names = Object.keys(all) as Capability[];
  return new Set(names.filter((name) => all[name]));
}

/** The list is parsed only if the word is in its text. */
function hasTasks(catalog: ServerInstance['catalog']): boolean {
  if (!catalog.text('tools').includes('"taskSupport"')) return false;
  return catalog
    .items('tools')
    .some(({ execution }) => (execution?.taskSupport ?? 'forbidden') !== 'forbidden');
}

/**
 * Opens the source of callers' credentials for APIs; undefined if the project has none.
 *
 * @throws {UsageError} where the environment or the configuration says what can't be used; so it may reject
 */
export async function openOnBehalf({
  auth,
  env,
  features,
  handlers,
  bindings,
  report,
}: ServerInstance): Promise<OnBehalf | undefined> {
  if (auth === undefined) return undefined;
  const { upstreamCredentials: hook } = handlers;
  if (features.exchange === undefined) {
    if (hook === undefined) return undefined;
    // Without this error, calls meant to use credentials of callers would use the server's own.
    throw new UsageError(`src/handlers/ has \`upstreamCredentials\`. ${withoutFeature('exchange')}`);
  }
  const [{ openOnBehalf: open }, data] = await Promise.all([features.exchange(), bindings()]);
  const upstreamCredentials: typeof hook =
    hook && (async (request) => guarded(() => hook(request), credentialsWords));
  return open({ definition: auth, env, bindings: data, upstreamCredentials, features, report });
}

/** Errors of the search for credentials may contain them, so only a `ToolError` is shown. */
function credentialsWords(thrown: unknown): string {
  if (thrown instanceof ToolError) return thrown.message;
  return 'The API was not called: credentials of its caller could not be looked for. The log of the server says why.';
}

/** One of the project's own hooks failed: its message is meant for the caller. */
export class HookError extends Error {
  override readonly name = 'HookError';
}

/** @throws {HookError} in place of what the hook throws */
export async function guarded<T>(hook: () => T | Promise<T>, wordsOf = describeThrown): Promise<T> {
  try {
    return await hook();
  } catch (thrown) {
    throw new HookError(wordsOf(thrown), { cause: thrown });
  }
}
