// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** The API for a project's own code: types of definitions and handlers, and the entry point. */
export type {
  Annotations,
  Icon,
  ListedPrompt,
  ListedResource,
  ListedResourceTemplate,
  ListedTool,
  ToolAnnotations,
} from './contract/json-schema.ts';
export type {
  AfterResponse,
  ApiOperation,
  Apis,
  AskOptions,
  AuthInfo,
  BeforeRequest,
  CallOnce,
  CallerCredentials,
  ClientView,
  CompletionHandler,
  Context,
  CredentialsRequest,
  Ending,
  ExtraTool,
  Handlers,
  Implementation,
  LogLevel,
  Next,
  OutgoingRequest,
  PromptDefinition,
  ResourceAnswer,
  ResourceDefinition,
  ResourceReader,
  ResourceTemplateDefinition,
  ServerDefinition,
  ServerHandle,
  Started,
  TemplateResource,
  ToolHandler,
  ToolName,
  ToolOverride,
  UpstreamCredentials,
  VariableValue,
  VerifiedToken,
  VerifyToken,
} from './definition.ts';
export { run } from './main/run.ts';
export { ApiError, ProtocolError, ToolError, Unavailable } from './protocol/json-rpc.ts';
export type {
  AudioContent,
  ContentBlock,
  EmbeddedResource,
  ImageContent,
  PromptMessage,
  PromptResult,
  ResourceContents,
  ResourceLink,
  TextContent,
  ToolResult,
} from './core/handler-result.ts';
export { readJson, writeJson } from './contract/json-value.ts';

