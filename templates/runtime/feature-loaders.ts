// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/**
 * The features of a server beside its core: the loader of each feature's entry module. The compiler writes the object into
 * `src/server.ts`; a feature that the project does without is absent, and so are its files. Types only, so that a project
 * type-checks without the feature. The entries of a feature are methods: they may ask more of `context` than is known here.
 */
import type { IncomingMessage } from 'node:http';
import type { Duplex, Writable } from 'node:stream';
import type { HttpBinding, UpstreamBinding } from './contract/bindings.ts';
import type { ListedTool } from './contract/catalog.ts';
import type { ElicitAnswer, ElicitUrlOptions, Root, SampleAnswer, SampleRequest } from './definition.ts';
import type { Question } from './core/client-requests.ts';
import type { OpenAudit, Call, Method } from './core/call.ts';
import type { LiveServer, ServerInstance } from './core/server-instance.ts';
import type { FlagValues } from './main/flags.ts';
import type { AuditSettings, Environment, HttpSettings, Settings } from './main/settings.ts';
import type { Mock } from './mock.ts';
import type { OpenOnBehalf } from './on-behalf.ts';
import type { Json, JsonSchemaObject, ObjectSchema } from './contract/json-schema.ts';
import type { UpstreamAnswer } from './upstream-answer.ts';
import type { ApiSettings, BoundUpstream } from './upstream-part.ts';
import type { MockFunctions } from './functions-part.ts';

export interface FeatureLoaders {
  http?: () => Promise<HttpFeature>;
  sse?: () => Promise<SseFeature>;
  websocket?: () => Promise<WebSocketFeature>;
  audit?: () => Promise<AuditFeature>;
  tasks?: () => Promise<TasksFeature>;
  ask?: () => Promise<AskFeature>;
  /** Calls APIs. */
  api?: () => Promise<ApiFeature>;
  /** Describes the settings of APIs. */
  apiSettings?: () => Promise<ApiSettings>;
  /** Credentials of callers for APIs, by exchange of their token or by the project's own code. */
  exchange?: () => Promise<{ openOnBehalf: OpenOnBehalf }>;
  /** Features of the client of APIs; only projects with an API have their types, `UpstreamFeatures`. */
  bodies?: () => Promise<object>;
  clientCredentials?: () => Promise<object>;
  files?: () => Promise<object>;
  sequences?: () => Promise<object>;
  /** Proxies and client certificates. */
  proxy?: () => Promise<object>;
  /** Loaded, it runs patterns that are not plain. */
  patterns?: () => Promise<object>;
  /** Loaded, it matches and expands templates that are not plain. */
  uriTemplates?: () => Promise<object>;
  /** Answers in the place of APIs. */
  mockApi?: () => Promise<MockApiFeature>;
  /** Answers in the place of functions. */
  mockFunctions?: () => Promise<{ mockFunctions: MockFunctions }>;
}

interface HttpFeature {
  startHttp(
    live: LiveServer,
    settings: Settings,
    host: NodeJS.Process,
    stop: Promise<void>,
    started: () => void,
  ): Promise<void>;
  /** @throws {UsageError} naming the flag or variable whose value can't be used */
  readHttpSettings(flags: FlagValues, env: Environment, hasApi: boolean): HttpSettings;
  /** A sentence for each setting that makes a server less safe that others reach. */
  insecureHttpSettings(settings: Settings): string[];
}

/** HTTP+SSE of 2024-11-05, in a server over HTTP. */
export interface SseFeature {
  /** @param messagesPath the path that the client posts to */
  openSse(call: object, messagesPath: string): void;
  postSse(call: object): Promise<void>;
}

interface WebSocketFeature {
  openWebSocket(context: object): WebSocketEndpoint;
}

export interface WebSocketEndpoint {
  /** Takes an `upgrade` of Node's server. Never throws. */
  upgrade: (request: IncomingMessage, socket: Duplex, head: Uint8Array) => void;
  /** Resolves when all sockets are gone. */
  stop(): Promise<void>;
}

interface AuditFeature {
  /** @throws {UsageError} naming the flag or variable whose value can't be used */
  readAuditSettings(flags: FlagValues, env: Environment): AuditSettings | undefined;
  /** @throws {UsageError} when the file can't be written to */
  openAudit(
    settings: AuditSettings,
    server: string,
    to: { env: Environment; stderr: Writable; report: (thrown: unknown) => void },
  ): Promise<OpenAudit>;
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

/** The listed output schema of a tool. */
export interface ListedAnswer {
  schema: JsonSchemaObject;
  /** Whether clients take the value as its structured content. */
  isValid: (structured: Json) => boolean;
}

interface MockApiFeature {
  createMockClient(
    api: UpstreamBinding,
    context: object,
    mock: Mock,
    listed: (tool: string) => ListedAnswer | undefined,
  ): MockClient;
}

interface MockClient {
  call(binding: HttpBinding, args: Record<string, unknown>, context: object): Promise<UpstreamAnswer>;
}
