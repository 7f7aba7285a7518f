/**
 * The source's content, before any decision about MCP. Every front end ends here, and nothing after this module knows
 * OpenAPI documents or TypeScript programs.
 */
import type {
  BodyKind,
  ConfirmRule,
  EncodingBinding,
  FunctionBinding,
  ItemSeparator,
  LoginBinding,
  ParameterLocation,
  ParameterStyle,
  SecurityRequirement,
  ServerBinding,
  XmlNodeType,
} from './bindings.ts';
import type { Codec } from './codec.ts';
import type { Annotations, Icon, ToolAnnotations, ToolExecution } from './listed-items.ts';
import type { Json, JsonObject, JsonSchema, ObjectSchema } from '../util/json-schema.ts';
import type { Origin } from './origin.ts';
import type { Skills } from './skills.ts';
import type { WorkflowFile } from './workflows.ts';

export interface SourceModel {
  info: ApiInfo;
  servers: ServerBinding[];
  /** The API's default security; absent when the source states none. */
  security?: SecurityRequirement[];
  securitySchemes: Record<string, SecurityScheme>;
  /**
   * The shared `$defs` pool: JSON Schema 2020-12, refs are `#/$defs/<name>`. Holds what capabilities reach. A schema
   * may have the keywords `xml` (`XmlObject`) and `example` of OpenAPI, which are not listed.
   */
  schemas: Record<string, JsonSchema>;
  schemaOrigins: Record<string, Origin>;
  /**
   * The codecs of members of `schemas` whose values differ from their JSON; only functions have some. Default none.
   */
  codecs?: Record<string, Codec>;
  capabilities: Capability[];
  /** The source's descriptions of its tags, by tag. */
  tagTexts?: ReadonlyMap<string, string>;
  /** Words of the code that mentions `api`: it calls only operations whose operationIds are among them. */
  codeWords?: string[];
  xMcp?: XMcp;
  /** Skills in a folder beside the source. */
  skills?: Skills;
  /** Files that the configuration names. */
  workflows?: WorkflowFile[];
  origin: Origin;
}

export interface ApiInfo {
  title: string;
  version: string;
  summary?: string;
  description?: string;
  /** The URL of further documentation (`externalDocs.url`). */
  documentationUrl?: string;
}

export type Capability =
  | Operation
  | SourcePrompt
  | FunctionTool
  | FunctionResource
  | FunctionPrompt
  | FunctionCompletion
  | FunctionStart;

/** One operation of an API: what can be called. */
export interface Operation {
  kind: 'operation';
  origin: Origin;
  /** The method as it is sent, in upper case. */
  method: string;
  path: string;
  operationId?: string;
  summary?: string;
  description?: string;
  deprecated?: boolean;
  tags: string[];
  parameters: Parameter[];
  body?: RequestBody;
  responses: Response[];
  /** Replaces the API's security; `[]` is none. */
  security?: SecurityRequirement[];
  /** The operation's own servers, else those of its path. They override the API's. */
  servers?: ServerBinding[];
  /** `x-mcp` of the path, overlaid by the operation's. */
  xMcp?: XMcp;
}

export interface Parameter {
  origin: Origin;
  name: string;
  in: ParameterLocation;
  required: boolean;
  description?: string;
  deprecated?: boolean;
  /** Absent: the location's default. */
  style?: ParameterStyle;
  explode?: boolean;
  separator?: ItemSeparator;
  allowReserved?: boolean;
  allowEmptyValue?: boolean;
  /** `x-mcp.argument`: it stays an argument, though it holds a credential. */
  isArgument?: boolean;
  /** Set when the parameter is described by `content`. */
  mediaType?: string;
  /** By property name; where that is a form. */
  encoding?: Record<string, EncodingBinding>;
  schema: JsonSchema;
  /** First example of the document, as a value rather than in the form in which it is sent. Unchecked. */
  example?: Json;
  secondExample?: Json;
  /** `x-mcp` of the parameter. */
  rule?: ArgumentRule;
}

/** How one argument is served. */
export interface ArgumentRule {
  /** Whether clients do not see the argument. Default false. */
  hide?: boolean;
  name?: string;
  description?: string;
  /** Sent if the client gives none. */
  default?: Json;
  /** Always sent; clients do not see the argument. */
  const?: Json;
  /** The variable whose value is sent, read at each call; clients do not see the argument. */
  env?: string;
}

/** Members of answers, by dotted names. Lists are transparent. */
export interface OutputRule {
  /** Members that are returned. Default: all. */
  select?: string[];
  /** Members that are not returned. */
  drop?: string[];
}

export interface RequestBody {
  origin: Origin;
  required: boolean;
  description?: string;
  /** In the document's order; never empty. */
  content: MediaType[];
}

export interface MediaType {
  origin: Origin;
  /** As written in the document. */
  mediaType: string;
  kind: BodyKind;
  schema: JsonSchema;
  /** By property name; form and multipart only. */
  encoding?: Record<string, EncodingBinding>;
  /** The first of the document's, of the whole body. Unchecked. */
  example?: Json;
  secondExample?: Json;
  /** `x-mcp` of properties, by name. */
  rules?: Record<string, ArgumentRule>;
  /** The document describes members, which mcpgen writes in no such format: the caller gives the text or the bytes. */
  isUnwritten?: boolean;
  /** The reading of parts without a content type; multipart only. Default: as text. */
  untypedParts?: 'bytes';
}

