// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Makes requests of bindings and arguments; nothing is sent here. */
import { omitUndefined, readJson } from '../contract/json-value.ts';
import type { HttpBinding, KnownArgument, ParameterBinding, UpstreamBinding } from '../contract/bindings.ts';
import {
  type Encode,
  keepText,
  encodeReservedInCookie,
  encodeReservedInPath,
  encodeReservedInQuery,
  encodeUnreserved,
  encodeWholeQuery,
  mediaTypeEssence,
  isJson,
  isJsonLines,
} from '../contract/http-syntax.ts';
import type { BeforeRequest, OutgoingRequest } from '../definition.ts';
import { type BodyContent, FORM, type Writers, encodeBody, encodeForm } from './body.ts';
import {
  type Pair,
  encodeItems,
  expandPathParameter,
  expandSimpleStyle,
  printJson,
  queryPairs,
  printParameterValue,
} from './parameter-styles.ts';
import type { Credentials } from './security.ts';
import { type UpstreamSettings, chooseServerUrl } from './upstream-settings.ts';
import { argumentError } from './upstream-error.ts';
import { HeaderList, type StreamedBody, type WireRequest, isStreamed } from './wire-request.ts';

export interface Draft {
  method: string;
  server: URL;
  path: string;
  query: string[];
  cookies: string[];
  headers: HeaderList;
  body?: BodyContent | StreamedBody;
  /** The URL without credentials, for messages. */
  url: string;
  /** Headers that must not be sent to any other origin. */
  fixed?: HeaderList | undefined;
}

interface ComposeOptions {
  /** Default: `commonHeaders` of the binding. */
  headers?: HeaderList;
  fixed?: HeaderList | undefined;
  writers?: Writers;
}

export function composeRequest(
  api: UpstreamBinding,
  binding: HttpBinding,
  given: Record<string, unknown>,
  settings: UpstreamSettings,
  { headers: common = commonHeaders(binding, settings), fixed, writers }: ComposeOptions = {},
): Draft {
  const args = binding.known === undefined ? given : addKnownArguments(given, binding.known, settings);
  const server = chooseServerUrl(api, binding, settings);
  const headers = common.copy();
  const query = server.search.length > 1 ? [server.search.slice(1)] : [];
  const cookies: string[] = [];
  try {
    const path =
      server.pathname.replace(/\/+$/, '') +
      serialiseParameters(binding, args, { headers, query, cookies, writers });
    const url = server.origin + makeTarget(path, query);
    const draft: Draft = { method: binding.method, server, path, query, cookies, headers, url, fixed };
    const body = binding.body === undefined ? undefined : encodeBody(binding.body, args, writers);
    if (body !== undefined) {
      headers.setChecked('Content-Type', body.contentType);
      draft.body = body.content;
    }
    if (server.username !== '') headers.setChecked('Authorization', `Basic ${encodeUserinfo(server)}`);
    if (fixed !== undefined) headers.takeOver(fixed);
    return draft;
  } catch (thrown) {
    if (!(thrown instanceof RangeError)) throw thrown;
    throw argumentError('The arguments are nested too deeply to be sent. Give fewer levels.');
  }
}

function addKnownArguments(
  given: Record<string, unknown>,
  known: Record<string, KnownArgument>,
  settings: UpstreamSettings,
): Record<string, unknown> {
  const own = Object.entries(known)
    .filter(([argument, { isDefault }]) => isDefault !== true || given[argument] === undefined)
    .map(([argument, each]): [string, unknown] => [argument, resolveKnownValue(argument, each, settings)]);
  return { ...given, ...Object.fromEntries(own) };
}

function resolveKnownValue(
  argument: string,
  { env: name = '', value, isJson }: KnownArgument,
  { env, answer }: UpstreamSettings,
): unknown {
  const text = env[name] ?? '';
  if (name === '' || (text === '' && value !== undefined)) return value;
  // Mock mode needs no variables, and its requests are not sent.
  if (text === '' && answer !== undefined) return name;
  if (text === '')
    throw argumentError(
      `The server sends "${argument}" from the variable ${name}, which is not set. Set ${name} in the environment of this server.`,
    );
  if (isJson !== true) return text;
  try {
    return readJson(text);
  } catch {
    throw argumentError(`The variable ${name}, sent as "${argument}", must hold JSON, such as 5 or ["a"].`);
  }
}

