/** Calls the APIs behind a server for its tools and resources, through one client for each API, since it keeps tokens. */
import type { UpstreamFeatures } from '../../upstream/upstream-features.ts';
import type { BoundUpstream, BoundRequest } from '../../upstream-part.ts';
import type { ServerInstance } from '../server-instance.ts';
import type { HttpBinding } from '../../contract/bindings.ts';
import { withoutFeature } from '../../contract/feature.ts';
import type { AuthInfo, Handlers } from '../../definition.ts';
import type { Mock } from '../../mock.ts';
import { ToolError, INTERNAL_ERROR, ProtocolError } from '../../protocol/protocol-error.ts';
import { readJson } from '../../contract/json-text.ts';
import { isRecord } from '../../contract/json-value.ts';
import { redactor, withoutSecrets, secretsOf } from '../../redact.ts';
import {
  apiOf,
  type CallOptions,
  createUpstreamClient,
  defaultUpstreamLimits,
  type UpstreamAnswer,
  type UpstreamClient,
  toToolResult,
  UpstreamError,
  toResourceContents,
} from '../../upstream/index.ts';
import type { ListedAnswer } from '../../feature-loaders.ts';
import { messageOf } from '../answer.ts';
import { guarded, HookError, openOnBehalf } from '../open-on-behalf.ts';
import { outputValidator, toolsOf } from '../tools/tool-entry.ts';
import type { InFlightRequest, Call } from '../call.ts';
import type { LooseResult, ResourceContents } from '../../protocol/content.ts';
import type { Json } from '../../contract/json-schema.ts';
import { CallContext } from '../call-context.ts';
import { failure } from '../handler-result.ts';
import { unknownResource } from '../resources/find-resource.ts';
import { isRequestId } from '../../protocol/json-rpc.ts';

/** `clients`: those that there are already, by the name of their API. Default none. */
export function openUpstream(server: ServerInstance, clients: Apis['clients'] = new Map()): BoundUpstream {
  const apis = { server, clients };
  return {
    tool: async (call, request) => callApi(apis, call, request),
    resource: async (call, uri, request) => readFromApi(apis, call, uri, request),
  };
}

/** Of an error; they may go in a circle. */
const MOST_CAUSES = 4;

/** The APIs behind a project. */
export interface Apis {
  server: ServerInstance;
  /** By the name of the API. */
  clients: Map<string | undefined, UpstreamClient>;
}

export interface ProjectCallOptions extends Omit<CallOptions, 'caller' | 'onBehalf' | 'isOwnToken'> {
  inFlight: InFlightRequest;
  /** Who calls, where callers are asked who they are. */
  auth: AuthInfo | undefined;
}

/** @throws {UpstreamError} when the call came to no answer. */
export async function callUpstream(
  apis: Apis,
  binding: HttpBinding,
  args: Record<string, unknown>,
  { inFlight, auth, ...options }: ProjectCallOptions,
): Promise<UpstreamAnswer> {
  const { server, clients } = apis;
  const client = clients.get(binding.api) ?? (await addClient(apis, binding));
  const ofCaller = auth === undefined ? {} : await forCaller(server, auth, inFlight);
  return client.call(binding, args, { ...options, caller: inFlight, ...ofCaller });
}

/** Without `onBehalf` the server's own credentials count. The caller's token goes to no API either way. */
async function forCaller(
  server: ServerInstance,
  caller: AuthInfo,
  inFlight: InFlightRequest,
): Promise<Pick<CallOptions, 'onBehalf' | 'isOwnToken'>> {
  if (server.readMock !== undefined || server.auth === undefined) return {};
  const { holdsToken } = await server.auth.runtime();
  const isOwnToken = (text: string): boolean => holdsToken(caller, text);
  const onBehalf = await (server.cache.onBehalf ??= openOnBehalf(server));
  if (onBehalf === undefined) return { isOwnToken };
  const used = (schemes: readonly string[]): void => inFlight.audited?.onBehalf(schemes);
  const { find } = onBehalf(caller);
  const reporting: typeof find = (...wanted) =>
    find(...wanted).catch((thrown: unknown) => {
      throw reported(server, thrown);
    });
  return { isOwnToken, onBehalf: { find: reporting, used } };
}

/**
 * The same error, without what the environment keeps secret. What the project's own code did not throw on purpose is told to
 * whoever runs the server: in one line, without a stack, since any caller can bring it about.
 */
function reported({ env, report }: ServerInstance, thrown: unknown): unknown {
  const redact = redactor(secretsOf(env));
  const shown = withoutSecrets(thrown, redact);
  if (shown instanceof HookError && !(shown.cause instanceof ToolError))
    report(`\`upstreamCredentials\` failed: ${redact(chainOf(shown.cause))}`);
  return shown;
}

/** The words of what was thrown and of its causes (`fetch` says only there what failed), on one line. */
function chainOf(thrown: unknown): string {
  const words: string[] = [];
  for (let each = thrown; words.length < MOST_CAUSES; each = each.cause) {
    words.push(messageOf(each).replaceAll(/\s+/g, ' '));
    if (!(each instanceof Error) || each.cause === undefined) break;
  }
  return words.join(': ');
}

async function addClient({ server, clients }: Apis, binding: HttpBinding): Promise<UpstreamClient> {
  const created = await createClient(server, binding);
  // Another call may have come first.
  const client = clients.get(binding.api) ?? created;
  clients.set(binding.api, client);
  return client;
}

