/** Calls an API behind the server, through one client for each of the project's, since it keeps tokens. */
import type { HttpBinding } from '../bindings.ts';
import type { AuthInfo, Handlers } from '../definition.ts';
import type { OnBehalf } from '../on-behalf.ts';
import type { Mock } from '../mock.ts';
import { ToolError } from '../protocol/tool-error.ts';
import { readJson } from '../schema/json-text.ts';
import type { CallOptions, UpstreamAnswer, UpstreamClient } from '../upstream/index.ts';
import type { ListedAnswer } from '../upstream/mock-answer.ts';
import { secretsOf } from '../secret-variables.ts';
import { messageOf } from './answer.ts';
import type { Project } from './project.ts';
import { outputValidator, toolsOf } from './tools/tool-parts.ts';
import type { Work } from './work.ts';

export interface ProjectCallOptions extends Omit<CallOptions, 'caller' | 'onBehalf' | 'isOwnToken'> {
  work: Work;
  /** Who calls, where callers are asked who they are. */
  auth: AuthInfo | undefined;
}

/** @throws {UpstreamError} when the call came to no answer. */
export async function callUpstream(
  project: Project,
  binding: HttpBinding,
  args: Record<string, unknown>,
  { work, auth, ...options }: ProjectCallOptions,
): Promise<UpstreamAnswer> {
  const clients = (project.parts.upstreams ??= new Map<string | undefined, UpstreamClient>());
  const client = clients.get(binding.api) ?? (await addClient(project, binding, clients));
  const ofCaller = auth === undefined ? {} : await forCaller(project, auth, work);
  return client.call(binding, args, { ...options, caller: work, ...ofCaller });
}

/** Without `onBehalf` the server's own credentials count. The caller's token goes to no API either way. */
async function forCaller(
  project: Project,
  caller: AuthInfo,
  work: Work,
): Promise<Pick<CallOptions, 'onBehalf' | 'isOwnToken'>> {
  if (project.readMock !== undefined || project.auth === undefined) return {};
  const { holdsToken } = await project.auth.runtime();
  const isOwnToken = (text: string): boolean => holdsToken(caller, text);
  const onBehalf = await (project.parts.onBehalf ??= openOnBehalf(project));
  if (onBehalf === undefined) return { isOwnToken };
  const used = (schemes: readonly string[]): void => work.audited?.onBehalf(schemes);
  const { find } = onBehalf(caller);
  const reporting: typeof find = (...wanted) =>
    find(...wanted).catch(async (thrown: unknown) => {
      throw await reported(project, thrown);
    });
  return { isOwnToken, onBehalf: { find: reporting, used } };
}

/**
 * The same error, without what the environment keeps secret. What the project's own code did not throw on purpose is told to
 * whoever runs the server.
 */
async function reported({ env, report }: Project, thrown: unknown): Promise<unknown> {
  const { redactor, withoutSecrets } = await import('../upstream/redact.ts');
  const shown = withoutSecrets(thrown, redactor(secretsOf(env)));
  if (shown instanceof HookError && !(shown.cause instanceof ToolError)) report(shown.cause);
  return shown;
}

/**
 * What brings credentials of callers, if something does.
 *
 * @throws {UsageError} where the environment or the configuration says what can't be used; so it may reject
 */
export async function openOnBehalf({
  auth,
  env,
  handlers,
  bindings,
  report,
}: Project): Promise<OnBehalf | undefined> {
  if (auth === undefined) return undefined;
  const [runtime, data] = await Promise.all([auth.runtime(), bindings()]);
  const { upstreamCredentials: hook } = handlers;
  const upstreamCredentials: typeof hook =
    hook && (async (request) => guarded(() => hook(request), credentialsWords));
  return runtime.openOnBehalf({ definition: auth, env, bindings: data, upstreamCredentials, report });
}

async function addClient(
  project: Project,
  binding: HttpBinding,
  clients: Map<string | undefined, UpstreamClient>,
): Promise<UpstreamClient> {
  const created = await createClient(project, binding);
  // Another call may have come first.
  const client = clients.get(binding.api) ?? created;
  clients.set(binding.api, client);
  return client;
}

async function createClient(project: Project, binding: HttpBinding): Promise<UpstreamClient> {
  const [{ apiOf, createUpstreamClient, defaultUpstreamLimits }, bindings] = await Promise.all([
    import('../upstream/index.ts'),
    project.bindings(),
  ]);
  const { filesRoot, baseUrl, defaultBaseUrl, env, info, handlers, upstreamLimits } = project;
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
  if (project.readMock === undefined) return createUpstreamClient(api, settings);
  const { createMockClient } = await import('../upstream/mock-client.ts');
  const { apis = {}, ...mock } = readJson(project.readMock()) as Mock;
  const own = binding.api === undefined ? mock : (apis[binding.api] ?? mock);
  return createMockClient(api, settings, own, (tool) => listedAnswer(project, tool));
}

function listedAnswer(project: Project, name: string): ListedAnswer | undefined {
  const tool = toolsOf(project).get(name);
  const validate = tool && outputValidator(tool);
  const schema = tool?.listed.outputSchema;
  return schema && validate && { schema, isValid: (value) => validate(value).length === 0 };
}

/** What one of the project's own hooks threw: its words are meant for the one who asked. */
export class HookError extends Error {
  override readonly name = 'HookError';
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

async function guarded<T>(hook: () => T | Promise<T>, wordsOf = messageOf): Promise<T> {
  try {
    return await hook();
  } catch (thrown) {
    throw new HookError(wordsOf(thrown), { cause: thrown });
  }
}

/** What looks for credentials may say them in its errors. */
function credentialsWords(thrown: unknown): string {
  if (thrown instanceof ToolError) return thrown.message;
  return 'The API was not called: credentials of its caller could not be looked for. The log of the server says why.';
}