export function commonHeaders(
  { result }: Pick<HttpBinding, 'result'>,
  { userAgent = 'mcp-server' }: Pick<UpstreamSettings, 'userAgent'>,
): HeaderList {
  const headers = new HeaderList();
  headers.setChecked('Accept', acceptHeader(result?.accept));
  headers.setChecked('Accept-Encoding', 'gzip, br');
  headers.setChecked('User-Agent', userAgent);
  return headers;
}

/** JSON first: it alone becomes `structuredContent`. */
function acceptHeader(accept: string[] | undefined): string {
  if (accept === undefined || accept.length === 0) return 'application/json, */*;q=0.8';
  const json = accept.filter(isJson);
  if (json.length === 0 || json.length === accept.length) return accept.join(', ');
  return [...json, ...accept.filter((one) => !isJson(one)).map((one) => `${one};q=0.9`)].join(', ');
}

/** The draft stays unchanged, for another attempt with other credentials. */
export function addCredentials(draft: Draft, credentials: Credentials): WireRequest {
  const { method, server: url, path, body, fixed } = draft;
  if (Array.isArray(body)) throw new Error('The files of the body are not found yet.');
  const headers = draft.headers.copy();
  for (const [name, value] of credentials.headers)
    headers.setChecked(name, value, `The credential for ${name}`);
  const cookies = joinPairs(draft.cookies, credentials.cookies);
  if (cookies.length > 0) headers.setChecked('Cookie', cookies.join('; '), 'The cookies');
  const target = makeTarget(path, joinPairs(draft.query, credentials.query));
  return { method, url, target, headers, body, certificate: credentials.certificate, fixed };
}

function makeTarget(path: string, query: readonly string[]): string {
  return query.length === 0 ? path : `${path}?${query.join('&')}`;
}

/** An argument can't replace a credential of the same name. */
function joinPairs(given: string[], credentials: string[]): string[] {
  if (credentials.length === 0) return given;
  const names = credentials.map((pair) => pair.slice(0, pair.indexOf('=') + 1));
  return [...given.filter((pair) => !names.some((name) => pair.startsWith(name))), ...credentials];
}

function encodeUserinfo({ username, password }: URL): string {
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return Buffer.from(pair, 'utf8').toString('base64');
}

/** Query parameters of a base URL with these names are secret; others (`api-version`) may be shown. */
const SECRET_NAME = /key|token|secret|passw|^sig|signature|auth|credential|^code$/i;

export function secretsOfBaseUrl(server: URL): string[] {
  const { username, password, search } = server;
  const secrets: string[] = [];
  if (username !== '') secrets.push(encodeUserinfo(server), decodeURIComponent(password || username));
  if (search.length < 2) return secrets;
  for (const [name, value] of new URLSearchParams(search)) if (SECRET_NAME.test(name)) secrets.push(value);
  return secrets;
}

export function requestForHook(wire: WireRequest, tool?: string): OutgoingRequest {
  const { method, target, body } = wire;
  return {
    ...omitUndefined({ tool, body: isStreamed(body) ? undefined : body }),
    method,
    url: new URL(target, wire.url.origin),
    headers: wire.headers.toHeaders(),
  };
}

export async function applyHook(wire: WireRequest, hook: BeforeRequest, tool?: string): Promise<boolean> {
  const request = requestForHook(wire, tool);
  const before = requestFingerprint(request);
  await hook(request);
  if (request.body !== undefined || !isStreamed(wire.body)) wire.body = request.body;
  if (requestFingerprint(request) === before) return false;
  // `URL` would respell some characters of an untouched URL.
  if (request.url.href !== new URL(wire.target, wire.url.origin).href) {
    wire.url = request.url;
    wire.target = request.url.pathname + request.url.search;
  }
  wire.method = request.method;
  wire.headers.replaceByHeaders(request.headers);
  return true;
}

function requestFingerprint({ method, url, headers }: OutgoingRequest): string {
  return JSON.stringify([method, url.href, [...headers]]);
}

