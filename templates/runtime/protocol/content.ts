// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Content of tools, prompts and resources, in the shapes of the newest revision. Types only. */
import type { Annotations, Icon } from '../contract/catalog.ts';
import type { Json, JsonObject } from '../contract/json-schema.ts';

/** Metadata by reverse-DNS keys; carried as it stands. */
export type Meta = JsonObject;

interface ContentBase {
  annotations?: Annotations;
  /** Since 2025-06-18. */
  _meta?: Meta;
}

export interface TextContent extends ContentBase {
  type: 'text';
  text: string;
}

export interface ImageContent extends ContentBase {
  type: 'image';
  /** Base64. */
  data: string;
  mimeType: string;
}

/** Since 2025-03-26. */
export interface AudioContent extends ContentBase {
  type: 'audio';
  /** Base64. */
  data: string;
  mimeType: string;
}

/** A resource's contents, carried in the message. */
export interface EmbeddedResource extends ContentBase {
  type: 'resource';
  resource: ResourceContents;
}

/** A resource the client may read itself. Since 2025-06-18. */
export interface ResourceLink extends ContentBase {
  type: 'resource_link';
  uri: string;
  name: string;
  title?: string;
  description?: string;
  mimeType?: string;
  /** Bytes. */
  size?: number;
  /** Since 2025-11-25. */
  icons?: Icon[];
}

export type ContentBlock = TextContent | ImageContent | AudioContent | EmbeddedResource | ResourceLink;

export interface TextResourceContents {
  uri: string;
  mimeType?: string;
  text: string;
  _meta?: Meta;
}

export interface BlobResourceContents {
  uri: string;
  mimeType?: string;
  /** Base64. */
  blob: string;
  _meta?: Meta;
}

export type ResourceContents = TextResourceContents | BlobResourceContents;

/** The result of `tools/call` (MCP `CallToolResult`). */
export interface ToolResult {
  content: ContentBlock[];
  /** Conforms to the tool's output schema. Since 2025-06-18. */
  structuredContent?: JsonObject;
  /** The work failed; `content` says why, in words a model can act on. Default false. */
  isError?: boolean;
  _meta?: Meta;
}

/** A result before the core fits it to revision and schema: its structured content may be any JSON value. */
export interface LooseResult extends Omit<ToolResult, 'structuredContent'> {
  structuredContent?: Json;
}

/** One message of a prompt. */
export interface PromptMessage {
  role: 'user' | 'assistant';
  content: ContentBlock;
}

/** The result of `prompts/get` (MCP `GetPromptResult`). */
export interface PromptResult {
  description?: string;
  messages: PromptMessage[];
  _meta?: Meta;
}
