// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** The data of `src/generated/bindings.json`: how each listed item does its work. An absent flag is false. */
import { omitUndefined } from './json-value.ts';
import type { Json, JsonSchema, ObjectSchema } from './json-schema.ts';
export type ParameterLocation = 'path' | 'query' | 'header' | 'cookie' | 'querystring';

/** OpenAPI 3.x, Parameter Object, "Style Values". */
export type ParameterStyle =
  'simple' | 'label' | 'matrix' | 'form' | 'spaceDelimited' | 'pipeDelimited' | 'deepObject' | 'cookie';

/** Swagger 2.0, `collectionFormat`. */
export type ItemSeparator = ',' | ' ' | '\t' | '|';

interface StyleBinding {
  /** Default of a parameter: `simple` for path and header, `form` for query and cookie. */
  style?: ParameterStyle;
  /**
   * Default: true for `form`, `cookie` and `deepObject`. For `label`, absent joins by `.` (OpenAPI 3.0.0–3.0.3 and 3.1.0),
   * false by `,` (3.0.4, 3.1.1 and later).
   */
  explode?: boolean;
  /** Replaces the separator of the style in a list that is not exploded; for `simple` and `form`. */
  separator?: ItemSeparator;
  /** Separators of lists inside the list, the outer first. Default: a list inside a list is JSON. */
  itemSeparators?: ItemSeparator[];
  allowReserved?: boolean;
}

export interface ParameterBinding extends StyleBinding {
  argument: string;
  /** The name on the wire; it may hold characters that an argument's name may not (`ids[]`, `$top`). */
  name: string;
  in: ParameterLocation;
  /** An empty value is sent as `name=`. */
  allowEmptyValue?: boolean;
  /** The value is written in this media type, not by style. */
  mediaType?: string;
  /** By property, if `mediaType` is `application/x-www-form-urlencoded`. */
  encoding?: Record<string, EncodingBinding>;
}

/** Parameters of a query in style `form`, exploded, and of a path in style `simple`. Others need the feature `parameters`. */
export function isPlainParameter(parameter: ParameterBinding): boolean {
  const { in: place, style, explode, separator, itemSeparators, mediaType } = parameter;
  return (
    (place === 'query' || place === 'path') &&
    (style ?? explode ?? separator ?? itemSeparators ?? mediaType) === undefined &&
    parameter.allowReserved !== true &&
    parameter.allowEmptyValue !== true
  );
}

/** Whether the feature `parameters` writes a part of the request. */
export function needsParameterWriters({ parameters, body, known }: HttpBinding): boolean {
  const isPlainBody = body?.kind !== 'form' && body?.readOnly === undefined;
  return known !== undefined || !isPlainBody || !parameters.every(isPlainParameter);
}

/** Parts of a multipart value: by name of an object, by position of a list (OpenAPI 3.2); of a form, `encoding` alone. */
export interface PartsBinding {
  encoding?: Record<string, EncodingBinding>;
  prefixEncoding?: EncodingBinding[];
  itemEncoding?: EncodingBinding;
  parts?: Record<string, PartBinding>;
  prefixParts?: PartBinding[];
  /** For members that `parts` and `prefixParts` do not name. Default `{ mayBeFile: true }`. */
  otherParts?: PartBinding;
}

/** OpenAPI, Encoding Object. Its own parts are those of a value whose `contentType` is multipart or a form. */
export interface EncodingBinding extends PartsBinding, StyleBinding {
  /** The name in the document's `Content-Disposition` of a part of a list. */
  name?: string;
  contentType?: string;
  /** An empty list is sent as one empty value (Swagger 2.0). */
  allowEmptyValue?: boolean;
  xml?: XmlBodyBinding;
  headers?: Record<string, string>;
}

export interface PartBinding {
  binary?: boolean;
  /** A `data:` URI or the name of a file is sent as bytes, anything else as it is: the document doesn't say which it is. */
  mayBeFile?: boolean;
  /** The text is in this encoding already, in lower case (JSON Schema, `contentEncoding`). */
  contentEncoding?: string;
  /** The type of a text or of bytes (JSON Schema, `contentMediaType`); that of an encoding wins. */
  contentType?: string;
}

export interface BodyPropertyBinding extends PartBinding {
  argument: string;
  name: string;
}

export interface XmlBodyBinding {
}

export type BodyKind = 'json' | 'form' | 'multipart' | 'text' | 'xml' | 'binary';

