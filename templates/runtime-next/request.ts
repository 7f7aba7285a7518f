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
  /** Makes the connection: features have some for proxies and client certificates. */
  agent?: Agent;
}

/** An API, and what the operator and features bring for its requests. */
export interface ApiSetup {
  api: ApiBinding;
  env: Env;
  baseUrl?: string | undefined;
  userAgent: string;
  /** By style: texts of a path, or pairs of a query. */
  parameters: Readonly<Record<string, (parameter: Parameter, value: unknown) => string[]>>;
  /** By the kind of the body. */
  bodies: Readonly<Record<string, (body: Body, args: Args) => WrittenBody>>;
  /** By the type of the security scheme. */
  credentials: Readonly<Record<string, CredentialSource>>;
}
interface WrittenBody {
  contentType: string;
  content: string | Uint8Array;
}

/** The connection alone sets these, even if a document declares them. */
const CONNECTION_HEADERS =
  /^(?:connection|content-length|expect|host|keep-alive|te|trailer|transfer-encoding|upgrade)$/i;

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
    const texts = writeParameter(parameter, value, setup.parameters);
    if (place === 'path') inPath.set(name, texts.join(''));
    else if (place === 'query' || place === 'querystring') query.push(...texts);
    else if (place === 'cookie') cookies.push(...texts);
    else if (texts.length > 0 && !CONNECTION_HEADERS.test(name)) setHeader(headers, name, texts.join(''));
  }
  if (cookies.length > 0) setHeader(headers, 'cookie', cookies.join('; '));
  const url = chooseServer(setup, binding.servers);
  if (url.username !== '') headers.set('authorization', `Basic ${encodeUser(url)}`);
  const [path = '', fixedQuery = ''] = expandPath(binding, inPath).split('?', 2);
  // Documents may distinguish operations by a query in the path. Each name is sent once.
  const nameOf = (pair: string): string => pair.replace(/=.*/s, '');
  const names = new Set(query.map(nameOf));
  const fixedPairs = fixedQuery.split('&').filter((pair) => !names.has(nameOf(pair)));
  url.pathname = url.pathname.replace(/\/+$/, '') + path;
  url.search = [url.search.slice(1), ...fixedPairs, ...query].filter((pair) => pair !== '').join('&');
  url.username = url.password = '';
  const body = binding.body && makeBody(binding.body, args, setup.bodies);
  if (body !== undefined) setHeader(headers, 'content-type', body.contentType);
  return { method: binding.method, url, headers, body: body?.content };
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

/** `API_BASE_URL` replaces every server of the document, so that test calls never reach the real API. */
export function chooseServer(
  { api, env, baseUrl }: Pick<ApiSetup, 'api' | 'env' | 'baseUrl'>,
  servers: readonly ApiServer[] = api.servers,
): URL {
  const wish = env['API_SERVER']?.toLowerCase() || '1';
  const server = servers.find(({ name, url, description }, index) =>
    [name, url, description, String(index + 1)].some((text) => text?.toLowerCase() === wish),
  );
  if (server === undefined && env['API_SERVER'])
    throw new ToolError(
      `API_SERVER is ${wish}, and the API's servers are ${servers.map(({ url }) => url).join(', ')}.`,
    );
  const url = baseUrl || env['API_BASE_URL'] || (server && fillVariables(server, env)) || '';
  if (URL.canParse(url) && /^https?:/i.test(url)) return new URL(url);
  throw new ToolError('The API has no absolute URL. Set API_BASE_URL in the environment of this MCP server.');
}

export function serverVariable(name: string): string {
  return `API_SERVER_${name.replace(/[^A-Za-z0-9]/g, '_').toUpperCase()}`;
}