/** The XML Object beside other keywords of a schema (`xml`); never listed. */
export interface XmlObject {
  nodeType?: XmlNodeType;
  name?: string;
  namespace?: string;
  prefix?: string;
  /** Before OpenAPI 3.2: `nodeType: attribute`. */
  attribute?: boolean;
  /** Before OpenAPI 3.2: `nodeType: element` of a list. */
  wrapped?: boolean;
}

export interface Response {
  origin: Origin;
  /** `200`, `2XX`, `default`. */
  status: string;
  description?: string;
  /** Contents in the document's order; empty if the response has no body. */
  content: ResponseContent[];
  /** The headers that results may show. Default none. */
  headers?: ResponseHeader[];
}

export interface ResponseHeader {
  /** In lower case. */
  name: string;
  /** The header's schema; an example of the document's as `const`, unchecked. */
  schema: JsonSchema;
}

export interface ResponseContent {
  mediaType: string;
  /** Absent when the document states none. */
  schema?: JsonSchema;
  /** The first of the document's, of the whole answer. Unchecked. */
  example?: Json;
}

/** A Security Scheme Object, reduced to what a client must know. */
export type SecurityScheme = { origin: Origin; description?: string } &
  /** `isParameter`: a header parameter, which no scheme of the document declares. */
  (
    | { type: 'apiKey'; in: 'query' | 'header' | 'cookie'; name: string; isParameter?: boolean }
    /** `scheme` as written. */
    | { type: 'http'; scheme: string }
    /** `tokenUrl` of the client-credentials flow. `login`: of the flows in which a person signs in, and of `x-mcp.login`. */
    | {
        type: 'oauth2';
        tokenUrl?: string;
        metadataUrl?: string;
        scopes: Record<string, string>;
        login?: LoginBinding;
      }
    | { type: 'openIdConnect'; url: string; login?: LoginBinding }
    | { type: 'mutualTLS' }
  );

/** `x-mcp` at the root, on a path or on an operation. */
export interface XMcp {
  /** `false` excludes the operation, `true` includes it regardless of the route map. */
  enabled?: boolean;
  name?: string;
  title?: string;
  description?: string;
  annotations?: ToolAnnotations;
  scopes?: string[];
  /** When the user is asked before a call. The server's own `confirm` holds too. */
  confirm?: ConfirmRule;
  /** Milliseconds of a call. Default: those that the server has for all. */
  timeout?: number;
  /** Of the configuration alone, since values may name variables. */
  headers?: Record<string, string>;
  /** Whether it is served as a resource too (true), never (false), or only as one (`'only'`). */
  resource?: boolean | 'only';
  icons?: Icon[];
  _meta?: JsonObject;
  /** The media type to send where the document offers several for the body. */
  bodyMediaType?: string;
  /** By argument, or by its name in the document. */
  arguments?: Record<string, ArgumentRule>;
  /** Whether the tool is listed beside the tools that search others. */
  pin?: boolean;
  output?: OutputRule;
  /** Whether clients may name the members of answers that they want. */
  fields?: boolean;
}

export interface SourcePrompt {
  kind: 'prompt';
  origin: Origin;
  name: string;
  title?: string;
  description?: string;
  icons?: Icon[];
  _meta?: JsonObject;
  arguments: SourcePromptArgument[];
  messages: { role: 'user' | 'assistant'; text: string }[];
}

export interface SourcePromptArgument {
  name: string;
  title?: string;
  description?: string;
  required: boolean;
  /** Values offered by completion. */
  values?: string[];
}

interface FunctionItem {
  origin: Origin;
  /** Name that the tag gives, else the name of the export. */
  name: string;
  title?: string;
  description?: string;
  /** The deprecation notice, with the replacement. Default: not deprecated. */
  deprecated?: string;
  icons?: Icon[];
  _meta?: JsonObject;
  scopes: string[];
  /** The schemas of the arguments by name. References point into `schemas`. `Context` is not among them. */
  input: ObjectSchema;
  /** The origins of arguments by name (`__proto__` is possible). Default: the function's origin. */
  argumentOrigins?: Readonly<Record<string, Origin>>;
  binding: FunctionBinding;
}

export interface FunctionTool extends FunctionItem {
  /** The function that runs before it, and before a task is made of a call. */
  prepare?: FunctionBinding;
  kind: 'function-tool';
  annotations: ToolAnnotations;
  /** Listed beside the tools that search others. Default false. */
  pin?: boolean;
  confirm?: ConfirmRule;
  execution?: ToolExecution;
  /** The schema of the returned value; absent if the function returns nothing, or content. */
  output?: JsonSchema;
  /** The function may also return undefined. Default false. */
  optional?: boolean;
}

export interface FunctionResource extends FunctionItem {
  kind: 'function-resource';
  /** A URI, or a URI template (RFC 6570). */
  uri: string;
  mimeType?: string;
  annotations?: Annotations;
  /** The function that lists the resources of a template. */
  list?: FunctionBinding;
  /** The schema of contents that are JSON. */
  output?: JsonSchema;
}

export interface FunctionPrompt extends FunctionItem {
  kind: 'function-prompt';
}

/** An exported function that offers values for an argument of a prompt or a variable of a template. */
export interface FunctionCompletion {
  kind: 'function-completion';
  origin: Origin;
  /** Name of the prompt or template, or a URI template. */
  of: string;
  argument: string;
  binding: FunctionBinding;
}

/** An exported function that runs once, when the server starts. */
export interface FunctionStart {
  kind: 'function-start';
  origin: Origin;
  binding: FunctionBinding;
}
