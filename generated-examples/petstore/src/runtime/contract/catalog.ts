// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/**
 * The data of `src/generated/catalog.json`: the items clients list, in the shapes of the newest revision the
 * runtime speaks. Older revisions are answered with the members they know.
 */
import type { Json, JsonSchema, ObjectSchema } from './json-schema.ts';

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

/**
 * The data of `src/generated/mock.json`: answers of the API for `--mock`. Data, never code; the compiler's
 * model uses these very types. Bounded when compiling: what is too large is left out.
 */

/** The success of one operation. */
export interface MockAnswer {
  status: number;
  /** As the document has it, perhaps a range (`image/*`). Absent: the answer has no body. */
  mediaType?: string;
  /** Schemas of the headers that results show, by lower-case name. Default none. */
  headers?: Record<string, JsonSchema>;
  /** The document's example, by its place in `examples`. */
  example?: number;
  /** The answer's schema, if there is no example; refers to `schemas` as `#/$defs/<name>`. */
  schema?: JsonSchema;
}

export interface Mock {
  /** By `<method> <path>`, as in the bindings. What is not there answers 204. */
  answers: Record<string, MockAnswer>;
  /** A text may also stand for JSON or for bytes in base64. */
  examples: Json[];
  schemas: Record<string, JsonSchema>;
  /** The APIs of a server with several, by name; the other members are empty then. */
  apis?: Record<string, Mock>;
}
