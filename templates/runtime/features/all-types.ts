// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** The declarations of `mcpgen/runtime`: what functions import, with the members that features add. */
import './changes.ts';
import './operations.ts';
import './ask/index.ts';
import './resources.ts';
import './resumption.ts';
import './steps/index.ts';
import './tasks/index.ts';

export { ApiError, ProtocolError, readJson, ToolError, writeJson } from '../index.ts';
export type {
  AfterResponse,
  Annotations,
  AskOptions,
  AudioContent,
  BeforeRequest,
  CompletionHandler,
  ContentBlock,
  Context,
  ElicitAnswer,
  ElicitUrlOptions,
  EmbeddedResource,
  Ending,
  ExclusiveMaximum,
  ExclusiveMinimum,
  ExtraTool,
  Format,
  FormField,
  FormFields,
  FormSchema,
  Handlers,
  Icon,
  ImageContent,
  Implementation,
  Integer,
  ListedPrompt,
  ListedResource,
  ListedResourceTemplate,
  ListedTool,
  LogLevel,
  Maximum,
  MaxItems,
  MaxLength,
  Minimum,
  MinItems,
  MinLength,
  MultipleOf,
  OutgoingRequest,
  Pattern,
  PromptDefinition,
  PromptMessage,
  PromptResult,
  ResourceAnswer,
  ResourceContents,
  ResourceDefinition,
  ResourceLink,
  ResourceReader,
  ResourceTemplateDefinition,
  Root,
  SampleAnswer,
  SampleMessage,
  SampleRequest,
  ServerHandle,
  Started,
  StepOptions,
  TemplateResource,
  TextContent,
  ToolAnnotations,
  ToolHandler,
  ToolName,
  ToolOverride,
  ToolResult,
  UniqueItems,
  VariableValue,
} from '../index.ts';
export type { ApiOperation, Apis } from './operations.ts';
export type { AuthInfo } from './oauth/index.ts';