interface ParameterSink {
  headers: HeaderList;
  query: string[];
  cookies: string[];
  /** Writers that forms with XML in them need. */
  writers: Writers;
}

/** The connection sets these headers alone, even if a document declares them. */
const CONNECTION_HEADERS = new Set(
  'connection content-length expect host keep-alive te trailer transfer-encoding upgrade'.split(' '),
);

/**
 * Fills the sink and returns the path. A fragment in the document's path is dropped: it is never sent (RFC 9110,
 * section 7.1).
 */
export function serialiseParameters(
  binding: HttpBinding,
  args: Record<string, unknown>,
  sink: ParameterSink,
): string {
  const { query, cookies, writers } = sink;
  const inPath = new Map<string, string>();
  for (const parameter of binding.parameters) {
    const value = Object.hasOwn(args, parameter.argument) ? args[parameter.argument] : undefined;
    if (value === undefined) continue;
    switch (parameter.in) {
      case 'path':
        inPath.set(parameter.name, printPathValue(parameter, value, writers));
        break;
      case 'query':
        for (const [name, text] of listPairs(parameter, value, writers)) query.push(`${name}=${text}`);
        break;
      case 'querystring':
        query.push(...[printWholeQuery(parameter, value, writers)].filter(Boolean));
        break;
      case 'cookie':
        for (const pair of listPairs(parameter, value, writers)) cookies.push(printCookie(parameter, pair));
        break;
      case 'header':
        setParameterHeader(parameter, value, sink);
        break;
    }
  }
  const path = expandPath(binding, inPath).replace(/#.*/s, '');
  const end = path.indexOf('?');
  if (end === -1) return path;
  // Documents may distinguish operations by a query in the path (`/responses?beta=true`).
  query.unshift(...fixedQueryPairs(path.slice(end + 1), query));
  return path.slice(0, end);
}

/** Leaves out fixed pairs that an argument replaces, so that each name is sent once. */
function fixedQueryPairs(fixed: string, query: readonly string[]): string[] {
  const nameOf = (pair: string): string => pair.replace(/=.*/s, '');
  const given = new Set(query.map(nameOf));
  const kept = fixed.split('&').filter((pair) => pair !== '' && !given.has(nameOf(pair)));
  return kept.length === 0 ? [] : [kept.join('&')];
}

/**
 * Matches segments `.` and `..`: also percent-encoded more than once, since a server behind another one may decode
 * again, and before `;`, which Java servers remove with the rest of the segment (`..;x`).
 */
const DOT_SEGMENT = /(?:^|[/?#])(?:\.|%(?:25)*2e){1,2}(?:$|[/?#;]|%(?:25)*3b)/i;

/**
 * Arguments must not make a segment `.` or `..`, which would leave the operation, nor be empty: `DELETE /pets/{petId}`
 * would become `DELETE /pets/`. Null and empty values are empty in simple style; label and matrix spell them (RFC 6570,
 * section 2.3).
 */
function expandPath(binding: HttpBinding, values: Map<string, string>): string {
  const path = binding.path.replace(/\{([^{}]+)\}/g, (_, name: string) => {
    const text = values.get(name);
    // Servers collapse slashes, so a value of slashes alone counts as empty.
    if (text === undefined || /^\/*$/.test(text)) throw missingPathError(binding, name, text !== undefined);
    return text;
  });
  if (DOT_SEGMENT.test(path)) {
    throw argumentError(
      `Refused: an argument makes a path segment "." or "..", which would reach another resource. Give the name or id ` +
        `of one resource. Path: ${binding.path}`,
    );
  }
  return path.replace(/[^\x21-\x7E]|["<>\\^`{|}]/gu, encodeUnreserved);
}

function missingPathError(binding: HttpBinding, name: string, isEmpty: boolean): Error {
  const argument = binding.parameters.find((one) => one.in === 'path' && one.name === name)?.argument;
  return argumentError(
    argument === undefined
      ? `The path ${binding.path} has no parameter for "{${name}}": the document must declare it.`
      : isEmpty
        ? `Refused: argument "${argument}" is empty, which would reach another resource. Give it a value: a text, a list ` +
          `with an item, an object with a member. Path: ${binding.path}`
        : `Argument "${argument}" is missing: it is part of the path ${binding.path}.`,
  );
}

function printPathValue(parameter: ParameterBinding, value: unknown, writers: Writers): string {
  const encode = parameter.allowReserved === true ? encodeReservedInPath : encodeUnreserved;
  if (parameter.mediaType !== undefined) return encode(printByMediaType(parameter, value, writers));
  const { style = 'simple', explode, name } = parameter;
  if (isJoined(parameter, value)) return joinParameterItems(parameter, value, encode);
  return expandPathParameter(style, explode, name, value, encode);
}

function listPairs(parameter: ParameterBinding, value: unknown, writers: Writers): Pair[] {
  // OpenAPI 3.2, Appendix D: `cookie` style "does not apply or remove percent-encoding".
  const encodeName = parameter.style === 'cookie' ? keepText : encodeUnreserved;
  const encodeReserved = parameter.in === 'cookie' ? encodeReservedInCookie : encodeReservedInQuery;
  const isReserved = parameter.allowReserved === true && parameter.style !== 'cookie';
  const encodeValue = isReserved ? encodeReserved : encodeName;
  if (parameter.mediaType !== undefined)
    return [[encodeName(parameter.name), encodeValue(printByMediaType(parameter, value, writers))]];
  return queryPairs(parameter, value, encodeName, encodeValue);
}

/** A `;` would start another cookie. */
function printCookie(parameter: ParameterBinding, [name, value]: Pair): string {
  const text = `${name}=${value}`;
  if (/[\0-\x1F\x7F;]/.test(text)) {
    throw argumentError(
      `Argument "${parameter.argument}" can't be sent: a cookie must not hold ";", line breaks or control characters. ` +
        'Percent-encode them.',
    );
  }
  return text;
}

/** Headers are not percent-encoded (OpenAPI 3.2, "Fixed Fields for use with `schema`"). */
function setParameterHeader(
  parameter: ParameterBinding,
  value: unknown,
  { headers, writers }: ParameterSink,
): void {
  if (CONNECTION_HEADERS.has(parameter.name.toLowerCase())) return;
  if (Array.isArray(value) && value.length === 0) return;
  headers.setChecked(
    parameter.name,
    printHeaderValue(parameter, value, writers),
    `Argument "${parameter.argument}"`,
  );
}

function printHeaderValue(parameter: ParameterBinding, value: unknown, writers: Writers): string {
  if (parameter.mediaType !== undefined) return printByMediaType(parameter, value, writers);
  if (isJoined(parameter, value)) return joinParameterItems(parameter, value, keepText);
  return expandSimpleStyle(parameter.explode ?? false, value, keepText, keepText);
}

function isJoined(parameter: ParameterBinding, value: unknown): value is unknown[] {
  const { separator, itemSeparators } = parameter;
  return Array.isArray(value) && (separator !== undefined || itemSeparators !== undefined);
}

function joinParameterItems(parameter: ParameterBinding, items: unknown[], encode: Encode): string {
  const { separator = ',', itemSeparators = [] } = parameter;
  return encodeItems([items], encode, [separator, ...itemSeparators]).join('');
}

/** Form data and text are "query string-ready by definition" (OpenAPI 3.2). */
function printWholeQuery(parameter: ParameterBinding, value: unknown, writers: Writers): string {
  const mediaType = mediaTypeEssence(parameter.mediaType ?? FORM);
  if (mediaType === FORM && typeof value === 'object' && value !== null)
    return encodeForm(value, parameter.encoding, writers);
  if (mediaType === FORM || mediaType === 'text/plain')
    return encodeWholeQuery(printParameterValue(value).replace(/^\?/, ''));
  return encodeUnreserved(printByMediaType({ ...parameter, mediaType }, value, writers));
}

function printByMediaType(
  { mediaType = '', encoding }: ParameterBinding,
  value: unknown,
  writers: Writers,
): string {
  if (isJson(mediaType) || isJsonLines(mediaType)) return printJson(mediaType, value);
  return mediaTypeEssence(mediaType) === FORM && typeof value === 'object' && value !== null
    ? encodeForm(value, encoding, writers)
    : printParameterValue(value);
}