export interface BodyBinding extends PartsBinding {
  mediaType: string;
  kind: BodyKind;
  /** Sent even when no body argument is given (`{}` then). */
  required?: boolean;
  /** The whole body is this argument; else `properties` says which arguments make it. */
  argument?: string;
  properties?: BodyPropertyBinding[];
  /** Properties that an optional body must have once any of them is given. */
  requiredTogether?: string[];
  /** Fewest properties of a body that is sent. */
  minProperties?: number;
  /** The argument of a body of text: bytes when it is a `data:` URI or names a file, else text. */
  mayBeFile?: boolean;
  /** Absent: the one argument of an XML body is the document as text. */
  xml?: XmlBodyBinding;
  alternatives?: string[];
  /** Members of the arguments that only answers have: they are accepted, and not sent. */
  readOnly?: ReadOnlyMembers;
}

export interface ReadOnlyMembers {
  names?: string[];
  properties?: Record<string, ReadOnlyMembers>;
  items?: ReadOnlyMembers;
  /** Read-only members of members whose names match a pattern. Null: only answers have them. */
  patterns?: Record<string, ReadOnlyMembers | null>;
  /** Read-only members of each value of a map that has no entry in `properties` or `patterns`. */
  values?: ReadOnlyMembers;
}

/** All schemes of a requirement must be satisfied; one requirement is enough. Values are scopes. */
export type SecurityRequirement = Record<string, string[]>;

export interface ServerBinding {
  url: string;
  name?: string;
  description?: string;
  /** Without a default the environment must set the value. */
  variables?: Record<string, { default?: string; enum?: string[] }>;
}

/** Members by name. `true`: all that is below. Lists are transparent: they have the names of their items. */
export type MemberNames = true | { [name: string]: MemberNames };

export interface ResultBinding {
  /** The media types of answers; requests send them as `Accept`. */
  accept?: string[];
  /** The output schema wraps a non-object answer as `{ result }`. */
  wrapped?: boolean;
  /** By status (`200`, `2XX`, `default`): declared headers that results show, in lower case. `TOLD` ones are always shown. */
  headers?: Record<string, string[]>;
  /** Members of a JSON answer that tools return. Default: all. */
  select?: Record<string, MemberNames>;
  drop?: Record<string, MemberNames>;
  /** The argument that names the members wanted, and those that answers have: `true` is an open object. */
  fields?: FieldsBinding;
}

export interface FieldsBinding {
  argument: string;
  names: MemberNames;
  wrapped?: boolean;
}

export interface HttpBinding {
  kind: 'http';
  api?: string;
  /** In upper case. */
  method: string;
  path: string;
  /** The document's operationId, if the item has another name: `--include op:…` matches either. */
  operationId?: string;
  parameters: ParameterBinding[];
  body?: BodyBinding;
  /** Values of arguments that the server itself has. */
  known?: Record<string, KnownArgument>;
  result?: ResultBinding;
  servers?: ServerBinding[];
  security?: SecurityRequirement[];
  /** Schemes whose credentials are sent too, if they are set. Default: those of the API if nothing says `security`. */
  ifSet?: string[];
}

/** An argument whose value is known before the call: the variable's, else `value`. */
export interface KnownArgument {
  value?: Json;
  env?: string;
  isJson?: boolean;
  /** The client's value wins. */
  isDefault?: boolean;
}

export interface FunctionBinding {
  kind: 'function';
  /** Below the project's `src/`: `app/weather.ts`. */
  module: string;
  /** `default` too; of a method, its class or object. */
  export: string;
  method?: string;
  /** Argument → parameter or property, where the names differ; for a completion, of the other arguments. */
  properties?: Record<string, string>;
  checks?: SchemaCheck[];
  result?: FunctionResultBinding;
}

/** An exported schema of a library, which checks what its codec leaves as JSON, and makes the value of it. */
export interface SchemaCheck extends Pick<FunctionBinding, 'module' | 'export'> {
  /** The argument that the schema checks. Default: all arguments, as one object. */
  argument?: string;
  optional?: boolean; // an absent argument is left to the function
}

interface FunctionResultBinding {
  /**
   * `json`: data, even if it looks like content. `full`: a full result, by its codec. `text`, `bytes`: of `mimeType`. Default
   * `content`: MCP content, messages or contents; any other value is data. `nothing`: as `content`, but with `--mock`.
   */
  as?: 'json' | 'content' | 'full' | 'text' | 'bytes' | 'nothing';
  mimeType?: string;
  wrapped?: boolean;
}

export type Binding = HttpBinding | FunctionBinding;

export interface ToolReference {
  kind: 'tool';
  name: string;
}

export interface ToolBinding {
  do: Binding;
  /** Runs before the function, and before the call becomes a task. Its result is passed to the function as arguments. */
  prepare?: FunctionBinding;
  scopes?: string[];
  tags?: string[];
  /** The whole input schema where the catalog lists less; `$defs` that are absent are among `schemas`. */
  input?: ObjectSchema;
}

