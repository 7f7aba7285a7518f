/** Golden wire tests: one call of each tool, and the request that this version of the runtime makes of it. */
import {
  type BodyBinding,
  type HttpBinding,
  type SecuritySchemeBinding,
  type UpstreamBinding,
  listApis,
} from '../../../templates/runtime/contract/bindings.ts';
import type { JsonObject, ObjectSchema } from '../../../templates/runtime/contract/json-schema.ts';
import {
  HEADER_VARIABLE,
  defaultUpstreamLimits,
  apiVariableName,
} from '../../../templates/runtime/contract/feature.ts';
import { makeSample } from '../../../templates/runtime/sample/sample-of.ts';
import {
  composeRequest,
  makeRequestWithCredentials,
} from '../../../templates/runtime/upstream/compose-request.ts';
import { UpstreamError } from '../../../templates/runtime/upstream/upstream-error.ts';
import * as bodies from '../../../templates/runtime/upstream/multipart-body.ts';
import * as parameters from '../../../templates/runtime/upstream/parameter-styles.ts';
import { type WireRequest, isStreamed } from '../../../templates/runtime/upstream/wire-request.ts';
import {
  type Credentials,
  type Tokens,
  chooseRequirement,
  loadCredentials,
} from '../../../templates/runtime/upstream/security.ts';
import {
  type UpstreamSettings,
  resolveFixedHeaders,
} from '../../../templates/runtime/upstream/upstream-settings.ts';
import type { ServerModel, Tool } from '../../model/server-model.ts';
import { omitUndefined } from '../../util/collections.ts';
import { STEP, yieldToSignals } from '../../util/pauses.ts';
import { isSurelyValid } from './surely-fits.ts';
import { listSchemeVariables } from '../scheme-variables.ts';

const writers = { bodies, parameters };

export interface WireCalls {
  /** Credentials that the server is started with. */
  environment: Record<string, string>;
  calls: WireCall[];
  /** The variables that say where the API is, of a server with several. Default: `API_BASE_URL` alone. */
  baseUrls?: string[];
  /** Tool → why there is no call of it. */
  leftOut: [tool: string, reason: string][];
}

export interface WireCall {
  tool: string;
  arguments: JsonObject;
  request: ExpectedRequest;
}

interface ExpectedRequest {
  method: string;
  /** The path and query, as in the request line. */
  target: string;
  /** Headers by lower-case name; those that every request has, or the connection, are left out. */
  headers: Record<string, string>;
  /** The body, as text where it is text. A boundary of multipart is `boundary`. */
  body?: string | { base64: string };
}

/** A placeholder for the API, which the test replaces by its own address. */
const baseUrl = 'http://127.0.0.1';

/** Headers that the runtime adds to every request, so that tests do not compare them. */
const everyRequests = new Set(['accept-encoding', 'user-agent']);

/** Reasons that no change of the document's samples would remove. */
const tunnel = 'CONNECT asks a proxy, not an API.';
const withoutCredentials = 'It takes credentials that a test can not have.';
const ordinary: readonly string[] = [tunnel, withoutCredentials];

/** Called for each tool whose request can't be made of any arguments found. */
export type ReportLeftOut = (tool: string, reason: string) => void;

/** Calls each tool that speaks HTTP once, with the least arguments it takes and the document's examples. */
export async function makeWireCalls(
  model: ServerModel,
  report?: ReportLeftOut,
  signal?: AbortSignal,
): Promise<WireCalls> {
  const apis = listApis(model);
  const bound = model.tools.flatMap((tool) =>
    tool.binding.kind === 'http' ? [{ tool, binding: tool.binding }] : [],
  );
  const environment = Object.assign(
    {},
    ...bound.map(({ binding }) => makeTestValues(binding)),
    ...apis.map((api) => makeTestCredentials(api)),
  ) as Record<string, string>;
  const { upstreams } = model;
  const calls: WireCalls = {
    environment,
    calls: [],
    leftOut: [],
    ...(upstreams && { baseUrls: upstreams.map(({ name }) => apiVariableName('API_BASE_URL', name)) }),
  };
  for (const api of apis) {
    const apiTools = bound.filter(({ binding }) => binding.api === api.name);
    await addCalls(apiTools, api, calls, report, signal);
  }
  return calls;
}

