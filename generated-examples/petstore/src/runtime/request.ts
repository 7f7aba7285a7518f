// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Makes the request of a binding and arguments (OpenAPI 3.2, "Style Values"). Nothing is sent here. */
import type { Agent } from 'node:http';
import type { CredentialSource } from './credentials.ts';
import { isRecord, ownMember, writeJson } from './json-rpc.ts';
import { type ApiBinding, type ApiServer, type Args, type Body, type Env } from './types.ts';
import { type HttpBinding, type Parameter, ToolError } from './types.ts';

/** A request that can be sent. Names of headers are in lower case. */
export interface ApiRequest {
  method: string;
  url: URL;
  headers: Map<string, string>;
  body?: string | Uint8Array | undefined;
  /** The operation that is called. Absent: the request is for a token, or follows a redirect. */
  operation?: HttpBinding | undefined;
  /** Makes the connection: features have some for proxies and client certificates. */
  agent?: Agent | undefined;
}

/** An API, and what the operator and features bring for its requests. */
export interface ApiSetup {
  api: ApiBinding;
  env: Env;
  baseUrl?: string | undefined;
  /** Of every request, of the operator. They win over arguments. */
  headers?: readonly (readonly [name: string, value: string])[];
  userAgent: string;
  /** By style: texts of a path, or pairs of a query. */
  parameters: Readonly<Record<string, ParameterWriter>>;
  /** By kind. */
  bodies: Readonly<Record<string, BodyWriter>>;
  credentials: Readonly<Record<string, CredentialSource>>;
}
/** Undefined leaves the parameter to the core. */
export type ParameterWriter = (parameter: Parameter, value: unknown, setup: ApiSetup) => string[] | undefined;
/** `args` has at least one argument of the body, or the body is required. Undefined leaves it to the core. */
export type BodyWriter = (body: Body, args: Args, setup: ApiSetup) => WrittenBody | undefined;
export interface WrittenBody {
  contentType: string;
  content: string | Uint8Array;
}

/** The connection alone sets these, even if a document declares them. */
export const CONNECTION_HEADERS =
  /^(?:connection|content-length|expect|host|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade)$/i;

export function makeRequest(binding: HttpBinding, args: Args, setup: ApiSetup): ApiRequest {
  const headers = new Map([
    ['accept', acceptOf(binding)],
    ['accept-encoding', 'gzip, br'],
    ['user-agent', setup.userAgent],
  ]);
  const query: string[] = [];
  const cookies: string[] = [];
  const inPath = new Map<string, string>();
  for (const parameter of binding.parameters) {
    const { argument, name, in: place } = parameter;
    const value = ownMember(args, argument);
    if (value === undefined) continue;
    const texts = writeParameter(parameter, value, setup);
    if (place === 'path') inPath.set(name, texts.join(''));
    else if (place === 'query' || place === 'querystring') query.push(...texts);
    else if (place === 'cookie') cookies.push(...texts);
    else if (texts.length > 0 && !CONNECTION_HEADERS.test(name)) setHeader(headers, name, texts.join(''));
  }
  if (cookies.length > 0) setHeader(headers, 'cookie', cookies.join('; '));
  const url = chooseServer(setup);
  if (url.username !== '') headers.set('authorization', `Basic ${encodeUser(url)}`);
  const [path = '', fixedQuery] = expandPath(binding, inPath).split('?', 2);
  // Documents may distinguish operations by a query in the path. Each name is sent once.
  if (fixedQuery !== undefined) {
    const nameOf = (pair: string): string => pair.replace(/=.*/s, '');
    const names = new Set(query.map(nameOf));
    query.unshift(...fixedQuery.split('&').filter((pair) => !names.has(nameOf(pair))));
  }
  url.pathname = url.pathname.replace(/\/+$/, '') + path;
  url.search = [url.search.slice(1), ...query].filter(Boolean).join('&');
  url.username = url.password = '';
  const body = binding.body && makeBody(binding.body, args, setup);
  if (body !== undefined) setHeader(headers, 'content-type', body.contentType);
  for (const [name, value] of setup.headers ?? []) setHeader(headers, name, value);
  return { method: binding.method, url, headers, body: body?.content, operation: binding };
}

export function encodeUser({ username, password }: URL): string {
  return Buffer.from(`${decodePercent(username)}:${decodePercent(password)}`).toString('base64');
}

