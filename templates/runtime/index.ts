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
// #region ask
export type {
  ElicitAnswer,
  ElicitUrlOptions,
  FormField,
  FormFields,
  FormSchema,
  Root,
  SampleAnswer,
  SampleMessage,
  SampleRequest,
  StandardJSONSchemaV1,
  StandardSchemaV1,
} from './questions.ts';
// #endregion
// #region fetch
export type { CreateFetchHandler, FetchHandler, FetchOptions } from './fetch/create-handler.ts';
export type { FetchPeer } from './fetch/web-parts.ts';
// #endregion
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

// #region functions
declare const constraint: unique symbol;

/** A type that only constrains another: `number & Minimum<0>` is given and used as a number. */
interface Constraint<K extends string, V> {
  readonly [constraint]?: Readonly<Record<K, V>>;
}

export type Minimum<N extends number | bigint> = Constraint<'minimum', N>;
export type Maximum<N extends number | bigint> = Constraint<'maximum', N>;
export type ExclusiveMinimum<N extends number | bigint> = Constraint<'exclusiveMinimum', N>;
export type ExclusiveMaximum<N extends number | bigint> = Constraint<'exclusiveMaximum', N>;
export type MultipleOf<N extends number | bigint> = Constraint<'multipleOf', N>;
export type Integer = Constraint<'multipleOf', 1>;
export type MinLength<N extends number> = Constraint<'minLength', N>;
export type MaxLength<N extends number> = Constraint<'maxLength', N>;
export type Pattern<S extends string> = Constraint<'pattern', S>;
export type Format<S extends string> = Constraint<'format', S>;
export type MinItems<N extends number> = Constraint<'minItems', N>;
export type MaxItems<N extends number> = Constraint<'maxItems', N>;
export type UniqueItems = Constraint<'uniqueItems', true>;
// #endregion