/** Makes the call of a tool with these arguments, or says why there is none. */
export async function makeWireCallWithArguments(
  { tools, upstream, upstreams }: ServerModel,
  name: string,
  args: JsonObject,
): Promise<WireCall | string> {
  const tool = tools.find((tool) => tool.name === name);
  if (tool?.binding.kind !== 'http') return 'It calls no API, so there is no request.';
  const { binding } = tool;
  const api = listApis(omitUndefined({ upstream, upstreams })).find((api) => api.name === binding.api);
  if (api === undefined) return 'It calls no API, so there is no request.';
  const env = { ...makeTestValues(binding), ...makeTestCredentials(api) };
  const settings = { baseUrl, env, limits: defaultUpstreamLimits };
  const credentials = await credentialsFor([binding], api, env);
  return makeWireCall(tool, binding, { api, settings, credentials }, args);
}

/** Makes values of the variables that are sent as arguments. */
function makeTestValues({ known: constants = {} }: HttpBinding): Record<string, string> {
  const variables = Object.values(constants).flatMap(({ env, isJson }) =>
    env === undefined ? [] : [[env, isJson === true ? '1' : 'test'] as const],
  );
  return Object.fromEntries(variables);
}

async function addCalls(
  bound: readonly { tool: Tool; binding: HttpBinding }[],
  api: UpstreamBinding,
  calls: WireCalls,
  report?: ReportLeftOut,
  signal?: AbortSignal,
): Promise<void> {
  const { environment } = calls;
  const settings = { baseUrl, env: environment, limits: defaultUpstreamLimits };
  const credentials = await credentialsFor(
    bound.map(({ binding }) => binding),
    api,
    environment,
  );
  for (const [index, { tool, binding }] of bound.entries()) {
    if (index % STEP === STEP - 1) await yieldToSignals(signal);
    const context = { api, settings, credentials };
    const tried = makeWireCall(tool, binding, context);
    // A valid example may be impossible to send, so the call is tried again without examples.
    const call =
      typeof tried === 'string' && tool.examples
        ? makeWireCall({ ...tool, examples: {} }, binding, context)
        : tried;
    if (typeof call === 'string') calls.leftOut.push([tool.name, call]);
    else calls.calls.push(call);
    if (typeof call === 'string' && !ordinary.includes(call)) report?.(tool.name, call);
  }
}

const rejectSending = (): Promise<never> => Promise.reject(new Error('Nothing is sent while compiling.'));

/** Never called, since every token is in the environment. */
const noTokens: Tokens = {
  get: rejectSending,
  readCertificate: rejectSending,
  forget: async () => undefined,
};

/** By the security that bindings state; for each kind once, since most operations state the same. */
type CredentialsBySecurity = Map<string, Credentials | undefined>;

async function credentialsFor(
  bindings: readonly HttpBinding[],
  api: UpstreamBinding,
  env: Record<string, string>,
): Promise<CredentialsBySecurity> {
  const credentialsBySecurity: CredentialsBySecurity = new Map();
  for (const binding of bindings) {
    const key = credentialsKey(binding);
    if (credentialsBySecurity.has(key)) continue;
    const { security, ifSet } = binding;
    const access = { api, binding: omitUndefined({ security, ifSet }), env };
    const requirement = chooseRequirement(access);
    credentialsBySecurity.set(key, requirement && (await loadCredentials(access, requirement, noTokens)));
  }
  return credentialsBySecurity;
}

function credentialsKey({ security, ifSet }: HttpBinding): string {
  return JSON.stringify([security, ifSet]);
}

interface WireContext {
  api: UpstreamBinding;
  settings: UpstreamSettings;
  credentials: CredentialsBySecurity;
}

function makeWireCall(
  tool: Tool,
  binding: HttpBinding,
  { api, settings, credentials }: WireContext,
  input?: JsonObject,
): WireCall | string {
  if (binding.method === 'CONNECT') return tunnel;
  const ours = credentials.get(credentialsKey(binding));
  if (ours === undefined) return withoutCredentials;
  try {
    const args = input ?? leastArguments(tool, binding.body);
    if (args === undefined) return 'No arguments were found that its input schema accepts.';
    const fixed = resolveFixedHeaders(api, binding, settings)?.headers;
    // The runtime makes this request when no hook changes it.
    const request = makeRequestWithCredentials(
      composeRequest(api, binding, args, settings, { fixed, writers }),
      ours,
    );
    if (isStreamed(request.body)) return 'Its body is too large for a test.';
    return { tool: tool.name, arguments: args, request: makeExpectedRequest(request, request.body) };
  } catch (error) {
    // The test is an addition: its failure ends no compilation.
    return error instanceof UpstreamError ? error.message : `Its request can not be made (${String(error)}).`;
  }
}