/** A text with a plain `%` stays as it is. */
export function decodePercent(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** JSON is preferred: it alone becomes `structuredContent`. */
function acceptOf({ result }: HttpBinding): string {
  const { accept = [] } = result ?? {};
  if (accept.length === 0) return 'application/json, */*;q=0.8';
  const quality = accept.some(isJsonType) ? ';q=0.9' : '';
  return accept.map((type) => (isJsonType(type) ? type : type + quality)).join(', ');
}

export function essence(mediaType: string): string {
  return mediaType.split(';', 1)[0]?.trim().toLowerCase() ?? '';
}

/** JSON is also known by old names and by its suffix (RFC 6839, section 3.1). */
export function isJsonType(mediaType: string): boolean {
  return /^[^/]+\/(?:(?:x-)?json|[^/]+\+json(?:-?patch)?)$/.test(essence(mediaType));
}

/** Also XML, YAML, code, forms and lines of JSON, which are not called `text/…`. */
export function isTextType(mediaType: string): boolean {
  const type = essence(mediaType);
  return /^text\/|[/+](?:x-)?(?:xml|yaml|(?:java|ecma)script|x-www-form-urlencoded|graphql|toml|sql|ndjson|jsonl|json-?seq)$/.test(
    type,
  );
}

/** A line break would start another header. Text beyond ASCII travels as UTF-8. */
export function setHeader(headers: Map<string, string>, name: string, value: string): void {
  const text = Buffer.from(value).toString('latin1');
  if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name) || /[^\t\x20-\x7E\x80-\xFF]/.test(text))
    throw new ToolError(
      `Header "${name}" can't be sent: it must not hold line breaks or control characters.`,
    );
  headers.set(name.toLowerCase(), text);
}

// The address.

type Place = Pick<ApiSetup, 'api' | 'env' | 'baseUrl'>;

/** `API_BASE_URL` replaces every server of the document, so that test calls never reach the real API. */
export function chooseServer(place: Place): URL {
  const { api, env, baseUrl } = place;
  const variable = apiVariable(api, 'API_BASE_URL');
  const [server] = api.servers;
  const url = baseUrl || env[variable] || (server === undefined ? '' : fillVariables(server, place));
  if (URL.canParse(url) && /^https?:/i.test(url)) return new URL(url);
  throw new ToolError(`The API has no absolute URL. Set ${variable} in the environment of this MCP server.`);
}

/** Of several APIs, each has variables of its own: `API_BASE_URL_RAIL`. */
export function apiVariable({ name }: Pick<ApiBinding, 'name'>, variable: string, part?: string): string {
  const end = part?.replace(/[^A-Za-z0-9]/g, '_').toUpperCase();
  return [variable, name, end].filter((text) => text !== undefined).join('_');
}

export function fillVariables({ url, variables }: ApiServer, { api, env }: Place): string {
  return url.replace(/\{([^{}]+)\}/g, (_, name: string) => {
    const { default: defaultValue, enum: choices } = ownMember(variables, name) ?? {};
    const setting = apiVariable(api, 'API_SERVER', name);
    const value = env[setting] || defaultValue;
    if (value !== undefined && choices?.includes(value) !== false) return value;
    const oneOf = choices === undefined ? '' : ` to one of ${choices.join(', ')}`;
    throw new ToolError(`The API's URL ${url} needs {${name}}: set ${setting}${oneOf}.`);
  });
}

