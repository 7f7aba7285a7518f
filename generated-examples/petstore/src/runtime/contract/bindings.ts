// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/**
 * The data of `src/generated/bindings.json`: how each listed item does its work. Data, never code.
 * The compiler's model uses these very types, so that the two sides cannot drift apart.
 */
import { definedMembers } from './json-value.ts';
import type { Codec, JsonSchema, ObjectSchema } from './json-schema.ts';

/** Where an OpenAPI parameter travels (`querystring` since OpenAPI 3.2). */
export type ParameterLocation = 'path' | 'query' | 'header' | 'cookie' | 'querystring';

/** The serialisation styles of OpenAPI 3.x (Parameter Object, "Style Values"). */
export type ParameterStyle =
  'simple' | 'label' | 'matrix' | 'form' | 'spaceDelimited' | 'pipeDelimited' | 'deepObject' | 'cookie';

/** Separates the items of a list where no style does (Swagger 2.0 `collectionFormat`). */
export type ItemSeparator = ',' | ' ' | '\t' | '|';

/** One argument of a tool, bound to one OpenAPI parameter. */
export interface ParameterBinding {
  /** The tool's argument. */
  argument: string;
  /** The name on the wire; may hold characters an argument name may not (`ids[]`, `$top`). */
  name: string;
  in: ParameterLocation;
  /** Default: the location's (`simple` for path and header, `form` for query and cookie). */
  style?: ParameterStyle;
  /**
   * Default: true for `form`, `cookie` and `deepObject`, else false. For `label`, absent joins by `.` (the tables of
   * OpenAPI 3.0.0–3.0.3 and 3.1.0), false by `,` (3.0.4, 3.1.1 and later).
   */
  explode?: boolean;
  /** Replaces the separator of the style in a list that is not exploded; for `simple` and `form`. */
  separator?: ItemSeparator;
  /** Separators of lists inside the list, the outer first. Default: a list inside a list is JSON. */
  itemSeparators?: ItemSeparator[];
  /** Reserved characters of RFC 3986 stay as they are. Default false. */
  allowReserved?: boolean;
  /** An empty value is sent as `name=`. Default false. */
  allowEmptyValue?: boolean;
  /** The parameter is described by `content`: the value is written in this media type, not by style. */
  mediaType?: string;
  /** Encodings by property, if `mediaType` is `application/x-www-form-urlencoded`. */
  encoding?: Record<string, EncodingBinding>;
}

/**
 * How the parts of a multipart body are written, or those of a part that is multipart itself; of a form, `encoding`
 * alone. An object has parts by name, a list by position (OpenAPI 3.2, "Encoding Usage and Restrictions").
 */
export interface PartsBinding {
  encoding?: Record<string, EncodingBinding>;
  /** Encodings of the first parts of a list, one each. */
  prefixEncoding?: EncodingBinding[];
  /** The encoding of all further parts of a list. */
  itemEncoding?: EncodingBinding;
  /** The parts that the document describes, by name, if the body is one argument. */
  parts?: Record<string, PartBinding>;
  /** The first parts of a list. */
  prefixParts?: PartBinding[];
  /** All other parts. Default `mayBeFile`. */
  otherParts?: PartBinding;
}

/**
 * How one property of a form or multipart body, or one part of a list, is written (OpenAPI Encoding Object). Its own
 * parts are those of a value whose `contentType` is multipart or a form.
 */
export interface EncodingBinding extends PartsBinding {
  /** The name that the document's `Content-Disposition` gives to a part of a list that is a form. */
  name?: string;
  contentType?: string;
  style?: ParameterStyle;
  explode?: boolean;
  /** The separator, as in a parameter. */
  separator?: ItemSeparator;
  /** The separators of items, as in a parameter. */
  itemSeparators?: ItemSeparator[];
  allowReserved?: boolean;
  /** An empty list is sent as one empty value (Swagger 2.0). Default false. */
  allowEmptyValue?: boolean;
  /** How an object is written, where `contentType` is one of XML. */
  xml?: XmlBodyBinding;
  /** Headers of a multipart part with a fixed value. */
  headers?: Record<string, string>;
}

