/** What clients list, in the shapes of the newest revision; older ones get the members they have. */
import type { JsonObject, ObjectSchema } from '../util/json-schema.ts';

export interface Icon {
  src: string;
  mimeType?: string;
  sizes?: string[];
  theme?: 'light' | 'dark';
}

export interface Annotations {
  audience?: ('user' | 'assistant')[];
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

type StatedHints = ToolAnnotations & Required<Omit<ToolAnnotations, 'title'>>;

/** Adds hints that are not said: MCP's defaults, and what a reading tool implies. A tool that says it reads and destroys counts as destructive. */
export function fillInHints({ readOnlyHint: reads = false, ...said }: ToolAnnotations): StatedHints {
  const readOnlyHint = reads && said.destructiveHint !== true;
  const implied = { readOnlyHint, destructiveHint: !readOnlyHint, idempotentHint: readOnlyHint };
  return { ...implied, openWorldHint: true, ...said };
}

interface ListedItem {
  name: string;
  title?: string;
  description?: string;
  icons?: Icon[];
  /** Since 2025-06-18. */
  _meta?: JsonObject;
}

export interface ListedTool extends ListedItem {
  /** Always `type: "object"` at the top: clients drop the whole server otherwise. */
  inputSchema: ObjectSchema;
  outputSchema?: ObjectSchema;
  annotations?: ToolAnnotations;
  execution?: ToolExecution;
}

/** How a tool may run as a task (revision 2025-11-25, and the extension of tasks). */
export interface ToolExecution {
  /** Whether a call may, or must, be a task. Default `forbidden`. */
  taskSupport?: 'forbidden' | 'optional' | 'required';
}

interface ReadableItem extends ListedItem {
  mimeType?: string;
  annotations?: Annotations;
}

export interface ListedResource extends ReadableItem {
  uri: string;
  size?: number;
}

export interface ListedResourceTemplate extends ReadableItem {
  uriTemplate: string;
}

export interface ListedPromptArgument {
  name: string;
  title?: string;
  description?: string;
  required?: boolean;
}

export interface ListedPrompt extends ListedItem {
  arguments?: ListedPromptArgument[];
}

/** Which tools are listed: all, the five by which others are found and called, or both. */
export type SurfaceName = 'tools' | 'search' | 'both';

export const SURFACES: readonly SurfaceName[] = ['tools', 'search', 'both'];

/** The tools of the search surface, in the order that they are listed. No other tool may have one of these names. */
export const SURFACE_TOOLS: readonly string[] = [
  'search_tools',
  'describe_tool',
  'call_read_tool',
  'call_write_tool',
  'call_destructive_tool',
];
