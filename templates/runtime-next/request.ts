// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Makes the request of a binding and arguments (OpenAPI 3.2, "Style Values"). Nothing is sent here. */
import type { Agent } from 'node:http';
import { isRecord, ownMember, writeJson } from './json-rpc.ts';
import {
  type ApiBinding,
  type ApiServer,
  type Args,
  type Body,
  type Env,
  type HttpBinding,
  type Parameter,
  ToolError,
} from './types.ts';

/** A request that can be sent. Names of headers are in lower case. */
export interface ApiRequest {
  method: string;
  url: URL;
  headers: Map<string, string>;
  body?: string | Uint8Array | undefined;
  /** Makes the connection: features have some for proxies and client certificates. */
  agent?: Agent;
}

/** Writers that features add, by the style of a parameter and by the kind of a body. */
export interface Writers {
  parameters: Readonly<Record<string, ParameterWriter>>;
  bodies: Readonly<Record<string, BodyWriter>>;
}
/** Returns texts of a path, or pairs of a query. */
export type ParameterWriter = (parameter: Parameter, value: unknown) => string[];
export type BodyWriter = (
  body: Body,
  args: Args,
) => { contentType: string; content: string | Uint8Array } | undefined;

export interface RequestOptions {
  env: Env;
  baseUrl?: string | undefined;
  userAgent: string;
  writers: Writers;
}

/** A message for the model: the request can't be made of these arguments. */
function refuse(message: string): ToolError {
  return new ToolError(message);
}

export function makeRequest(
  api: ApiBinding,
  binding: HttpBinding,
  args: Args,
  options: RequestOptions,
): ApiRequest {
  const headers = new Map([
    ['accept', acceptOf(binding)],
    ['accept-encoding', 'gzip, br'],
    ['user-agent', options.userAgent],
  ]);
  const query: string[] = [];
  const cookies: string[] = [];
  const inPath = new Map<string, string>();
  for (const parameter of binding.parameters) {
    const { argument, name, in: place } = parameter;
    const value = ownMember(args, argument);
    if (value === undefined) continue;
    const texts = writeParameter(parameter, value, options.writers);
    if (place === 'path') inPath.set(name, texts.join(''));
    else if (place === 'query' || place === 'querystring') query.push(...texts);
    else if (place === 'cookie') cookies.push(...texts.map((text) => checkCookie(argument, text)));
    else if (!CONNECTION_HEADERS.test(name) && !(Array.isArray(value) && value.length === 0))
      setHeader(headers, name, texts.join(''), `Argument "${argument}"`);
  }
  if (cookies.length > 0) setHeader(headers, 'cookie', cookies.join('; '), 'The cookies');
  const server = chooseServer(api, binding, options);
  const path = expandPath(binding, inPath);
  const [plain = '', fixed] = path.split('?', 2);
  if (fixed !== undefined) {
    // Documents may distinguish operations by a query in the path. Each name is sent once.
    const sent = new Set(query.map((pair) => pair.replace(/=.*/s, '')));
    query.unshift(...fixed.split('&').filter((pair) => pair !== '' && !sent.has(pair.replace(/=.*/s, ''))));
  }
  if (server.search.length > 1) query.unshift(server.search.slice(1));
  const url = new URL(server.origin);
  url.pathname = server.pathname.replace(/\/+$/, '') + plain;
  url.search = query.join('&');
  if (server.username !== '') headers.set('authorization', `Basic ${encodeUser(server)}`);
  const request: ApiRequest = { method: binding.method, url, headers };
  const body = binding.body && makeBody(binding.body, args, options.writers);
  if (body !== undefined) {
    setHeader(headers, 'content-type', body.contentType);
    request.body = body.content;
  }
  return request;
}

export function encodeUser({ username, password }: URL): string {
  return Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`).toString('base64');
}

/** JSON first: it alone becomes `structuredContent`. */
function acceptOf({ result }: HttpBinding): string {
  const { accept = [] } = result ?? {};
  if (accept.length === 0) return 'application/json, */*;q=0.8';
  const json = accept.filter(isJsonType);
  if (json.length === 0 || json.length === accept.length) return accept.join(', ');
  return [...json, ...accept.filter((type) => !isJsonType(type)).map((type) => `${type};q=0.9`)].join(', ');
}

export function essence(mediaType: string): string {
  return mediaType.split(';', 1)[0]?.trim().toLowerCase() ?? '';
}

/** JSON is also known by old names and by its suffix (RFC 6839, section 3.1). */
export function isJsonType(mediaType: string): boolean {
  return /^[^/]+\/(?:x-)?json$|^[^/]+\/[^/]+\+json$|\+json-?patch$/.test(essence(mediaType));
}

/** The connection alone sets these, even if a document declares them. */
const CONNECTION_HEADERS =
  /^(?:connection|content-length|expect|host|keep-alive|te|trailer|transfer-encoding|upgrade)$/i;

/** A line break would start another header. Text beyond ASCII travels as UTF-8. */
export function setHeader(
  headers: Map<string, string>,
  name: string,
  value: string,
  what = `Header "${name}"`,
): void {
  if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name))
    throw refuse(`${what} can't be sent: "${name}" is no header name.`);
  if (/[\0-\x08\x0A-\x1F\x7F]/.test(value))
    throw refuse(
      `${what} can't be sent: a header value must not hold line breaks or control characters. Remove them.`,
    );
  headers.set(
    name.toLowerCase(),
    /^[\t\x20-\x7E]*$/.test(value) ? value : Buffer.from(value).toString('latin1'),
  );
}