/** How the value of a property, or each item of its list, becomes a part of a multipart body. */
export interface PartBinding {
  /** Bytes: base64 or a `data:` URI. Default false. */
  binary?: boolean;
  /**
   * The document does not say whether it is a file: a `data:` URI or the name of a file is sent as bytes, anything else
   * as it is. Default false.
   */
  mayBeFile?: boolean;
  /** Its text is in this encoding already, in lower case (JSON Schema, `contentEncoding`). */
  contentEncoding?: string;
}

/** One property of a flattened body. */
export interface BodyPropertyBinding extends PartBinding {
  argument: string;
  /** The property's name in the body. */
  name: string;
}

/** The kinds of XML node a value can become (OpenAPI 3.2, XML Object, "XML Node Types"). */
export type XmlNodeType = 'element' | 'attribute' | 'text' | 'cdata' | 'none';

/** How a value is written as XML: the XML Objects of its schema, every version's in the words of 3.2. */
export interface XmlNodeBinding {
  /** Default: `none` for a list, whose items follow each other, else `element`. */
  nodeType?: XmlNodeType;
  /** Default: the name of the member; for items, the name of their list. */
  name?: string;
  prefix?: string;
  namespace?: string;
  /** Members, in the order in which they are written. */
  properties?: Record<string, XmlNodeBinding>;
  /** All other members. Default: elements. */
  others?: XmlNodeBinding;
  items?: XmlNodeBinding;
  prefixItems?: XmlNodeBinding[];
  /** The node that the value becomes inside this one, if that is a node of its own. */
  content?: XmlNodeBinding;
  /** The name of a member of `schemas`, which supplies the members that are absent here. */
  ref?: string;
}

/** A body that is XML made from JSON values. */
export interface XmlBodyBinding {
  /** The element that is the document. */
  root: XmlNodeBinding;
  /** Nodes by the names that `ref` uses. */
  schemas?: Record<string, XmlNodeBinding>;
}

/** The media families that decide how a body is written. */
export type BodyKind = 'json' | 'form' | 'multipart' | 'text' | 'xml' | 'binary';

export interface BodyBinding extends PartsBinding {
  /** The document's media type, as written. */
  mediaType: string;
  kind: BodyKind;
  /** Sent even when no body argument is given (`{}` then). Default false. */
  required?: boolean;
  /** The whole body is this argument; else `properties` says which arguments make it. */
  argument?: string;
  properties?: BodyPropertyBinding[];
  /** Properties a body must have once any of them is given; only for an optional body. */
  requiredTogether?: string[];
  /** The argument of a body of text: bytes when it is a `data:` URI or names a file, else text. Default false. */
  mayBeFile?: boolean;
  /** How an XML body is made; without it, its one argument is the document as text. */
  xml?: XmlBodyBinding;
  /** Other media types the document offers for this body, in its order. */
  alternatives?: string[];
}

/** All schemes of one requirement must be satisfied; of several requirements, one is enough. Values are scopes. */
export type SecurityRequirement = Record<string, string[]>;

/** A server URL template with its variables (OpenAPI Server Object). */
export interface ServerBinding {
  url: string;
  /** A name by which the server can be chosen, besides its URL (`name` since OpenAPI 3.2). */
  name?: string;
  description?: string;
  /** Without a default the environment must set the value. */
  variables?: Record<string, { default?: string; enum?: string[] }>;
}

/** How a success answer is turned into a tool result. */
export interface ResultBinding {
  /** Media types of the success answers in the document's order; also sent as `Accept`. */
  accept?: string[];
  /** The output schema wraps a non-object answer as `{ result }`. Default false. */
  wrapped?: boolean;
}

/** A tool, resource or template that is one HTTP request to the upstream API. */
export interface HttpBinding {
  kind: 'http';
  /** Name of the API, where the server has several. Default: it has one. */
  api?: string;
  /** The method as it is sent, in upper case unless the document says otherwise (`additionalOperations`). */
  method: string;
  /** OpenAPI path template: `/pets/{petId}`. */
  path: string;
  /** The document's operationId, if the item has another name: `--include op:…` matches either. */
  operationId?: string;
  parameters: ParameterBinding[];
  body?: BodyBinding;
  result?: ResultBinding;
  /** Replaces the API's servers for this operation. */
  servers?: ServerBinding[];
  /** Replaces the API's security for this operation; `[]` is none. */
  security?: SecurityRequirement[];
}