export interface ResourceBinding {
  do: Binding | ToolReference;
  list?: FunctionBinding;
  scopes?: string[];
  /** Absent for a `ToolReference`, which has the tool's. */
  tags?: string[];
  /** Template variable → argument, where the two differ. */
  variables?: Record<string, string>;
  schemas?: Record<string, JsonSchema>;
}

/** `{{name}}` is replaced by an argument's value. */
export interface PromptMessageBinding {
  role: 'user' | 'assistant';
  text: string;
}

export type PromptBinding = ({ kind: 'template'; messages: PromptMessageBinding[] } | FunctionBinding) & {
  scopes?: string[];
};

export interface CompletionBinding {
  ref: { kind: 'prompt'; name: string } | { kind: 'resource'; uri: string };
  argument: string;
  from: { kind: 'values'; values: string[] } | FunctionBinding;
}

/** Credentials of one OpenAPI security scheme: the environment variables that hold them. */
export type SecuritySchemeBinding =
  | { type: 'apiKey'; in: 'query' | 'header' | 'cookie'; name: string; env: { key: string } }
  | { type: 'basic'; env: { username: string; password: string } }
  | { type: 'bearer'; env: { token: string } }
  /** Another scheme of HTTP, in the document's spelling: `Authorization: <scheme> <value>`. */
  | { type: 'http'; scheme: string; env: { authorization: string } }
  | {
      type: 'oauth2';
      /** Absent without a client-credentials flow: without `metadataUrl` too, only a ready token can be used. */
      tokenUrl?: string;
      metadataUrl?: string;
      env: { token: string; clientId: string; clientSecret: string; scopes: string };
    }
  /** Each variable holds PEM, or the path of a file that does. */
  | { type: 'mutualTLS'; env: { cert: string; key: string; passphrase: string } }
  /** Nothing is sent (an HTTP scheme that no ready value serves, such as Digest). */
  | { type: 'unsupported'; reason: string };

export interface UpstreamBinding {
  /** One of several APIs, also in its variables (`API_BASE_URL_<NAME>`). In upper case. */
  name?: string;
  /** The first is used unless the environment chooses another. Empty when the document names none. */
  servers: ServerBinding[];
  otherServers?: ServerBinding[];
  security?: SecurityRequirement[];
  /** `ifSet` of operations for which nothing says `security`. */
  ifSet?: string[];
  /** Fixed headers: `${NAME}` is a variable of the environment. */
  headers?: Record<string, string>;
  securitySchemes: Record<string, SecuritySchemeBinding>;
  /** Variables whose values are sent as arguments → names of these on the wire. */
  argumentVariables?: Record<string, string[]>;
}

export interface OperationBinding {
  do: HttpBinding;
  input: ObjectSchema;
  scopes?: string[];
}

export interface Bindings {
  upstream?: UpstreamBinding;
  /** Replaces `upstream` if there are several APIs. Each has a name. */
  upstreams?: UpstreamBinding[];
  tools: Record<string, ToolBinding>;
  resources: Record<string, ResourceBinding>;
  resourceTemplates: Record<string, ResourceBinding>;
  prompts: Record<string, PromptBinding>;
  completions: CompletionBinding[];
  /** Whole schemas of inputs that the catalog lists less of. Absent: it lists the whole of each. */
  schemas?: Record<string, JsonSchema>;
  /** Functions that run in this order, before the first message is read. */
  started?: FunctionBinding[];
  /** Operations that are no tools, by source and operationId. */
  operations?: Record<string, Record<string, OperationBinding>>;
  /** Operations that were left out when compiling: selectors that fit only these are no mistakes. */
  deselected?: Selectable[];
}

/** The source of an API in `context.api`: the API `RAIL` is `rail`. */
export function sourceNameOfApi(api: string): string {
  return api.toLowerCase();
}

/** Texts of a tool that selectors of each kind are compared with. */
export type Selectable = Readonly<Record<'tag' | 'path' | 'op' | 'method', readonly string[]>>;

type Upstreams = Pick<Bindings, 'upstream' | 'upstreams'>;

export function listApis({ upstream, upstreams = [] }: Upstreams): UpstreamBinding[] {
  return upstream === undefined ? upstreams : [upstream];
}

export function findApi(bindings: Upstreams, { api }: Pick<HttpBinding, 'api'>): UpstreamBinding {
  const found = listApis(bindings).find(({ name }) => name === api);
  return found ?? { servers: [], securitySchemes: {}, ...omitUndefined({ name: api }) };
}

const NO_SCHEMES: readonly string[] = [];

export function listSchemesUsedIfSet(
  api: Pick<UpstreamBinding, 'security' | 'ifSet'>,
  { ifSet, security = api.security }: Pick<HttpBinding, 'security' | 'ifSet'>,
): readonly string[] {
  return ifSet ?? (security === undefined ? (api.ifSet ?? NO_SCHEMES) : NO_SCHEMES);
}