async function createClient(server: ServerInstance, binding: HttpBinding): Promise<UpstreamClient> {
  const bindings = await server.bindings();
  const { filesRoot, baseUrl, defaultBaseUrl, env, info, handlers, upstreamLimits } = server;
  const { beforeRequest, afterResponse } = guardHooks(handlers);
  const api = apiOf(bindings, binding);
  const settings = {
    env,
    limits: { ...defaultUpstreamLimits, ...upstreamLimits },
    userAgent: `${info.name}/${info.version}`,
    features: server.features as UpstreamFeatures,
    ...(filesRoot === undefined ? {} : { filesRoot }),
    ...(baseUrl === undefined ? {} : { baseUrl }),
    ...(defaultBaseUrl === undefined ? {} : { defaultBaseUrl }),
    ...(beforeRequest === undefined ? {} : { beforeRequest }),
    ...(afterResponse === undefined ? {} : { afterResponse }),
  };
  if (server.readMock === undefined) return createUpstreamClient(api, settings);
  const { mockApi } = server.features;
  if (mockApi === undefined) throw new Error(withoutFeature('mock'));
  const { apis = {}, ...mock } = readJson(server.readMock()) as Mock;
  const own = binding.api === undefined ? mock : (apis[binding.api] ?? mock);
  return (await mockApi()).createMockClient(api, settings, own, (tool) => listedAnswer(server, tool));
}

function listedAnswer(server: ServerInstance, name: string): ListedAnswer | undefined {
  const tool = toolsOf(server).get(name);
  const validate = tool && outputValidator(tool);
  const schema = tool?.listed.outputSchema;
  return schema && validate && { schema, isValid: (value) => validate(value).length === 0 };
}

type Hooks = Pick<Handlers<object>, 'beforeRequest' | 'afterResponse'>;

function guardHooks({ beforeRequest, afterResponse }: Hooks): Hooks {
  return {
    ...(beforeRequest && { beforeRequest: async (request) => guarded(() => beforeRequest(request)) }),
    ...(afterResponse && {
      afterResponse: async (answer, request) => guarded(() => afterResponse(answer, request)),
    }),
  };
}

/** Does a tool's work by a request to its API. */
export async function callApi(
  apis: Apis,
  call: Call,
  { binding, args, tool }: BoundRequest,
): Promise<LooseResult> {
  try {
    const answer = await withPings(call, (onItems) =>
      callUpstream(apis, binding, args, {
        inFlight: call.inFlight,
        auth: call.context.caller?.auth,
        savesFiles: true,
        onItems,
        headers: call.context.passedHeaders,
        tool,
      }),
    );
    const result = toToolResult(answer, binding);
    return binding.result?.wrapped === true ? wrap(result) : result;
  } catch (thrown) {
    if (thrown instanceof UpstreamError || thrown instanceof HookError) return failure(thrown.message);
    // Of a tree that `JSON.parse` could read, and nothing that goes down by itself can follow.
    if (thrown instanceof RangeError)
      return failure("The API's answer is nested too deeply to be passed on. Ask for less of it.");
    throw thrown;
  }
}

/** Output schemas are objects, so a value that may be none is listed, and answered, as `{ result }`. */
function wrap(result: LooseResult): LooseResult {
  const { structuredContent: value } = result;
  return value === undefined ? result : { ...result, structuredContent: { result: value } satisfies Json };
}

/** Reads the resource at `uri` by a request to its API. */
export async function readFromApi(
  apis: Apis,
  call: Call,
  uri: string,
  { binding, args, tool }: BoundRequest,
): Promise<ResourceContents[]> {
  try {
    const answer = await withPings(call, (onItems) =>
      callUpstream(apis, binding, args, {
        inFlight: call.inFlight,
        auth: call.context.caller?.auth,
        onItems,
        headers: call.context.passedHeaders,
        tool,
      }),
    );
    if (answer.status === 404 || answer.status === 410) throw unknownResource(call, uri);
    return toResourceContents(answer, uri);
  } catch (thrown) {
    if (!(thrown instanceof UpstreamError || thrown instanceof HookError)) throw thrown;
    throw new ProtocolError(INTERNAL_ERROR, thrown.message, 'work', { uri });
  }
}

/** Told how many items of an answer have come, as more come. */
export type OnItems = (count: number) => void;

/**
 * Does the work, and meanwhile reports the seconds since it began: every `progressIntervalMs` milliseconds, and with
 * each item of an answer that comes in items. Without a `progressToken` nobody listens, and no timer is set.
 */
export function withPings<T>(call: Call, work: (onItems?: OnItems) => Promise<T>): Promise<T> {
  const { _meta: meta } = call.params;
  return isRecord(meta) && isRequestId(meta['progressToken']) ? ping(call, work) : work();
}

async function ping<T>(call: Call, work: (onItems?: OnItems) => Promise<T>): Promise<T> {
  const { limits, report } = call.server;
  const { progress } = new CallContext(call);
  const began = performance.now();
  let items = 0;
  // One scale for both: progress must rise, and nobody knows how many items there will be.
  const tell = (seconds: number): void => {
    const words = items === 0 ? 'Waiting for the API.' : `${items} ${items === 1 ? 'item' : 'items'} so far.`;
    progress(seconds, undefined, words).catch(report);
  };
  const timer = setInterval(() => tell(Math.round(secondsSince(began))), limits.progressIntervalMs);
  try {
    return await work((count) => {
      items = count;
      tell(secondsSince(began));
    });
  } finally {
    clearInterval(timer);
  }
}

function secondsSince(began: number): number {
  return (performance.now() - began) / 1_000;
}
