// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Makes the request of a binding and arguments (OpenAPI 3.2, "Style Values"). Nothing is sent here. */
import type { Agent } from 'node:http';
import type { CredentialSource } from './credentials.ts';
import { isRecord, ownMember, writeJson } from './json-rpc.ts';
import { type ApiBinding, type ApiServer, type Args, type Body, type Env } from './types.ts';
import { type HttpBinding, type Parameter, type ReadOnlyMembers, ToolError } from './types.ts';

/** A request that can be sent. Names of headers are in lower case. */
export interface ApiRequest {
  method: string;
  url: URL;
  headers: Map<string, string>;
  body?: string | Uint8Array | undefined;
  /** The operation that is called. Absent: the request is for a token. */
  operation?: HttpBinding;
  /** Makes the connection: features have some for proxies and client certificates. */
  agent?: Agent | undefined;
  /** The path in the document, without arguments. Absent after a redirect. */
  template?: string | undefined;
}

/** An API, and what the operator and features bring for its requests. */
export interface ApiSetup {
  api: ApiBinding;
  env: Env;
  baseUrl?: string | undefined;
  userAgent: string;
  /** By style: texts of a path, or pairs of a query. */
  parameters: Readonly<Record<string, ParameterWriter>>;
  /** By kind. */
  bodies: Readonly<Record<string, BodyWriter>>;
  /** By scheme of the URI that is given for bytes: `file`. */
  bytes?: Readonly<Record<string, ReadBytes>>;
  credentials: Readonly<Record<string, CredentialSource>>;
}
/** Undefined leaves the parameter to the core. */
export type ParameterWriter = (parameter: Parameter, value: unknown, setup: ApiSetup) => string[] | undefined;
/** `args` has at least one argument of the body, or the body is required. Undefined leaves it to the core. */
export type BodyWriter = (
  body: Body,
  args: Args,
  setup: ApiSetup,
  read: ReadBytes,
) => WrittenBody | undefined;
/** The bytes that an argument stands for. @throws {ToolError} if it stands for none */
export type ReadBytes = (argument: string, value: unknown) => GivenBytes;
export interface GivenBytes {
  bytes: Uint8Array;
  mediaType?: string | undefined;
  /** Of a file, or the parameter `name` of a `data:` URI. */
  name?: string | undefined;
}
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
  const [path = '', fixedQuery = ''] = expandPath(binding, inPath).split('?', 2);
  // Documents may distinguish operations by a query in the path. Each name is sent once.
  const nameOf = (pair: string): string => pair.replace(/=.*/s, '');
  const names = new Set(query.map(nameOf));
  const fixedPairs = fixedQuery.split('&').filter((pair) => !names.has(nameOf(pair)));
  url.pathname = url.pathname.replace(/\/+$/, '') + path;
  url.search = [url.search.slice(1), ...fixedPairs, ...query].filter((pair) => pair !== '').join('&');
  url.username = url.password = '';
  const body = binding.body && makeBody(binding.body, args, setup);
  if (body !== undefined) setHeader(headers, 'content-type', body.contentType);
  const { content, contentType } = body ?? {};
  const bytes = typeof content === 'string' ? encodeText(content, contentType) : content;
  return { method: binding.method, url, headers, body: bytes };
}

export function encodeUser({ username, password }: URL): string {
  return Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`).toString('base64');
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
export function chooseServer({ api, env, baseUrl }: Place): URL {
  const [variable, base] = [apiVariable(api, 'API_SERVER'), apiVariable(api, 'API_BASE_URL')];
  const override = baseUrl || env[base];
  const wish = env[variable];
  const server = wish ? (findServer(api.servers, wish) ?? api.servers[Number(wish) - 1]) : api.servers[0];
  if (server === undefined && !override && wish)
    throw new ToolError(
      `${variable} is ${wish}, and the API's servers are ${api.servers.map(({ url }) => url).join(', ')}.`,
    );
  const url = override || (server && fillVariables(server, { api, env })) || '';
  if (URL.canParse(url) && /^https?:/i.test(url)) return new URL(url);
  throw new ToolError(`The API has no absolute URL. Set ${base} in the environment of this MCP server.`);
}

