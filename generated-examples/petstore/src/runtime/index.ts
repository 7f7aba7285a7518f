// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** The API of the runtime for a project's own code: the types of definitions and handlers, and the entry point. */
export type {
  Annotations,
  Icon,
  ListedPrompt,
  ListedResource,
  ListedResourceTemplate,
  ListedTool,
  ToolAnnotations,
} from './contract/json-schema.ts';
export type { CallerCredentials, CredentialsRequest, UpstreamCredentials } from './feature-loaders.ts';
export type {
  AfterResponse,
  AskOptions,
  AuthInfo,
  BeforeRequest,
  ClientView,
  CompletionHandler,
  Context,
  ElicitAnswer,
  ElicitUrlOptions,
  Ending,
  ExtraTool,
  Handlers,
  Implementation,
  LogLevel,
  OutgoingRequest,
  PromptDefinition,
  ResourceAnswer,
  ResourceDefinition,
  ResourceReader,
  ResourceTemplateDefinition,
  Root,
  SampleAnswer,
  SampleMessage,
  SampleRequest,
  ServerDefinition,
  ServerHandle,
  Started,
  TemplateResource,
  ToolHandler,
  VariableValue,
  VerifiedToken,
  VerifyToken,
} from './definition.ts';
export { run } from './main/run.ts';
export { ProtocolError, ToolError, Unavailable } from './protocol/json-rpc.ts';
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
