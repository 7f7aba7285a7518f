/** The data of `src/generated/bindings.json`: how each listed item does its work. An absent flag is false. */
import { omitUndefined } from '../util/collections.ts';
import type { Json, JsonObject, JsonSchema, ObjectSchema } from '../util/json-schema.ts';
import type { Codec } from './codec.ts';

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

/** The parts of a multipart body by name; of a form, `encoding` alone. */
export interface PartsBinding {
  encoding?: Record<string, EncodingBinding>;
  parts?: Record<string, PartBinding>;
  /** For members that `parts` does not name, and for items. Default `{ mayBeFile: true }`. */
  otherParts?: PartBinding;
}

/** OpenAPI, Encoding Object. */
export interface EncodingBinding extends StyleBinding {
  contentType?: string;
  /** An empty list is sent as one empty value (Swagger 2.0). */
  allowEmptyValue?: boolean;
  xml?: XmlBodyBinding;
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

/** OpenAPI 3.2, XML Object, "XML Node Types". */
export type XmlNodeType = 'element' | 'attribute' | 'text' | 'cdata' | 'none';

export interface XmlNodeBinding {
  /** Default: `none` for a list, whose items follow each other, else `element`. */
  nodeType?: XmlNodeType;
  /** Default: the name of the member; for items, the name of their list. */
  name?: string;
  prefix?: string;
  namespace?: string;
  properties?: Record<string, XmlNodeBinding>;
  others?: XmlNodeBinding;
  items?: XmlNodeBinding;
  prefixItems?: XmlNodeBinding[];
  /** The node that the value becomes inside this one, if that is a node of its own. */
  content?: XmlNodeBinding;
  /** The member of `schemas` that supplies what is absent here. */
  ref?: string;
}

export interface XmlBodyBinding {
  root: XmlNodeBinding;
  schemas?: Record<string, XmlNodeBinding>;
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
  /** Read-only members of each value of a map that has no entry in `properties`. */
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
  /** Results show `ETag` and `Last-Modified`: an operation of the API takes them. */
  showsVersion?: boolean;
  /** By status (`200`, `2XX`, `default`): declared headers that results show, in lower case. `USEFUL_HEADERS` ones need no mention. */
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

/** When the user is asked before a call: if it may delete or overwrite data, or always. */
export type ConfirmRule = 'destructive' | 'always';

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
  /** Beside those of its API, which they replace: `${NAME}` is a variable of the environment. */
  headers?: Record<string, string>;
  timeoutMs?: number;
  confirm?: ConfirmRule;
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
  /** The owner of the method: one for the process, or for each session. Default: the export itself. */
  instance?: 'process' | 'session';
  /** `object`: one argument object; else the arguments' names in positional order. */
  parameters: 'object' | string[];
  contextAt?: number;
  contextIn?: string[];
  /** The last of `parameters` is a list, whose items are passed one by one. */
  rest?: boolean;
  input?: ObjectSchema;
  /** A generator, which yields progress and returns the result. `items`: its yielded values are the result. */
  streams?: boolean | 'items';
  /** Names of error classes whose messages the caller may see. */
  throws?: string[];
  confirm?: ConfirmRule;
  argumentCodec?: Codec;
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
  codec?: Codec;
  sample?: Json; // of a resource, for `--mock`
}

/** A workflow, which the feature `workflows` runs. */
export interface StepsBinding {
  kind: 'steps';
  workflow: string;
  /** As in `docs/steps.md`. Each calls a tool. */
  steps: JsonObject[];
  result: Json;
}

export type Binding = HttpBinding | FunctionBinding;

export interface ToolReference {
  kind: 'tool';
  name: string;
}

export interface ToolBinding {
  do: Binding | StepsBinding;
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

/** Where a person signs in, for the feature `login`. */
export interface LoginBinding {
  /** Of the flow with an authorization code. */
  authorizationUrl?: string;
  /** Of the flow for devices. */
  deviceAuthorizationUrl?: string;
  tokenUrl?: string;
  /** Metadata of the authorization server, which name what is absent. */
  metadataUrl?: string;
  issuer?: string;
  /** Sent to the authorization server (RFC 8707). */
  resource?: string;
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
      /** Absent without the feature `login`. */
      login?: LoginBinding;
      /** What brings its credentials, if that is not what its type says. */
      source?: 'login';
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
  codecs?: Record<string, Codec>;
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