function fillVariables({ url, variables }: ApiServer, env: Env): string {
  return url.replace(/\{([^{}]+)\}/g, (_, name: string) => {
    const { default: defaultValue, enum: choices } = ownMember(variables, name) ?? {};
    const setting = serverVariable(name);
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

type Encode = (text: string) => string;

/** RFC 3986, section 2.3: everything but unreserved characters. */
export function encode(text: string): string {
  const escape = (character: string): string => `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
  return encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\uFFFD')).replace(/[!'()*]/g, escape);
}

/** `allowReserved`: reserved characters and percent-encoded triples pass, but for those that end the part (RFC 6570, section 3.2.3). */
const encodeReserved: Encode = (text) => text.replace(/%(?![\dA-Fa-f]{2})|[^%\w\-.~:/@!$'()*,;=]+/gu, encode);

export function print(value: unknown, mediaType = ''): string {
  if (isJsonType(mediaType) || (typeof value === 'object' && value !== null)) return writeJson(value);
  if (value === null || value === undefined) return '';
  // No API reads an integer in scientific notation (`1e21`).
  return typeof value === 'number' && Number.isInteger(value) ? BigInt(value).toString() : String(value);
}

/** One text for a path or header, `name=value` pairs for a query or cookie. */
function writeParameter(parameter: Parameter, value: unknown, writers: ApiSetup['parameters']): string[] {
  const { name, in: place, mediaType, explode = false, separator = ',' } = parameter;
  const isPair = place === 'query' || place === 'cookie';
  const style = mediaType === undefined ? (parameter.style ?? (isPair ? 'form' : 'simple')) : 'content';
  const writer = ownMember(writers, place === 'querystring' ? place : style);
  if (writer !== undefined) return writer(parameter, value);
  // A reserved `;` would start another cookie.
  const mayReserve = parameter.allowReserved === true && place !== 'cookie';
  const encodeValue = place === 'header' ? String : mayReserve ? encodeReserved : encode;
  if (style === 'content') {
    const text = encodeValue(print(value, mediaType));
    return [isPair ? `${encode(name)}=${text}` : text];
  }
  if (isPair) return writePairs(parameter, value, encodeValue);
  const parts = listParts(value, explode, place === 'header' ? String : encode, encodeValue);
  return parts.length === 0 ? [] : [parts.join(separator)];
}

/** The items of a list; the members of an object, each as `name=value` or as two parts; or one text. */
function listParts(value: unknown, isNamed: boolean, encodeName: Encode, encodeValue: Encode): string[] {
  if (Array.isArray(value)) return value.map((item) => encodeValue(print(item)));
  if (!isRecord(value)) return [encodeValue(print(value))];
  return Object.entries(value).flatMap(([name, member]) => {
    const pair = [encodeName(name), encodeValue(print(member))];
    return isNamed ? pair.join('=') : pair;
  });
}

const DELIMITERS: Record<string, string> = { spaceDelimited: ' ', pipeDelimited: '|' };

/** Styles of a query. Empty lists and objects add nothing. */
export function writePairs(
  parameter: Partial<Parameter> & { name: string },
  value: unknown,
  encodeValue: Encode,
): string[] {
  const { name, style = 'form', explode = style === 'form', allowEmptyValue } = parameter;
  const { separator = DELIMITERS[style] ?? ',' } = parameter;
  if (value === null && style !== 'form') return [];
  if (style === 'deepObject') return deepPairs(name, value, encodeValue);
  const key = encode(name);
  const parts = listParts(value, explode, encode, encodeValue);
  if (parts.length === 0) return allowEmptyValue === true ? [`${key}=`] : [];
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
function makeBody(body: Body, args: Args, writers: ApiSetup['bodies']): WrittenBody | undefined {
  const { kind, argument, properties = [], requiredTogether = [], minProperties = 0 } = body;
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
  const writer = ownMember(writers, kind);
  if (writer !== undefined) return writer(body, args);
  const flat = Object.fromEntries(members.map((one) => [one.name, args[one.argument]]));
  const value = whole === undefined ? flat : whole;
  const isRange = body.mediaType === '' || body.mediaType.includes('*');
  const contentType = isRange ? (FALLBACKS[kind] ?? 'application/octet-stream') : body.mediaType;
  if (kind === 'json') return { contentType, content: writeJson(value) };
  if (kind === 'form') return { contentType, content: writeForm(value, body.encoding) };
  if (isEmpty || kind !== 'binary') return { contentType, content: isEmpty ? '' : print(value) };
  const { bytes, mediaType } = readBytes(argument ?? 'body', value);
  return { contentType: isRange ? (mediaType ?? contentType) : contentType, content: bytes };
}

/** Without a style a scalar is text, a list repeats its name, and an object is JSON (OpenAPI 3.2, Encoding Object). */
function writeForm(value: unknown, encoding: Body['encoding']): string {
  if (!isRecord(value))
    throw new ToolError("The request's body must be an object: each member is a form field.");
  const pairs = Object.entries(value).flatMap(([name, member]) => {
    const rule = ownMember(encoding, name) ?? {};
    const { contentType, style, explode, allowReserved } = rule;
    if ((style ?? explode ?? allowReserved) !== undefined)
      return writePairs({ ...rule, name }, member, allowReserved === true ? encodeReserved : encode);
    return [member].flat().map((item) => new URLSearchParams([[name, print(item, contentType)]]).toString());
  });
  return pairs.join('&');
}

/** Base64 of either alphabet, or a `data:` URI of it. Anything else is refused, not sent as garbage. */
export function readBytes(
  argument: string,
  value: unknown,
): { bytes: Uint8Array; mediaType?: string | undefined } {
  const text = print(value);
  const [, mediaType, data = text] = /^data:([^,]*);base64,(.*)$/is.exec(text) ?? [];
  const digits = data.replace(/[\r\n]+/g, '').replace(/={1,2}$/, '');
  if (!/^[\w+/-]*$/.test(digits) || digits.length % 4 === 1)
    throw new ToolError(
      `Argument "${argument}" must hold bytes: as base64, or as a data: URI (data:image/png;base64,…).`,
    );
  return { bytes: Buffer.from(digits, 'base64'), mediaType: mediaType || undefined };
}
