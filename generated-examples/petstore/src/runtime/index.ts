/** What a project's own code may use of its server: the types of definitions and handlers, and the entry point. */
export type { Icon, ListedPrompt, ListedTool, ToolAnnotations } from './catalog.ts';
export type {
  AfterResponse,
  BeforeRequest,
  ClientView,
  CompletionHandler,
  Context,
  ElicitAnswer,
  ElicitForm,
  ElicitUrl,
  ExtraTool,
  Handlers,
  Implementation,
  LogLevel,
  OutgoingRequest,
  PromptDefinition,
  Root,
  SampleAnswer,
  SampleMessage,
  SampleRequest,
  ServerDefinition,
  ToolHandler,
} from './definition.ts';
export { run } from './main/run.ts';
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
