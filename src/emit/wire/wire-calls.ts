/** Golden wire tests: one call of each tool, and the request that this version of the runtime makes of it. */
import {
  type BodyBinding,
  type HttpBinding,
  type SecuritySchemeBinding,
  type UpstreamBinding,
  listApis,
} from '../../model/bindings.ts';
import type { JsonObject, JsonSchemaObject, ObjectSchema } from '../../util/json-schema.ts';
import { listHeaderVariables } from '../../util/http-syntax.ts';
import { apiVariableName } from '../../model/variable-names.ts';
import type { ChangeSetup, FillArguments } from '../../../templates/runtime/call-api.ts';
import { Credentials, readFixedHeaders } from '../../../templates/runtime/credentials.ts';
import type { Call } from '../../../templates/runtime/feature.ts';
import { clientCredentials } from '../../../templates/runtime/features/client-credentials.ts';
import { knownArguments } from '../../../templates/runtime/features/known-arguments.ts';
import { makeSample } from '../../../templates/runtime/features/mock/sample.ts';
import { bytes as bytesFeature } from '../../../templates/runtime/features/bytes.ts';
import { multipart } from '../../../templates/runtime/features/multipart.ts';
import { operationServers } from '../../../templates/runtime/features/operation-servers.ts';
import { readOnlyMembers } from '../../../templates/runtime/features/read-only-members.ts';
import { styles } from '../../../templates/runtime/features/styles.ts';
import { xml } from '../../../templates/runtime/features/xml.ts';
import { type ApiRequest, type ApiSetup, makeRequest } from '../../../templates/runtime/request.ts';
import { type Args, type HttpBinding as Operation, ToolError } from '../../../templates/runtime/types.ts';
import type { ServerModel, Tool } from '../../model/server-model.ts';
import { makeSchemaTest } from '../../util/check-values.ts';
import { partsOf } from '../../util/feature-parts.ts';
import { listSchemeVariables } from '../scheme-variables.ts';

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
/** Deriving reports it. */
const withoutArguments = 'No arguments were found that its input schema accepts.';
const ordinary: readonly string[] = [tunnel, withoutCredentials, withoutArguments];

/** Called for each tool whose request can't be made of any arguments found. */
export type ReportLeftOut = (tool: string, reason: string) => void;

/** Calls each tool that speaks HTTP once, with the least arguments it takes and the document's examples. */
export async function makeWireCalls(model: ServerModel, report?: ReportLeftOut): Promise<WireCalls> {
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
    for (const { tool, binding } of bound.filter(({ binding }) => binding.api === api.name)) {
      const setup: ApiSetup = {
        ...{ api, env: environment, baseUrl, userAgent: '' },
        parameters: partsOf(FEATURES, 'parameters'),
        bodies: partsOf(FEATURES, 'bodies'),
        credentials: partsOf(FEATURES, 'credentials'),
      };
      const first = await makeWireCall(tool, binding, setup);
      // A valid example may be impossible to send, so the call is tried again without examples.
      const call =
        typeof first === 'string' && tool.examples
          ? await makeWireCall({ ...tool, examples: {} }, binding, setup)
          : first;
      if (typeof call !== 'string') calls.calls.push(call);
      else {
        calls.leftOut.push([tool.name, call]);
        if (!ordinary.includes(call)) report?.(tool.name, call);
      }
    }
  }
  return calls;
}

/** Makes values of the variables that are sent as arguments. */
function makeTestValues({ known: constants = {}, headers }: HttpBinding): Record<string, string> {
  const variables = Object.values(constants).flatMap(({ env, isJson }) =>
    env === undefined ? [] : [[env, isJson === true ? '1' : 'test'] as const],
  );
  return { ...Object.fromEntries(variables), ...makeTestSecrets(listHeaderVariables(headers)) };
}

/** Those that have a part in a request. No token is fetched, since each is in the environment. */
const FEATURES = [
  styles(),
  multipart(),
  xml(),
  operationServers(),
  readOnlyMembers(),
  knownArguments(),
  clientCredentials(),
  bytesFeature(),
];

async function makeWireCall(tool: Tool, binding: HttpBinding, setup: ApiSetup): Promise<WireCall | string> {
  if (binding.method === 'CONNECT') return tunnel;
  try {
    const args = leastArguments(tool, binding.body);
    if (args === undefined) return withoutArguments;
    const request = await makeRequestWithCredentials(binding as Operation, args as Args, setup);
    return request === undefined
      ? withoutCredentials
      : { tool: tool.name, arguments: args, request: makeExpectedRequest(request) };
  } catch (error) {
    // The test is an addition: its failure ends no compilation.
    return error instanceof ToolError ? error.message : `Its request can not be made (${String(error)}).`;
  }
}