/** A `;` would start another cookie. */
function checkCookie(argument: string, text: string): string {
  if (!/[\0-\x1F\x7F;]/.test(text)) return text;
  throw refuse(
    `Argument "${argument}" can't be sent: a cookie must not hold ";", line breaks or control characters. Percent-encode them.`,
  );
}

// The address.

/** `API_BASE_URL` replaces every server of the document, so that test calls never reach the real API. */
export function chooseServer(
  api: ApiBinding,
  binding: Pick<HttpBinding, 'servers'>,
  { env, baseUrl }: Pick<RequestOptions, 'env' | 'baseUrl'>,
): URL {
  const server = chooseListed(binding.servers ?? api.servers, env);
  const url = baseUrl || env['API_BASE_URL'] || (server && fillVariables(server, env));
  if (url !== undefined && URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)) return new URL(url);
  throw refuse(
    `The API's document names no absolute server URL${url === undefined ? '' : ` (only "${url}")`}. ` +
      'Set API_BASE_URL in the environment of this MCP server, or start it with --base-url.',
  );
}

/** `API_SERVER` chooses by name, URL or description, else by position from 1. */
function chooseListed(servers: readonly ApiServer[], env: Env): ApiServer | undefined {
  const wanted = env['API_SERVER']?.toLowerCase();
  if (!wanted) return servers[0];
  const isNamed = (key: 'name' | 'url' | 'description') => (server: ApiServer) =>
    server[key]?.toLowerCase() === wanted;
  const server =
    servers.find(isNamed('name')) ??
    servers.find(isNamed('url')) ??
    servers.find(isNamed('description')) ??
    servers[Number(wanted) - 1];
  if (server !== undefined) return server;
  throw refuse(
    `API_SERVER in the environment of this MCP server is ${wanted}, which is none of the API's servers: ` +
      servers
        .map(({ name, description, url }, index) => `${index + 1} (${name ?? description ?? url})`)
        .join(', '),
  );
}

function fillVariables({ url, variables }: ApiServer, env: Env): string {
  return url.replace(/\{([^{}]+)\}/g, (_, name: string) => {
    const variable = ownMember(variables, name);
    const setting = `API_SERVER_${name.replace(/[^A-Za-z0-9]/g, '_').toUpperCase()}`;
    const value = env[setting] || variable?.default;
    if (value === undefined)
      throw refuse(
        `The API's server URL ${url} has no value for {${name}}. Set ${setting} in the environment of this MCP server.`,
      );
    if (variable?.enum !== undefined && !variable.enum.includes(value))
      throw refuse(
        `${setting} in the environment of this MCP server must be one of ${variable.enum.join(', ')}, not ${value}.`,
      );
    return value;
  });
}

