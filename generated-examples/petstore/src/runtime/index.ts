/** What a project's own code may use of its server: the types of definitions and handlers, and the entry point. */
export type {
  Annotations,
  Icon,
  ListedPrompt,
  ListedResource,
  ListedResourceTemplate,
  ListedTool,
  ToolAnnotations,
} from './contract/catalog.ts';
export type {
  AfterResponse,
  AskOptions,
  AuthInfo,
  BeforeRequest,
  CallerCredentials,
  ClientView,
  CompletionHandler,
  Context,
  CredentialsRequest,
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
  UpstreamCredentials,
  VariableValue,
  VerifiedToken,
  VerifyToken,
} from './definition.ts';
export { run } from './main/run.ts';
export { ProtocolError } from './protocol/protocol-error.ts';
export { ToolError } from './protocol/protocol-error.ts';
export { Unavailable } from './protocol/protocol-error.ts';
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
} from './protocol/content.ts';
export { readJson, writeJson } from './contract/json-text.ts';