/** The request that the server makes when no hook changes it. Undefined: its credentials are none that a test can have. */
async function makeRequestWithCredentials(
  binding: Operation,
  input: Args,
  apiSetup: ApiSetup,
): Promise<ApiRequest | undefined> {
  const changes = Object.values(partsOf<ChangeSetup>(FEATURES, 'setups'));
  const setup = changes.reduce((changed, change) => change(changed, binding), apiSetup);
  const fillers = Object.values(partsOf<FillArguments>(FEATURES, 'arguments'));
  const args = fillers.reduce((filled, fill) => fill(filled, binding, setup.env).args, input);
  const { headers } = readFixedHeaders(setup, binding);
  const credentials = new Credentials({ ...setup, headers }, binding);
  if (credentials.chosen === undefined) return undefined;
  const request = makeRequest(binding, args, { ...setup, headers });
  // No source of credentials looks at the call.
  await credentials.add(request, {} as Call);
  return request;
}

/** Makes the least arguments, and the document's examples where they keep to the schema. */
function leastArguments(
  { inputSchema, examples }: Tool,
  body: BodyBinding | undefined,
): JsonObject | undefined {
  const inBytes = body === undefined ? [] : listBytesArguments(body);
  const sample = makeSample(body?.required === true ? requireProperties(inputSchema, body) : inputSchema, {
    // Patterns of documents may need the matcher that takes linear time.
    compile: (schema: JsonSchemaObject) => makeSchemaTest(schema, schema.$defs),
    examples: Object.fromEntries(inBytes.map((name) => [name, [bytes]])),
  });
  const args = sample as JsonObject | undefined;
  if (args === undefined || examples === undefined || !isPlainSchema(inputSchema)) return args;
  const { properties = {}, $defs = {} } = inputSchema;
  const fitting = Object.entries(examples).filter(([name, example]) => {
    const schema = Object.hasOwn(properties, name) ? properties[name] : undefined;
    return schema !== undefined && !inBytes.includes(name) && makeSchemaTest(schema, $defs)(example);
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

/** Arguments of other schemas may depend on each other. */
function isPlainSchema(schema: ObjectSchema): boolean {
  const keywords = [
    'type',
    'properties',
    'required',
    'additionalProperties',
    '$defs',
    'title',
    'description',
  ];
  return Object.keys(schema).every((keyword) => keywords.includes(keyword));
}

function sortBySchema(properties: object, args: JsonObject): JsonObject {
  const names = Object.keys(properties).filter((name) => Object.hasOwn(args, name));
  return { ...Object.fromEntries(names.map((name) => [name, args[name] ?? null])), ...args };
}

function listBytesArguments({ kind, argument, properties = [] }: BodyBinding): string[] {
  const parts = properties.filter(({ binary }) => binary === true).map((property) => property.argument);
  return kind === 'binary' && argument !== undefined ? [argument, ...parts] : parts;
}

const bytes = 'c2FtcGxl';

function makeExpectedRequest({ method, url, headers: list, body }: ApiRequest): ExpectedRequest {
  // The boundary of a multipart body is drawn anew for each request.
  const boundary = /^multipart\/.*; boundary=(.*)$/.exec(list.get('content-type') ?? '')?.[1] ?? '';
  const headers: Record<string, string> = {};
  for (const [name, value] of list)
    if (!everyRequests.has(name)) headers[name] = replaceBoundary(value, boundary);
  const request = { method, target: url.pathname + url.search, headers };
  return body === undefined ? request : { ...request, body: readableBody(body, boundary) };
}

function replaceBoundary(text: string, boundary: string): string {
  return boundary === '' ? text : text.replaceAll(boundary, 'boundary');
}

function readableBody(body: string | Uint8Array, boundary: string): string | { base64: string } {
  if (typeof body === 'string') return body;
  const bytes = Buffer.from(replaceBoundary(Buffer.from(body).toString('latin1'), boundary), 'latin1');
  const text = bytes.toString('utf8');
  return bytes.equals(Buffer.from(text, 'utf8')) ? text : { base64: bytes.toString('base64') };
}

/** Gives each variable of a scheme or a fixed header a value, which then shows in the request. No token is fetched. */
function makeTestCredentials({ securitySchemes, headers }: UpstreamBinding): Record<string, string> {
  const names = Object.values(securitySchemes).flatMap(listSchemeCredentials);
  return makeTestSecrets([...names, ...listHeaderVariables(headers)]);
}

function makeTestSecrets(names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, `test-${name.toLowerCase().replaceAll('_', '-')}`]));
}

/** A placeholder is no valid certificate, so requests with one are not tested. */
export function listSchemeCredentials(scheme: SecuritySchemeBinding): string[] {
  return listSchemeVariables(scheme).flatMap(({ name, isSent }) => (isSent === true ? [name] : []));
}