/** By name, URL or description, in any case. */
export function findServer(servers: readonly ApiServer[], text: string): ApiServer | undefined {
  const wish = text.toLowerCase();
  const keys = ['name', 'url', 'description'] as const;
  const matches = keys.map((key) => servers.find((server) => server[key]?.toLowerCase() === wish));
  return matches.find((server) => server !== undefined);
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
const DOT_SEGMENT = /(?:^|[/?#])(?:\.|%(?:25)*2e){1,2}(?:$|[/?#;]|%(?:25)*3b)/i;

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

/**
 * `allowReserved`: reserved characters and percent-encoded triples pass (RFC 6570, section 3.2.3), but for those that the place can't
 * hold, or that would start another part of it (RFC 3986, sections 3.3 and 3.4; RFC 6265, section 4.1.1).
 */
const RESERVED = {
  path: /%(?![\dA-Fa-f]{2})|[^%\w\-.~:/@!$&'()*+,;=]+/gu,
  query: /%(?![\dA-Fa-f]{2})|[^%\w\-.~:/?@!$'()*,;=]+/gu,
  cookie: /%(?![\dA-Fa-f]{2})|[^%\w\-.~:/?#[\]@!$&'()*+=]+/gu,
};

/** Headers are not percent-encoded. */
export function encoderOf(parameter: Pick<Partial<Parameter>, 'in' | 'allowReserved'>): Encode {
  const { in: place = 'query', allowReserved = false } = parameter;
  if (place === 'header') return String;
  const pattern = RESERVED[place === 'querystring' ? 'query' : place];
  return allowReserved ? (text) => text.replace(pattern, encode) : encode;
}

export function print(value: unknown, mediaType = ''): string {
  if (isJsonType(mediaType) || (typeof value === 'object' && value !== null)) return writeJson(value);
  if (value === null || value === undefined) return '';
  // No API reads an integer in scientific notation (`1e21`).
  return typeof value === 'number' && Number.isInteger(value) ? BigInt(value).toString() : String(value);
}

/** One text for a path or header, `name=value` pairs for a query or cookie. */
function writeParameter(parameter: Parameter, value: unknown, setup: ApiSetup): string[] {
  const { name, in: place, mediaType, explode = false, separator = ',' } = parameter;
  const isPair = place === 'query' || place === 'cookie';
  const style = mediaType === undefined ? (parameter.style ?? (isPair ? 'form' : 'simple')) : 'content';
  const writer = ownMember(setup.parameters, place === 'querystring' ? place : style);
  const written = writer?.(parameter, value, setup);
  if (written !== undefined) return written;
  const encodeValue = encoderOf(parameter);
  if (style === 'content') {
    const text = encodeValue(print(value, mediaType));
    return [isPair ? `${encode(name)}=${text}` : text];
  }
  if (isPair) return writePairs(parameter, value, encodeValue);
  const parts = listParts(value, explode, place === 'header' ? String : encode, encodeValue);
  return parts.length === 0 ? [] : [parts.join(separator)];
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

export const DELIMITERS: Record<string, string> = { spaceDelimited: ' ', pipeDelimited: '|' };

/** Styles of a query. Empty lists and objects add nothing. */
export function writePairs(
  parameter: Partial<Parameter> & { name: string },
  value: unknown,
  encodeValue: Encode,
): string[] {
  const { name, style = 'form', explode = style === 'form', allowEmptyValue } = parameter;
  const { separator = ownMember(DELIMITERS, style) ?? ',' } = parameter;
  if (value === null && style !== 'form') return [];
  const key = encode(name);
  const isDeep = style === 'deepObject';
  const parts = isDeep ? deepPairs(name, value, encodeValue) : listParts(value, explode, encode, encodeValue);
  if (parts.length === 0) return allowEmptyValue === true ? [`${key}=`] : [];
  if (isDeep) return parts;
  if (explode && Array.isArray(value)) return parts.map((part) => `${key}=${part}`);
  if (explode && isRecord(value)) return parts;
  return [`${key}=${parts.join(separator === ',' ? separator : encode(separator))}`];
}

/** As frameworks read it beyond one level of scalars: `a[b][c]=1`, `ids[]=1`, `rows[0][a]=1`. */
function deepPairs(name: string, value: unknown, encodeValue: Encode): string[] {
  if (typeof value !== 'object' || value === null) return [`${encode(name)}=${encodeValue(print(value))}`];
  return Object.entries(value).flatMap(([key, member]: [string, unknown]) => {
    const isItem = Array.isArray(value) && (typeof member !== 'object' || member === null);
    return deepPairs(`${name}[${isItem ? '' : key}]`, member, encodeValue);
  });
}

// Bodies.

/** Where the media type of a body is a range such as `image/*`, which can't be sent. */
const FALLBACKS: Record<string, string> = {
  json: 'application/json',
  form: 'application/x-www-form-urlencoded',
  text: 'text/plain',
};

/** Undefined for an optional body without arguments; a required one is `{}`. */
function makeBody(body: Body, given: Args, setup: ApiSetup): WrittenBody | undefined {
  const { kind, argument, properties = [], requiredTogether = [], minProperties = 0, mediaType } = body;
  const read: ReadBytes = (name, value) => {
    const scheme = /^(\w{1,20}):/.exec(String(value))?.[1]?.toLowerCase() ?? '';
    return (ownMember(setup.bytes, scheme) ?? readBytes)(name, value);
  };
  const args = dropReadOnly(given, body.readOnly) as Args;
  const whole = argument === undefined ? undefined : ownMember(args, argument);
  const members = properties.filter((one) => ownMember(args, one.argument) !== undefined);
  const isEmpty = whole === undefined && members.length === 0;
  if (isEmpty && body.required !== true) return undefined;
  const listArguments = (list: typeof properties): string => list.map((one) => one.argument).join(', ');
  const missing = properties.filter((one) => requiredTogether.includes(one.name) && !members.includes(one));
  if (missing.length > 0) throw new ToolError(`The request's body also needs: ${listArguments(missing)}.`);
  if (whole === undefined && members.length < minProperties)
    throw new ToolError(
      `The request's body needs at least ${minProperties} of: ${listArguments(properties)}.`,
    );
  const written = ownMember(setup.bodies, kind)?.(body, args, setup, read);
  if (written !== undefined) return written;
  const value = bodyValue(body, args);
  const isRange = mediaType === '' || mediaType.includes('*');
  const contentType = isRange ? (ownMember(FALLBACKS, kind) ?? 'application/octet-stream') : mediaType;
  if (kind === 'json') return { contentType, content: writeJson(value) };
  if (kind === 'form') return { contentType, content: writeForm(value, body.encoding) };
  // A message may begin with the word "file:".
  const isFile =
    kind === 'binary' ||
    (body.mayBeFile === true ? isBytesUri(whole, setup) : isDataUri(whole) && isTextType(mediaType));
  if (isEmpty || !isFile) return { contentType, content: isEmpty ? '' : print(value) };
  const { bytes, mediaType: uriType = contentType } = read(argument ?? 'body', value);
  const isOffered = isRange || body.alternatives?.some((type) => essence(type) === essence(uriType)) === true;
  return { contentType: isOffered ? uriType : contentType, content: bytes };
}

/** The one argument, or an object of all that are given. */
export function bodyValue({ argument, properties = [] }: Body, args: Args): unknown {
  const whole = argument === undefined ? undefined : ownMember(args, argument);
  if (whole !== undefined) return whole;
  const members = properties.map((one) => [one.name, ownMember(args, one.argument)] as const);
  return Object.fromEntries(members.filter(([, value]) => value !== undefined));
}

/** Models give back what they got: members that only answers have are left out. */
export function dropReadOnly(value: unknown, members: ReadOnlyMembers | undefined): unknown {
  if (members === undefined || typeof value !== 'object' || value === null) return value;
  const { names = [], properties, items, values } = members;
  if (Array.isArray(value)) return value.map((item) => dropReadOnly(item, items));
  const entries = Object.entries(value).filter(([name]) => !names.includes(name));
  return Object.fromEntries(
    entries.map(([name, member]) => [name, dropReadOnly(member, ownMember(properties, name) ?? values)]),
  );
}

export function charsetOf(mediaType: string): string | undefined {
  return /;\s*charset\s*=\s*"?([^";\s]+)/i.exec(mediaType)?.[1]?.toLowerCase();
}

/** Of charsets other than UTF-8 and UTF-16, what they have in common with ISO-8859-1. */
const LATIN: Record<string, RegExp> = {
  'iso-8859-1': /^[\0-\xFF]*$/,
  'windows-1252': /^[\0-\x7F\xA0-\xFF]*$/,
};

/** As its type declares. JSON is UTF-8 whatever it declares (RFC 8259, section 8.1). */
export function encodeText(text: string, mediaType = ''): string | Uint8Array {
  const charset = charsetOf(mediaType) ?? 'utf-8';
  if (isJsonType(mediaType) || /^utf-?8$/.test(charset)) return text;
  if (charset === 'utf-16') return Buffer.from(`\uFEFF${text}`, 'utf16le');
  if (charset === 'utf-16le') return Buffer.from(text, 'utf16le');
  if (charset === 'utf-16be') return Buffer.from(text, 'utf16le').swap16();
  if (!(ownMember(LATIN, charset) ?? /^[\0-\x7F]*$/).test(text))
    throw new ToolError(
      `The API takes ${essence(mediaType)} as ${charset}, in which this server can't write all characters of the text.`,
    );
  return Buffer.from(text, 'latin1');
}

export function isTextType(mediaType: string): boolean {
  return /^text\/|[/+](?:x-)?(?:xml|yaml|json|javascript|graphql|sql|toml|ndjson|jsonl)$/.test(
    essence(mediaType),
  );
}

/** Without a style a scalar is text, a list repeats its name, and an object is JSON (OpenAPI 3.2, Encoding Object). */
function writeForm(value: unknown, encoding: Body['encoding']): string {
  if (!isRecord(value))
    throw new ToolError("The request's body must be an object: each member is a form field.");
  return Object.entries(value)
    .flatMap(([name, member]) => writeField(name, member, ownMember(encoding, name) ?? {}))
    .join('&');
}

export function writeField(name: string, value: unknown, rule: FieldRule, printItem = print): string[] {
  const { contentType, style, explode, allowReserved } = rule;
  if ((style ?? explode ?? allowReserved) !== undefined)
    return writePairs({ ...rule, name }, value, encoderOf(rule));
  const items = [value].flat();
  if (items.length === 0 && rule.allowEmptyValue === true) items.push('');
  return items.map((item) => new URLSearchParams([[name, printItem(item, contentType)]]).toString());
}
type FieldRule = NonNullable<Body['encoding']>[string];

/** A `data:` URI (RFC 2397), as opposed to words about data. */
export function isDataUri(value: unknown): boolean {
  const form = /^data:(?:[^,]*;base64|[\w.+-]+\/[\w.+-]+(?:;[\w.+-]+=[^,;\s]*)*),/i;
  return typeof value === 'string' && form.test(value);
}

/** A `data:` URI, or one that a feature reads. */
export function isBytesUri(value: unknown, { bytes }: Pick<ApiSetup, 'bytes'>): boolean {
  const scheme = typeof value === 'string' ? /^(\w{1,20}):/.exec(value)?.[1]?.toLowerCase() : undefined;
  return isDataUri(value) || (scheme !== undefined && ownMember(bytes, scheme) !== undefined);
}

/** Base64 of either alphabet, or a `data:` URI. Anything else is refused, not sent as garbage. */
export function readBytes(argument: string, value: unknown): GivenBytes {
  const text = print(value);
  const [uri, head = '', data = ''] = /^data:([^,]*),(.*)$/is.exec(text) ?? [];
  const [type = '', ...parameters] = head.split(';').map((part) => part.trim());
  const isBase64 = uri === undefined || parameters.at(-1)?.toLowerCase() === 'base64';
  const plain = uri === undefined ? text : isBase64 && !data.includes('%') ? data : percentDecode(data);
  const digits = isBase64 ? plain?.replace(/[\r\n]+/g, '').replace(/={1,2}$/, '') : '';
  if (plain === undefined || digits === undefined || !/^[\w+/-]*$/.test(digits) || digits.length % 4 === 1)
    throw new ToolError(
      `Argument "${argument}" must hold bytes: as base64, or as a data: URI (data:image/png;base64,…).`,
    );
  const bytes = isBase64 ? Buffer.from(digits, 'base64') : Buffer.from(plain, 'latin1');
  if (uri === undefined) return { bytes };
  const isName = (part: string): boolean => /^name=/i.test(part);
  const rest = parameters.filter((part) => !isName(part) && part.toLowerCase() !== 'base64');
  const path =
    parameters
      .find(isName)
      ?.slice('name='.length)
      .replace(/^"(.*)"$/, '$1') ?? '';
  // Folders are dropped (RFC 7578, section 4.2).
  const decoded = Buffer.from(percentDecode(path) ?? path, 'latin1').toString();
  const filename = decoded.split(/[\\/]/).at(-1) ?? '';
  const mediaType = [type, ...rest].join(';');
  const isType = /^[\w.+-]+\/[\w.+-]+(?:;[\x20-\x7E]*)?$/.test(mediaType);
  return {
    bytes,
    mediaType: isType ? mediaType : undefined,
    name: /^\.{0,2}$/.test(filename) ? undefined : filename,
  };
}

/** Bytes, one character each. Undefined if a triplet is broken. */
function percentDecode(text: string): string | undefined {
  if (/%(?![\da-f]{2})/i.test(text)) return undefined;
  const bytes = Buffer.from(text).toString('latin1');
  return bytes.replace(/%(..)/g, (_, digits: string) => String.fromCharCode(parseInt(digits, 16)));
}

/** Headers that later calls need. */
export const USEFUL_HEADERS =
  /^(?:link|allow|retry-after|content-range|x-total-count|(?:.+-)?location|x-next.*|(?:x-)?rate-?limit.*)$/;