/** A call of an exported function that an item, or a part of it, consists of. */
export interface FunctionBinding {
  kind: 'function';
  /** Path of the module below the project's `src/`: `app/weather.ts`. */
  module: string;
  /** Name of the export, `default` too; of a method, its class or object. */
  export: string;
  method?: string;
  /** The owner of the method: one instance for the process, or one for each session. Default: the export itself. */
  instance?: 'process' | 'session';
  /** `object`: one argument object; else the arguments' names in positional order. */
  parameters: 'object' | string[];
  /** Position at which the `Context` is passed. Default: it is not. */
  contextAt?: number;
  /** Members of the argument object that are the `Context`. Default none. */
  contextIn?: string[];
  /** The last of `parameters` is a list, whose items are passed one by one. Default false. */
  rest?: boolean;
  /**
   * Argument → parameter, or property of the argument object, where the two differ; for a completion, of the other
   * arguments.
   */
  properties?: Record<string, string>;
  /** Schema of the arguments of an item that lists no schema: a resource template, a prompt. */
  input?: ObjectSchema;
  /**
   * The function is a generator: it yields progress and returns the result. `items`: an async generator that returns
   * nothing; the list of the yielded values is the result. Default false.
   */
  streams?: boolean | 'items';
  /** How the arguments, as one object, are revived. Default: they stay as JSON has them. */
  argumentCodec?: Codec;
  result?: FunctionResultBinding;
}

/** How the value that a function returns becomes a result. */
interface FunctionResultBinding {
  /**
   * `json`: data, even if it looks like content. `content`: MCP content, messages or contents; any other value is data.
   * `full`: a full result, by its codec. `text`, `bytes`: content of the given media type. Default `content`.
   */
  as?: 'json' | 'content' | 'full' | 'text' | 'bytes';
  /** The media type of `text` and `bytes`. */
  mimeType?: string;
  /** The output schema wraps the value as `{ result }`. Default false. */
  wrapped?: boolean;
  /** How the value becomes JSON. Default: as it is. */
  codec?: Codec;
}

export type { Codec };

export type Binding = HttpBinding | FunctionBinding;

/** Refers to the binding of a listed tool, so that it is written only once. */
export interface ToolReference {
  kind: 'tool';
  name: string;
}

export interface ToolBinding {
  do: Binding;
  /**
   * Runs before the function, and before a task is made of the call. Its result is passed to the function as arguments.
   */
  prepare?: FunctionBinding;
  /** OAuth scopes a caller needs. Default none. */
  scopes?: string[];
  /** Tags of the source, for `--include tag:…` when the server starts. Default none. */
  tags?: string[];
}

/** A resource or a resource template: the request (or function) that reads it. */
export interface ResourceBinding {
  do: Binding | ToolReference;
  /** Lists the resources of a template. Default: they are not listed. */
  list?: FunctionBinding;
  scopes?: string[];
  /** Tags of the source; a `ToolReference` has the tool's. Default none. */
  tags?: string[];
  /** Template variable → argument, where the two differ. */
  variables?: Record<string, string>;
  /** Schemas of the template's variables by argument, used to revive strings. */
  schemas?: Record<string, JsonSchema>;
}

/** One message of a prompt written in the document. `{{name}}` is replaced by an argument's value. */
export interface PromptMessageBinding {
  role: 'user' | 'assistant';
  text: string;
}

export type PromptBinding = ({ kind: 'template'; messages: PromptMessageBinding[] } | FunctionBinding) & {
  /** OAuth scopes a caller needs. Default none. */
  scopes?: string[];
};

/** The source of the completions of one argument. */
export interface CompletionBinding {
  /** A prompt's name, or a resource template's URI template. */
  ref: { kind: 'prompt'; name: string } | { kind: 'resource'; uri: string };
  argument: string;
  /** Fixed values (an enum's members, `true`/`false`), or the function that finds them. */
  from: { kind: 'values'; values: string[] } | FunctionBinding;
}