/** Makes the least arguments, and the document's examples where they surely keep to the schema. */
function leastArguments(
  { inputSchema, examples }: Tool,
  body: BodyBinding | undefined,
): JsonObject | undefined {
  const inBytes = body === undefined ? noNames : bytesArguments(body);
  const sample = makeSample(
    body?.required === true ? requireProperties(inputSchema, body) : inputSchema,
    inBytes.length === 0 ? {} : { examples: makeRecordOfValue(inBytes, [bytes]) },
  );
  const args = sample as JsonObject | undefined;
  if (args === undefined || examples === undefined || !isPlainSchema(inputSchema)) return args;
  const { properties = {}, $defs = {} } = inputSchema;
  const fitting = Object.entries(examples).filter(([name, example]) => {
    const schema = Object.hasOwn(properties, name) ? properties[name] : undefined;
    return schema !== undefined && !inBytes.includes(name) && isSurelyValid(schema, example, $defs);
  });
  return fitting.length === 0 ? args : sortBySchema(properties, { ...args, ...Object.fromEntries(fitting) });
}

/** A body may need more properties than its schema requires: the first ones then. */
function requireProperties(
  schema: ObjectSchema,
  { minProperties = 0, properties = [] }: BodyBinding,
): ObjectSchema {
  const { required = [] } = schema;
  const names = properties.map(({ argument }) => argument);
  const optional = names.filter((name) => !required.includes(name));
  const missing = minProperties - (names.length - optional.length);
  return missing > 0 ? { ...schema, required: [...required, ...optional.slice(0, missing)] } : schema;
}

function isPlainSchema(schema: ObjectSchema): boolean {
  return Object.keys(schema).every((keyword) => plainKeywords.has(keyword));
}

const plainKeywords: ReadonlySet<string> = new Set([
  ...['type', 'properties', 'required', 'additionalProperties', '$defs', 'title', 'description'],
]);

function sortBySchema(properties: object, args: JsonObject): JsonObject {
  const names = [
    ...Object.keys(properties).filter((name) => Object.hasOwn(args, name)),
    ...Object.keys(args),
  ];
  return Object.fromEntries(names.map((name) => [name, args[name] ?? null]));
}

function bytesArguments(body: BodyBinding): readonly string[] {
  const whole = body.kind === 'binary' && body.argument !== undefined ? [body.argument] : noNames;
  const parts = body.properties?.filter(({ binary }) => binary === true).map(({ argument }) => argument);
  return parts === undefined || parts.length === 0 ? whole : [...whole, ...parts];
}

const noNames: readonly string[] = [];

function makeRecordOfValue<T>(names: readonly string[], value: T): Record<string, T> {
  return Object.fromEntries(names.map((name) => [name, value]));
}

const bytes = 'c2FtcGxl';

function makeExpectedRequest(
  { method, target, headers: list }: WireRequest,
  body: string | Uint8Array | undefined,
): ExpectedRequest {
  const boundary = boundaryOf(list.get('content-type'));
  const headers: Record<string, string> = {};
  for (const name of list.names()) {
    const value = list.get(name) ?? '';
    const key = name.toLowerCase();
    if (!everyRequests.has(key)) headers[key] = replaceBoundary(value, boundary);
  }
  const request = { method, target, headers };
  return body === undefined ? request : { ...request, body: readableBody(body, boundary) };
}

/** Returns the boundary of a multipart body, which is drawn anew for each request. */
function boundaryOf(mediaType: string | undefined): string | undefined {
  if (mediaType?.startsWith('multipart/') !== true) return undefined;
  return /; boundary=(.*)$/.exec(mediaType)?.[1];
}

function replaceBoundary(text: string, boundary: string | undefined): string {
  return boundary === undefined ? text : text.replaceAll(boundary, 'boundary');
}

function readableBody(body: string | Uint8Array, boundary: string | undefined): string | { base64: string } {
  if (typeof body === 'string') return body;
  const bytes = Buffer.from(replaceBoundary(Buffer.from(body).toString('latin1'), boundary), 'latin1');
  const text = bytes.toString('utf8');
  return bytes.equals(Buffer.from(text, 'utf8')) ? text : { base64: bytes.toString('base64') };
}

/** Gives each variable of a scheme or a fixed header a value, which then shows in the request. No token is fetched. */
function makeTestCredentials({ securitySchemes, headers = {} }: UpstreamBinding): Record<string, string> {
  const names = Object.values(securitySchemes).flatMap(listSchemeCredentials);
  for (const text of Object.values(headers))
    names.push(...[...text.matchAll(HEADER_VARIABLE)].flatMap(([, name]) => name ?? []));
  return Object.fromEntries(names.map((name) => [name, `test-${name.toLowerCase().replaceAll('_', '-')}`]));
}

/** A placeholder is no valid certificate, so requests with one are not tested. */
export function listSchemeCredentials(scheme: SecuritySchemeBinding): string[] {
  return listSchemeVariables(scheme).flatMap(({ name, isSent }) => (isSent === true ? [name] : []));
}