/** Also percent-encoded more than once, since a server behind another one may decode again, and `..;x` of Java servers. */
const DOT_SEGMENT = /(?:^|[/?#]|%(?:25)*(?:2f|5c))(?:\.|%(?:25)*2e){1,2}(?:$|[/?#;]|%(?:25)*(?:2f|3b|5c))/i;

/** Arguments must not leave the operation: `DELETE /pets/{petId}` must not become `DELETE /pets/` or `/pets/..`. */
function expandPath(binding: HttpBinding, values: ReadonlyMap<string, string>): string {
  const path = binding.path.replace(/\{([^{}]+)\}/g, (_, name: string) => {
    const text = values.get(name) ?? '';
    // Servers collapse slashes, so a value of slashes alone counts as empty.
    if (!/^\/*$/.test(text)) return text;
    const parameter = binding.parameters.find((one) => one.in === 'path' && one.name === name);
    throw new ToolError(
      `Refused: the path ${binding.path} needs a value for "${parameter?.argument ?? name}".`,
    );
  });
  if (DOT_SEGMENT.test(path))
    throw new ToolError(`Refused: an argument makes a segment "." or ".." of the path ${binding.path}.`);
  // A fragment is never sent (RFC 9110, section 7.1).
  return path.replace(/#.*/s, '').replace(/[^\x21-\x7E]|["<>\\^`{|}]/gu, encode);
}

// Values.

export type Encode = (text: string) => string;

/** RFC 3986, section 2.3: everything but unreserved characters. */
export function encode(text: string): string {
  const escape = (character: string): string => `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
  return encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\uFFFD')).replace(/[!'()*]/g, escape);
}

export function print(value: unknown): string {
  if (typeof value === 'object' && value !== null) return writeJson(value);
  if (value === null || value === undefined) return '';
  // No API reads an integer in scientific notation (`1e21`).
  return typeof value === 'number' && Number.isInteger(value) ? BigInt(value).toString() : String(value);
}

/** One text for a path or header, `name=value` pairs for a query or cookie. Styles other than `simple` and `form` are a feature's. */
function writeParameter(parameter: Parameter, value: unknown, setup: ApiSetup): string[] {
  const { name, in: place, mediaType, explode } = parameter;
  const isPair = place === 'query' || place === 'cookie';
  const style = mediaType === undefined ? (parameter.style ?? (isPair ? 'form' : 'simple')) : 'content';
  const writer = ownMember(setup.parameters, place === 'querystring' ? place : style);
  const written = writer?.(parameter, value, setup);
  if (written !== undefined) return written;
  if (isPair) return writePairs(name, value, explode, encode);
  // Headers are not percent-encoded.
  const encodeValue = place === 'header' ? String : encode;
  const parts = listParts(value, explode === true, encodeValue, encodeValue);
  return parts.length === 0 ? [] : [parts.join(',')];
}

/** The items of a list; the members of an object, each as `name=value` or as two parts; or one text. What is null is left out (RFC 6570, section 2.3). */
export function listParts(
  value: unknown,
  isNamed: boolean,
  encodeName: Encode,
  encodeValue: Encode,
): string[] {
  const isDefined = (item: unknown): boolean => item !== undefined && item !== null;
  if (Array.isArray(value)) return value.filter(isDefined).map((item) => encodeValue(print(item)));
  if (!isRecord(value)) return [encodeValue(print(value))];
  return Object.entries(value).flatMap(([name, member]) => {
    if (!isDefined(member)) return [];
    const pair = [encodeName(name), encodeValue(print(member))];
    return isNamed ? pair.join('=') : pair;
  });
}

/** Of the style `form`. Empty lists and objects add nothing. */
export function writePairs(
  name: string,
  value: unknown,
  explode = true,
  encodeValue: Encode,
  separator = ',',
): string[] {
  const key = encode(name);
  const parts = listParts(value, explode, encode, encodeValue);
  if (parts.length === 0 || (explode && isRecord(value))) return parts;
  return explode ? parts.map((part) => `${key}=${part}`) : [`${key}=${parts.join(separator)}`];
}

// Bodies.

/** Where the media type of a body is a range such as `image/*`, which can't be sent. */
const FALLBACKS: Record<string, string> = { json: 'application/json', text: 'text/plain' };

/** A media type that can be sent. */
export function typeOfBody({ kind, mediaType }: Body, fallback = ownMember(FALLBACKS, kind)): string {
  return /^$|\*/.test(mediaType) ? (fallback ?? 'application/octet-stream') : mediaType;
}

/** Texts are sent in UTF-8, whatever charset the document declares. */
export function asUtf8(mediaType: string): string {
  return mediaType.replace(/;\s*charset\s*=[^;]*/i, '; charset=utf-8');
}

/** Undefined for an optional body without arguments; a required one is `{}`. */
function makeBody(body: Body, args: Args, setup: ApiSetup): WrittenBody | undefined {
  const { kind, argument = '', properties = [], requiredTogether = [], minProperties = 0 } = body;
  const whole = ownMember(args, argument);
  const members = properties.filter((one) => ownMember(args, one.argument) !== undefined);
  if (whole === undefined && members.length === 0 && body.required !== true) return undefined;
  const missing = properties.filter((one) => requiredTogether.includes(one.name) && !members.includes(one));
  if (missing.length > 0 || (whole === undefined && members.length < minProperties)) {
    const list = missing.length > 0 ? missing : properties;
    const count = missing.length > 0 ? 'all' : `at least ${minProperties}`;
    throw new ToolError(
      `The request's body needs ${count} of: ${list.map((one) => one.argument).join(', ')}.`,
    );
  }
  const written = ownMember(setup.bodies, kind)?.(body, args, setup);
  if (written === undefined && kind !== 'json' && kind !== 'text')
    throw new ToolError(`This server lacks the feature that writes ${kind} bodies: see \`src/server.ts\`.`);
  const { contentType, content } = written ?? {
    contentType: typeOfBody(body),
    content: kind === 'json' ? writeJson(bodyValue(body, args)) : print(whole),
  };
  return { contentType: typeof content === 'string' ? asUtf8(contentType) : contentType, content };
}

/** The one argument, or an object of all that are given. */
export function bodyValue({ argument, properties = [] }: Body, args: Args): unknown {
  const whole = argument === undefined ? undefined : ownMember(args, argument);
  if (whole !== undefined) return whole;
  const members = properties.map((one) => [one.name, ownMember(args, one.argument)] as const);
  return Object.fromEntries(members.filter(([, value]) => value !== undefined));
}

/** Headers that later calls need. */
export const USEFUL_HEADERS =
  /^(?:link|allow|retry-after|content-range|x-total-count|(?:.+-)?location|x-next.*|(?:x-)?rate-?limit.*)$/;