/** Credentials of one OpenAPI security scheme, and the environment variables that hold them. */
export type SecuritySchemeBinding =
  | { type: 'apiKey'; in: 'query' | 'header' | 'cookie'; name: string; env: { key: string } }
  | { type: 'basic'; env: { username: string; password: string } }
  | { type: 'bearer'; env: { token: string } }
  /** Another scheme of HTTP, in the document's spelling: `Authorization: <scheme> <value>`. */
  | { type: 'http'; scheme: string; env: { authorization: string } }
  | {
      type: 'oauth2';
      /** Present when the scheme has a client-credentials flow; without it and `metadataUrl` only a ready token can be used. */
      tokenUrl?: string;
      /**
       * The URL of metadata with the token endpoint: `openIdConnectUrl`, or `oauth2MetadataUrl` without a token URL.
       */
      metadataUrl?: string;
      env: { token: string; clientId: string; clientSecret: string; scopes: string };
    }
  /** A client certificate; each variable holds PEM, or the path of a file that does. */
  | { type: 'mutualTLS'; env: { cert: string; key: string; passphrase: string } }
  /** Known, but nothing is sent (an HTTP scheme that no ready value serves, such as Digest). */
  | { type: 'unsupported'; reason: string };

/** The API behind the server. */
export interface UpstreamBinding {
  /** Identifies one of several APIs, also in its variables (`API_BASE_URL_<NAME>`). In upper case. */
  name?: string;
  /** The document's servers; the first is used unless the environment chooses another. Empty when it names none. */
  servers: ServerBinding[];
  /** Servers of single operations at other hosts than the API's, one for each host. Default none. */
  otherServers?: ServerBinding[];
  /** The API's default security. Default none. */
  security?: SecurityRequirement[];
  securitySchemes: Record<string, SecuritySchemeBinding>;
}

/** `src/generated/bindings.json`. */
export interface Bindings {
  upstream?: UpstreamBinding;
  /** Replaces `upstream` if there are several APIs. Each has a name. */
  upstreams?: UpstreamBinding[];
  /** Bindings by tool name. */
  tools: Record<string, ToolBinding>;
  /** Bindings by URI. */
  resources: Record<string, ResourceBinding>;
  /** Bindings by URI template (RFC 6570). */
  resourceTemplates: Record<string, ResourceBinding>;
  /** Bindings by prompt name. */
  prompts: Record<string, PromptBinding>;
  completions: CompletionBinding[];
  /** Codecs by the names that `ref` uses. Default none. */
  codecs?: Record<string, Codec>;
  /** Functions that run once, in this order, before the first message is read. Default none. */
  started?: FunctionBinding[];
}

/** The APIs behind a server: one as a rule, several where it was compiled from several documents. */
type Upstreams = Pick<Bindings, 'upstream' | 'upstreams'>;

/** Lists the APIs of a server in the order of their documents. */
export function listApis({ upstream, upstreams = [] }: Upstreams): UpstreamBinding[] {
  return upstream === undefined ? upstreams : [upstream];
}

/** The API that a binding calls. */
export function findApi(bindings: Upstreams, { api }: Pick<HttpBinding, 'api'>): UpstreamBinding {
  const found = listApis(bindings).find(({ name }) => name === api);
  return found ?? { servers: [], securitySchemes: {}, ...definedMembers({ name: api }) };
}

/** Names from a document as parts of environment variables: `my-Scheme1` is `MY_SCHEME1`; camelCase is not split. */
export function environmentName(text: string): string {
  return text.replace(/[^A-Za-z0-9]/g, '_').toUpperCase();
}

/** The environment variable of an API; one of several APIs has its name in it: `API_BASE_URL_<NAME>`. `end` is its last part. */
export function apiVariable(variable: 'API_BASE_URL' | 'API_SERVER', api?: string, end?: string): string {
  return [variable, api, end].filter((part) => part !== undefined).join('_');
}

/** The environment variable that sets a variable of a server's URL. */
export function serverVariable(name: string, api?: string): string {
  return apiVariable('API_SERVER', api, environmentName(name));
}