/** Also percent-encoded more than once, since a server behind another one may decode again, and `..;x` of Java servers. */
const DOT_SEGMENT = /(?:^|[/?#])(?:\.|%(?:25)*2e){1,2}(?:$|[/?#;]|%(?:25)*3b)/i;

/** Arguments must not leave the operation: `DELETE /pets/{petId}` must not become `DELETE /pets/` or `/pets/..`. */
function expandPath(binding: HttpBinding, values: ReadonlyMap<string, string>): string {
  const path = binding.path.replace(/\{([^{}]+)\}/g, (_, name: string) => {
    const text = values.get(name);
    // Servers collapse slashes, so a value of slashes alone counts as empty.
    if (text !== undefined && !/^\/*$/.test(text)) return text;
    const argument =
      binding.parameters.find((one) => one.in === 'path' && one.name === name)?.argument ?? name;
    throw refuse(
      text === undefined
        ? `Argument "${argument}" is missing: it is part of the path ${binding.path}.`
        : `Refused: argument "${argument}" is empty, which would reach another resource. Give it a value. Path: ${binding.path}`,
    );
  });
  if (DOT_SEGMENT.test(path))
    throw refuse(
      `Refused: an argument makes a path segment "." or "..", which would reach another resource. Give the name or id of one resource. Path: ${binding.path}`,
    );
  // A fragment is never sent (RFC 9110, section 7.1).
  return path.replace(/#.*/s, '').replace(/[^\x21-\x7E]|["<>\\^`{|}]/gu, encode);
}

// Values.

type Encode = (text: string) => string;

/** RFC 3986, section 2.3: everything but unreserved characters. */
export function encode(text: string): string {
  const whole = text.replace(/\p{Surrogate}/gu, '\uFFFD');
  return encodeURIComponent(whole).replace(
    /[!'()*]/g,
    (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

/** `allowReserved`: reserved characters and percent-encoded triples pass, but for those that end the part (RFC 6570, section 3.2.3). */
const encodeReserved: Encode = (text) =>
  text.replace(/%(?![\dA-Fa-f]{2})|[^%\w\-.~:/@!$'()*,;=?]+/gu, encode);

const keep: Encode = (text) => text;

export function print(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'object') return writeJson(value);
  // No API reads an integer in scientific notation (`1e21`).
  return typeof value === 'number' && Number.isInteger(value) ? BigInt(value).toString() : String(value);
}

const itemTexts = (items: readonly unknown[]): string[] =>
  items.filter((item) => item !== undefined).map(print);
const memberTexts = (object: object): [string, string][] =>
  Object.entries(object).flatMap(([name, value]) => (value === undefined ? [] : [[name, print(value)]]));

/** One text for a path or header, `name=value` pairs for a query or cookie. Empty lists and objects add nothing. */
function writeParameter(parameter: Parameter, value: unknown, { parameters }: Writers): string[] {
  const { name, in: place } = parameter;
  const isPair = place === 'query' || place === 'cookie';
  const style =
    parameter.mediaType === undefined ? (parameter.style ?? (isPair ? 'form' : 'simple')) : 'content';
  const writer = ownMember(parameters, place === 'querystring' ? place : style);
  if (writer !== undefined) return writer(parameter, value);
  const encodeValue = place === 'header' ? keep : parameter.allowReserved === true ? encodeReserved : encode;
  const explode = parameter.explode ?? style === 'form';
  if (style === 'content') {
    const text = encodeValue(isJsonType(parameter.mediaType ?? '') ? writeJson(value) : print(value));
    return isPair ? [`${encode(name)}=${text}`] : [text];
  }
  if (isPair) return writePairs({ ...parameter, style, explode }, value, encodeValue);
  const encodeName = place === 'header' ? keep : encode;
  if (Array.isArray(value))
    return [
      itemTexts(value)
        .map(encodeValue)
        .join(parameter.separator ?? ','),
    ];
  if (!isRecord(value)) return [encodeValue(print(value))];
  const between = explode ? '=' : ',';
  return [
    memberTexts(value)
      .map(([key, text]) => `${encodeName(key)}${between}${encodeValue(text)}`)
      .join(','),
  ];
}

/** Styles of a query: `form`, `spaceDelimited`, `pipeDelimited`, `deepObject`. */
export function writePairs(
  {
    name,
    style = 'form',
    explode = style === 'form',
    separator,
    allowEmptyValue,
  }: Partial<Parameter> & { name: string },
  value: unknown,
  encodeValue: Encode,
  encodeName: Encode = encode,
): string[] {
  const key = encodeName(name);
  if (style === 'deepObject' && typeof value === 'object')
    return value === null ? [] : deepPairs(name, value, encodeName, encodeValue);
  if (typeof value !== 'object') return [`${key}=${encodeValue(print(value))}`];
  if (value === null) return style === 'form' ? [`${key}=`] : [];
  const isList = Array.isArray(value);
  const parts = isList
    ? itemTexts(value as unknown[]).map(encodeValue)
    : memberTexts(value).flatMap(([member, text]) => [encodeName(member), encodeValue(text)]);
  if (parts.length === 0) return allowEmptyValue === true ? [`${key}=`] : [];
  if (explode || (!isList && style !== 'form'))
    return isList
      ? parts.map((part) => `${key}=${part}`)
      : memberTexts(value).map(([member, text]) => `${encodeName(member)}=${encodeValue(text)}`);
  const delimiters: Record<string, string> = { spaceDelimited: ' ', pipeDelimited: '|' };
  const delimiter = separator ?? delimiters[style];
  return [
    `${key}=${parts.join(delimiter === undefined || delimiter === ',' ? ',' : encodeValue(delimiter))}`,
  ];
}

function deepPairs(name: string, value: unknown, encodeName: Encode, encodeValue: Encode): string[] {
  if (value === undefined) return [];
  if (value === null || typeof value !== 'object')
    return [`${encodeName(name)}=${encodeValue(print(value))}`];
  if (Array.isArray(value))
    return value.flatMap((item: unknown, index) =>
      deepPairs(
        `${name}[${typeof item === 'object' && item !== null ? index : ''}]`,
        item,
        encodeName,
        encodeValue,
      ),
    );
  return Object.entries(value).flatMap(([key, member]) =>
    deepPairs(`${name}[${key}]`, member, encodeName, encodeValue),
  );
}

// Bodies.

const FORM = 'application/x-www-form-urlencoded';
const FALLBACKS: Record<string, string> = {
  json: 'application/json',
  form: FORM,
  text: 'text/plain',
  xml: 'application/xml',
  binary: 'application/octet-stream',
};

/** Undefined for an optional body without arguments; a required one is `{}`. */
function makeBody(body: Body, args: Args, { bodies }: Writers): ReturnType<BodyWriter> {
  const { kind, argument, properties = [] } = body;
  const whole = argument === undefined ? undefined : ownMember(args, argument);
  const sent =
    argument === undefined ? properties.filter((one) => ownMember(args, one.argument) !== undefined) : [];
  if (whole === undefined && sent.length === 0 && body.required !== true) return undefined;
  if (whole === undefined) refuseIncomplete(body, sent);
  const writer = ownMember(bodies, kind);
  if (writer !== undefined) return writer(body, args);
  // A range such as `image/*` can't be sent.
  const isRange = body.mediaType === '' || body.mediaType.includes('*');
  const contentType = isRange ? (FALLBACKS[kind] ?? '') : body.mediaType;
  const value =
    whole === undefined ? Object.fromEntries(sent.map((one) => [one.name, args[one.argument]])) : whole;
  const isEmpty = whole === undefined && sent.length === 0;
  switch (kind) {
    case 'json':
      return { contentType, content: writeJson(value) };
    case 'form':
      if (!isRecord(value))
        throw refuse(`Argument "${argument}" must be an object: each member is a form field.`);
      return { contentType, content: writeForm(value, body.encoding) };
    case 'binary': {
      if (isEmpty) return { contentType, content: '' };
      const { bytes, mediaType } = readBytes(argument ?? 'body', value);
      return { contentType: isRange ? (mediaType ?? contentType) : contentType, content: bytes };
    }
    default:
      return { contentType, content: isEmpty ? '' : print(value) };
  }
}

function refuseIncomplete(
  { properties = [], requiredTogether = [], minProperties = 0 }: Body,
  sent: Body['properties'] = [],
): void {
  const argumentOf = (name: string): string => properties.find((one) => one.name === name)?.argument ?? name;
  if (sent.length < minProperties)
    throw refuse(
      `The request's body needs at least ${minProperties} of: ${properties.map((one) => one.argument).join(', ')}.`,
    );
  const missing = requiredTogether.filter((name) => !sent.some((one) => one.name === name));
  if (missing.length > 0)
    throw refuse(
      `The request's body is optional, but once part of it is given it also needs: ${missing.map(argumentOf).join(', ')}.`,
    );
}

/** Without a style a scalar is text, a list repeats its name, and an object is JSON (OpenAPI 3.2, Encoding Object). */
function writeForm(value: object, encoding: Body['encoding']): string {
  const formEncode: Encode = (text) => new URLSearchParams([['', text]]).toString().slice(1);
  return Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .flatMap(([name, member]: [string, unknown]) => {
      const rule = ownMember(encoding, name) ?? {};
      if ((rule.style ?? rule.explode ?? rule.allowReserved) !== undefined)
        return writePairs({ ...rule, name }, member, rule.allowReserved === true ? encodeReserved : encode);
      const print_ = (item: unknown): string =>
        isJsonType(rule.contentType ?? '') ? writeJson(item) : print(item);
      return [member].flat().map((item) => `${formEncode(name)}=${formEncode(print_(item))}`);
    })
    .join('&');
}

/** Base64 of either alphabet, or a `data:` URI of it. Anything else is refused, not sent as garbage. */
export function readBytes(
  argument: string,
  value: unknown,
): { bytes: Uint8Array; mediaType?: string | undefined } {
  const text = typeof value === 'string' ? value : ' ';
  const [, type, data = ''] = /^data:([^,;]*(?:;(?!base64,)[^,;]*)*);base64,(.*)$/is.exec(text) ?? [];
  const mediaType = type || undefined;
  const base64 = (type === undefined ? text : data).replace(/[\r\n]+/g, '');
  const digits = base64.replace(/={1,2}$/, '');
  const isBase64 = /^(?:[A-Za-z\d+/]*|[A-Za-z\d_-]*)$/.test(digits) && digits.length % 4 !== 1;
  if (isBase64 && (digits === base64 || base64.length % 4 === 0))
    return { bytes: Buffer.from(base64, 'base64'), mediaType };
  throw refuse(
    `Argument "${argument}" must hold bytes: as base64, or as a data: URI (data:image/png;base64,…). It is neither.`,
  );
}
