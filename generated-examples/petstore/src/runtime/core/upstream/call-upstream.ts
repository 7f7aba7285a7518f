/** Calls an API behind the server, through one client for each of the project's, since it keeps tokens. */
import type { HttpBinding } from '../../contract/bindings.ts';
import { withoutFeature } from '../../contract/feature.ts';
import type { AuthInfo, Handlers } from '../../definition.ts';
import type { Mock } from '../../mock.ts';
import { ToolError } from '../../protocol/protocol-error.ts';
import { readJson } from '../../contract/json-text.ts';
import { redactor, withoutSecrets } from '../../redact.ts';
import {
  apiOf,
  type CallOptions,
  createUpstreamClient,
  defaultUpstreamLimits,
  type UpstreamAnswer,
  type UpstreamClient,
} from '../../upstream/index.ts';
import type { ListedAnswer } from '../../feature-loaders.ts';
import { secretsOf } from '../../secret-variables.ts';
import { messageOf } from '../answer.ts';
import { guarded, HookError } from '../hook-error.ts';
import { openOnBehalf } from '../open-on-behalf.ts';
import type { ServerInstance } from '../server-instance.ts';
import { outputValidator, toolsOf } from '../tools/tool-entry.ts';
import type { InFlightRequest } from '../in-flight-request.ts';

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
