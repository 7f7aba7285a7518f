/**
 * The server as MCP lists it, with the binding that does the work of each item. Serialisable; `mcpgen inspect --json`
 * prints it, and `schema/server-model.json` describes it.
 */
import type {
  Binding,
  CompletionBinding,
  FunctionBinding,
  OperationBinding,
  PromptBinding,
  ResourceBinding,
  Selectable,
  StepsBinding,
  UpstreamBinding,
} from './bindings.ts';
import type { Codec } from './codec.ts';
import type {
  Icon,
  ListedPrompt,
  ListedResource,
  ListedResourceTemplate,
  ListedTool,
  SurfaceName,
} from './listed-items.ts';
import type { Json, JsonObject, JsonSchema } from '../util/json-schema.ts';
import type { Origin } from './origin.ts';
import type { Skills } from './skills.ts';

export interface ServerModel {
  /** Version of this shape. */
  format: 1;
  /** Package, bin and server name: `petstore-mcp`. */
  name: string;
  title: string;
  version: string;
  description: string;
  /** Advice for a model before its first call. */
  instructions?: string;
  documentationUrl?: string;
  icons?: Icon[];
  /** The `_meta` of the server itself. */
  _meta?: JsonObject;
  /** `off`: the list is too large for output schemas, and no option asks for them. */
  outputSchemas?: 'off';
  /** Which tools are listed. Default `tools`; the member is there too if `auto` chose that. */
  surface?: SurfaceName;
  /**
   * Only of a large API, as `mcpgen inspect --json` prints it: named schemas of inputs, each once. A `#/$defs/…` of an
   * `inputSchema` that its own `$defs` lack is here.
   */
  schemas?: Record<string, JsonSchema>;
  tools: Tool[];
  resources: Resource[];
  resourceTemplates: ResourceTemplate[];
  prompts: Prompt[];
  /** Default none. */
  skills?: Skills;
  completions: CompletionBinding[];
  /** The named codecs that `ref` refers to. Default none. */
  codecs?: Record<string, Codec>;
  /** Run once, before the first message is read, in this order. Default none. */
  started?: FunctionBinding[];
  /**
   * By source and operationId: operations that are no tools and that functions call (`context.api`). Absent if none of
   * them calls any operation.
   */
  operations?: Record<string, Record<string, OperationBinding>>;
  /** Neither tools nor code of the server may write. Default false. */
  readOnly?: boolean;
  /** The tools that the client's user is asked to confirm. Default: none. */
  confirm?: 'destructive';
  /** The operations of the source that are not served. Default none. */
  deselected?: Selectable[];
  /** Absent when no binding speaks HTTP. */
  upstream?: UpstreamBinding;
  /** In place of `upstream`, where bindings speak to several APIs; each has a name. */
  upstreams?: UpstreamBinding[];
  /** The API's answers for `--mock`. Absent if `upstream` is. */
  mock?: MockTexts;
  /** In place of `mock`, by the names of `upstreams`. */
  mocks?: Record<string, MockTexts>;
}

export interface Tool extends ListedTool {
  /** By argument, the document's; unchecked, and not listed. */
  examples?: Record<string, Json>;
  binding: Binding | StepsBinding;
  /** Runs before the work of a call, and before a task is made of it. */
  prepare?: FunctionBinding;
  /** OAuth scopes a caller needs. */
  scopes: string[];
  /** Tags of the source, for selection when the server starts. */
  tags: string[];
  /** Words of the schemas that it takes and returns, and of its tags, by which it is found too. */
  about?: string;
  /** Listed beside the tools that search others. */
  pin?: true;
  origin: Origin;
}

export interface Resource extends ListedResource {
  binding: ResourceBinding;
  origin: Origin;
}

export interface ResourceTemplate extends ListedResourceTemplate {
  binding: ResourceBinding;
  origin: Origin;
}

export interface Prompt extends ListedPrompt {
  binding: PromptBinding;
  origin: Origin;
}

/** `Mock` of the runtime, each value as its JSON text: they are large, and only ever written out. */
export interface MockTexts {
  /** By `<method> <path>`: a `MockAnswer` each. */
  answers: Record<string, string>;
  examples: string[];
  /** By name, as in the `SourceModel`. */
  schemas: Record<string, string>;
}
