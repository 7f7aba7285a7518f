// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Makes the request of a binding and its arguments; nothing is sent here. */
import type { HttpBinding, UpstreamBinding } from '../contract/bindings.ts';
import { type BodyContent, type BodyWriters, encodeBody } from './body.ts';
import { HeaderList, isStreamed, type StreamedBody, type WireRequest } from './wire-request.ts';
import { isJson } from '../contract/media-type.ts';
import { serialiseParameters } from './parameters.ts';
import type { Credentials } from './security.ts';
import { serverUrl } from './server-url.ts';
import type { UpstreamSettings } from './settings.ts';
import { UpstreamError } from './upstream-error.ts';
import type { BeforeRequest, OutgoingRequest } from '../definition.ts';

/** A request without credentials. */
export interface Draft {
  method: string;
  server: URL;
  /** Server path and operation path. */
  path: string;
  query: string[];
  cookies: string[];
  headers: HeaderList;
  body?: BodyContent | StreamedBody;
  /** The address without credentials of the call, for people. */
  url: string;
}

interface ComposeOptions {
  /** `commonHeaders` of the binding. Default: they are made. */
  headers?: HeaderList;
  writers?: BodyWriters | undefined;
}

/** @throws {UpstreamError} `argument` or `base-url`. */
export function composeRequest(
  api: UpstreamBinding,
  binding: HttpBinding,
  args: Record<string, unknown>,
  settings: UpstreamSettings,
  { headers: common = commonHeaders(binding, settings), writers }: ComposeOptions = {},
): Draft {
  const server = serverUrl(api, binding, settings);
  const headers = common.copy();
  const query = server.search.length > 1 ? [server.search.slice(1)] : [];
  const cookies: string[] = [];
  try {
    const path =
      server.pathname.replace(/\/+$/, '') +
      serialiseParameters(binding, args, { headers, query, cookies, writers });
    const url = server.origin + writeTarget(path, query);
    const draft: Draft = { method: binding.method, server, path, query, cookies, headers, url };
    const body = binding.body === undefined ? undefined : encodeBody(binding.body, args, writers);
    if (body !== undefined) {
      headers.set('Content-Type', body.contentType);
      draft.body = body.content;
    }
    if (server.username !== '') headers.set('Authorization', `Basic ${encodeUserinfo(server)}`);
    return draft;
  } catch (thrown) {
    if (!(thrown instanceof RangeError)) throw thrown;
    throw new UpstreamError('argument', 'The arguments are nested too deeply to be sent. Give fewer levels.');
  }
}

/** The headers that all requests of an operation share. */
export function commonHeaders(
  { result }: Pick<HttpBinding, 'result'>,
  { userAgent = 'mcp-server' }: Pick<UpstreamSettings, 'userAgent'>,
): HeaderList {
  const headers = new HeaderList();
  headers.set('Accept', acceptHeader(result?.accept));
  headers.set('Accept-Encoding', 'gzip, br');
  headers.set('User-Agent', userAgent);
  return headers;
}

/** JSON first: it alone becomes `structuredContent`. */
function acceptHeader(accept: string[] | undefined): string {
  if (accept === undefined || accept.length === 0) return 'application/json, */*;q=0.8';
  const json = accept.filter(isJson);
  if (json.length === 0 || json.length === accept.length) return accept.join(', ');
  return [...json, ...accept.filter((one) => !isJson(one)).map((one) => `${one};q=0.9`)].join(', ');
}

/** The request as it goes out. The draft stays as it is, for another attempt with other credentials. */
export function withCredentials(draft: Draft, credentials: Credentials): WireRequest {
  const { method, server: url, path, body } = draft;
  if (Array.isArray(body)) throw new Error('The files of the body are not found yet.');
  const headers = draft.headers.copy();
  for (const [name, value] of credentials.headers) headers.set(name, value, `The credential for ${name}`);
  const cookies = joinPairs(draft.cookies, credentials.cookies);
  if (cookies.length > 0) headers.set('Cookie', cookies.join('; '), 'The cookies');
  const target = writeTarget(path, joinPairs(draft.query, credentials.query));
  const { certificate } = credentials;
  return {
    method,
    url,
    target,
    headers,
    ...(body === undefined ? {} : { body }),
    ...(certificate === undefined ? {} : { certificate }),
  };
}

function writeTarget(path: string, query: readonly string[]): string {
  return query.length === 0 ? path : `${path}?${query.join('&')}`;
}

/** Pairs `name=value` of both. An argument can't replace a credential of the same name. */
function joinPairs(given: string[], credentials: string[]): string[] {
  if (credentials.length === 0) return given;
  const names = credentials.map((pair) => pair.slice(0, pair.indexOf('=') + 1));
  return [...given.filter((pair) => !names.some((name) => pair.startsWith(name))), ...credentials];
}

/** `https://user:password@host` in the base URL. */
function encodeUserinfo({ username, password }: URL): string {
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return Buffer.from(pair, 'utf8').toString('base64');
}

/** Names of query parameters that hold a secret; the values of others (`api-version`) may be shown. */
const SECRET_NAME = /key|token|secret|passw|^sig|signature|auth|credential|^code$/i;

/** Parts of a base URL that must never be shown. */
export function baseUrlSecrets(server: URL): string[] {
  const { username, password, search } = server;
  const secrets: string[] = [];
  if (username !== '') secrets.push(encodeUserinfo(server), decodeURIComponent(password || username));
  if (search.length < 2) return secrets;
  for (const [name, value] of new URLSearchParams(search)) if (SECRET_NAME.test(name)) secrets.push(value);
  return secrets;
}

/** A copy: changing it changes nothing. */
export function hookRequest(wire: WireRequest, tool?: string): OutgoingRequest {
  const url = new URL(wire.target, wire.url.origin);
  return {
    ...(tool === undefined ? {} : { tool }),
    method: wire.method,
    url,
    headers: wire.headers.toHeaders(),
    ...(wire.body === undefined || isStreamed(wire.body) ? {} : { body: wire.body }),
  };
}

/** Runs the hook and writes its changes into the request. Returns whether it changed anything. */
export async function applyHook(wire: WireRequest, hook: BeforeRequest, tool?: string): Promise<boolean> {
  const request = hookRequest(wire, tool);
  const before = fingerprint(request);
  await hook(request);
  if (request.body !== undefined) wire.body = request.body;
  else if (!isStreamed(wire.body)) delete wire.body;
  if (fingerprint(request) === before) return false;
  // An untouched URL keeps its very bytes: `URL` respells some characters.
  if (request.url.href !== new URL(wire.target, wire.url.origin).href) {
    wire.url = request.url;
    wire.target = request.url.pathname + request.url.search;
  }
  wire.method = request.method;
  wire.headers.replaceFrom(request.headers);
  return true;
}

function fingerprint({ method, url, headers }: OutgoingRequest): string {
  return JSON.stringify([method, url.href, [...headers]]);
}
