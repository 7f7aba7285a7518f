// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/**
 * The data of `src/generated/catalog.json`: the items clients list, in the shapes of the newest revision the
 * runtime speaks. Older revisions are answered with the members they know.
 */
import type { ObjectSchema } from './json-schema.ts';

export interface Icon {
  src: string;
  mimeType?: string;
  sizes?: string[];
  theme?: 'light' | 'dark';
}

/** Annotations of resources, templates and content (MCP `Annotations`). */
export interface Annotations {
  audience?: ('user' | 'assistant')[];
  /** 0 (least) to 1 (most important). */
  priority?: number;
  /** ISO 8601. */
  lastModified?: string;
}

export interface ToolAnnotations {
  title?: string;
  readOnlyHint?: boolean;
  destructiveHint?: boolean;
  idempotentHint?: boolean;
  openWorldHint?: boolean;
}

/** MCP `Tool`. */
export interface ListedTool {
  name: string;
  title?: string;
  description?: string;
  icons?: Icon[];
  /** Always `type: "object"` at the top: clients drop the whole server otherwise. */
  inputSchema: ObjectSchema;
  outputSchema?: ObjectSchema;
  annotations?: ToolAnnotations;
  /** How it may be run, beside as a call. */
  execution?: ToolExecution;
}

/** MCP `ToolExecution` (2025-11-25); the extension of tasks goes by it too. */
export interface ToolExecution {
  /** Whether a call may, or must, be a task. Default `forbidden`. */
  taskSupport?: 'forbidden' | 'optional' | 'required';
}

/** MCP `Resource`. */
export interface ListedResource {
  uri: string;
  name: string;
  title?: string;
  description?: string;
  mimeType?: string;
  icons?: Icon[];
  annotations?: Annotations;
  /** Bytes. */
  size?: number;
}

/** MCP `ResourceTemplate`. */
export interface ListedResourceTemplate {
  /** RFC 6570. */
  uriTemplate: string;
  name: string;
  title?: string;
  description?: string;
  mimeType?: string;
  icons?: Icon[];
  annotations?: Annotations;
}

export interface ListedPromptArgument {
  name: string;
  title?: string;
  description?: string;
  required?: boolean;
}

/** MCP `Prompt`. */
export interface ListedPrompt {
  name: string;
  title?: string;
  description?: string;
  icons?: Icon[];
  arguments?: ListedPromptArgument[];
}

/**
 * `src/generated/catalog.json`.
 *
 * Written with one member of an item a line and no other whitespace, the members in this order:
 * `{\n"tools":[\n{\n"name":…,\n…\n},\n…\n],\n"resources":[],\n…,\n"completions":true\n}`. A diff shows the members
 * that changed, and the runtime hands on the text of a list without parsing it. Any other layout works, slower.
 */
export interface Catalog {
  tools: ListedTool[];
  resources: ListedResource[];
  resourceTemplates: ListedResourceTemplate[];
  prompts: ListedPrompt[];
  /** Whether `bindings.json` has completions, so that it need not be read to know. Absent: it is read. */
  completions?: boolean;
}
