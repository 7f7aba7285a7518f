// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Makes requests of bindings and arguments; nothing is sent here. */
import { omitUndefined } from '../contract/json-value.ts';
import { type HttpBinding, type UpstreamBinding, isPlainParameter } from '../contract/bindings.ts';
import { encodeUnreserved, isJsonType } from '../contract/http-syntax.ts';
import type { BeforeRequest, OutgoingRequest } from '../definition.ts';
import { type BodyContent, type ParameterSink, type Writers, encodeBody, requireParameters } from './body.ts';
import { expandSimpleStyle, plainPairs } from './parameter-values.ts';
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
  writers?: Writers | undefined;
}

export function composeRequest(
  api: UpstreamBinding,
  binding: HttpBinding,
  given: Record<string, unknown>,
  settings: UpstreamSettings,
  { headers: common = commonHeaders(binding, settings), fixed, writers }: ComposeOptions = {},
): Draft {
  const args =
    binding.known === undefined
      ? given
      : requireParameters(writers).addKnownArguments(given, binding.known, settings);
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
    if (fixed !== undefined) headers.copyHeadersFrom(fixed);
    return draft;
  } catch (thrown) {
    if (!(thrown instanceof RangeError)) throw thrown;
    throw argumentError('The arguments are nested too deeply to be sent. Give fewer levels.');
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
  const json = accept.filter(isJsonType);
  if (json.length === 0 || json.length === accept.length) return accept.join(', ');
  return [...json, ...accept.filter((one) => !isJsonType(one)).map((one) => `${one};q=0.9`)].join(', ');
}

/** The draft stays unchanged, for another attempt with other credentials. */
export function makeRequestWithCredentials(draft: Draft, credentials: Credentials): WireRequest {
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
    // In a project, the type has the names of its tools, one of which this is.
    ...omitUndefined({ tool: tool as never, body: isStreamed(body) ? undefined : body }),
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

/**
 * Fills the sink and returns the path. A fragment in the document's path is dropped: it is never sent (RFC 9110,
 * section 7.1).
 */
export function serialiseParameters(
  binding: HttpBinding,
  args: Record<string, unknown>,
  sink: ParameterSink,
): string {
  const { query, writers } = sink;
  const inPath = new Map<string, string>();
  for (const parameter of binding.parameters) {
    const { argument, name } = parameter;
    const value = Object.hasOwn(args, argument) ? args[argument] : undefined;
    if (value === undefined) continue;
    if (!isPlainParameter(parameter)) requireParameters(writers).addParameter(parameter, value, sink, inPath);
    else if (parameter.in === 'path')
      inPath.set(name, expandSimpleStyle(false, value, encodeUnreserved, encodeUnreserved));
    else
      for (const [key, text] of plainPairs(encodeUnreserved(name), value, encodeUnreserved, encodeUnreserved))
        query.push(`${key}=${text}`);
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
