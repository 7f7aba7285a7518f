/** `mcpgen/testing`: what tests of annotated functions need. Its declarations need no others than `mcpgen/runtime`. */
import type {
  AuthInfo,
  Context,
  ListedPrompt,
  ListedResource,
  ListedResourceTemplate,
  ListedTool,
  LogLevel,
  PromptResult,
  ResourceContents,
  Root,
  SampleAnswer,
  SampleRequest,
  ToolResult,
} from '../../templates/runtime/index.ts';

export { fakeContext } from './fake-context.ts';

/** Fields that the user fills in; or an answer without any, as to `elicitUrl`. */
export type FormAnswer = Readonly<Record<string, unknown>> | 'accept' | 'decline' | 'cancel';

/** The client can be asked what has answers. */
export interface Answers {
  /** To `elicit` and `elicitUrl`, one for each question in their order; or by the question. */
  elicit?:
    readonly FormAnswer[] | ((question: { message: string }) => FormAnswer | Promise<FormAnswer>) | undefined;
  /** To `sample`. A text is a message of the model. */
  sample?:
    | readonly (string | SampleAnswer)[]
    | ((request: SampleRequest) => string | SampleAnswer | Promise<string | SampleAnswer>)
    | undefined;
  roots?: readonly Root[] | undefined;
}

export interface FakeOptions extends Answers {
  /** The caller. Default: callers are not asked. */
  auth?: Partial<AuthInfo>;
  client?: Partial<Context['client']>;
  meta?: NonNullable<Context['meta']>;
  signal?: Context['signal'];
  /** Does the work of `context.call`. */
  call?: (tool: string, args: object) => ToolResult | Promise<ToolResult>;
  /** Does the work of `context.run`. */
  run?: Context['run'];
  /** Operations by source and operationId, for `context.api`. */
  api?: Readonly<Record<string, Readonly<Record<string, (args: never) => unknown>>>>;
}

export interface Logged {
  level: LogLevel;
  data: unknown;
  logger?: string;
}

export interface Progressed {
  done: number;
  total?: number;
  message?: string;
}

/** A question, as the client gets it. */
export interface Asked {
  method: string;
  params: Record<string, unknown>;
}

export interface FakeContext extends Context {
  readonly logged: readonly Logged[];
  readonly progressed: readonly Progressed[];
  readonly asked: readonly Asked[];
}

export interface ConnectOptions extends Answers {
  /** Folder of the files. Default: that of the process. */
  cwd?: string;
  tsconfig?: string;
  /** Variables for the server, such as `MCP_SHOW_ERRORS`. Default: none. Functions read those of the process. */
  env?: Readonly<Record<string, string>>;
  /** Revision of MCP that the client speaks. Default 2025-11-25. */
  revision?: string;
  /** The caller. Scopes of `@scope` are then demanded. Default: callers are not asked. */
  auth?: Partial<AuthInfo>;
  /** Imports the files: with `(file) => import(file)` the test and the server share modules, and mocks of vitest apply. */
  import?: (file: string) => Promise<object>;
}

interface Named {
  name: string;
  arguments?: object;
}

/** A client of a server in this process, with the methods of the client of the official SDK. */
export interface TestClient {
  listTools(): Promise<{ tools: ListedTool[] }>;
  /** A refusal or failure of the tool is a result with `isError`. */
  callTool(call: Named): Promise<ToolResult>;
  listResources(): Promise<{ resources: ListedResource[] }>;
  listResourceTemplates(): Promise<{ resourceTemplates: ListedResourceTemplate[] }>;
  readResource(resource: { uri: string }): Promise<{ contents: ResourceContents[] }>;
  listPrompts(): Promise<{ prompts: ListedPrompt[] }>;
  getPrompt(prompt: Named): Promise<PromptResult>;
  /** Any request of the protocol. Rejects with a `ProtocolError` if the server refuses it. */
  request(method: string, params?: object): Promise<Record<string, unknown>>;
  readonly notifications: readonly Asked[];
  readonly asked: readonly Asked[];
  /** Errors that the server logs, since its clients must not read them. */
  readonly errors: readonly unknown[];
  close(): Promise<void>;
}

/**
 * Compiles annotated functions and serves them in this process, without a port. `files` are paths or globs.
 *
 * @throws {Error} with the errors of the code
 */
export async function connect(
  files: string | readonly string[],
  options: ConnectOptions = {},
): Promise<TestClient> {
  const { openClient } = await import('./open-client.ts');
  return openClient([files].flat(), options);
}
