/** Calls an API behind the server, through one client for each of the project's, since it keeps tokens. */
import type { HttpBinding } from '../../contract/bindings.ts';
import type { AuthInfo, Handlers } from '../../definition.ts';
import type { Mock } from '../../mock.ts';
import { ToolError } from '../../protocol/tool-error.ts';
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
import type { ListedAnswer } from '../../upstream/mock-answer.ts';
import { secretsOf } from '../../secret-variables.ts';
import { messageOf } from '../answer.ts';
import { guarded, HookError } from '../hook-error.ts';
import { openOnBehalf } from '../open-on-behalf.ts';
import type { Project } from '../project.ts';
import { outputValidator, toolsOf } from '../tools/tool-parts.ts';
import type { Work } from '../work.ts';

/** Of an error; they may go in a circle. */
const MOST_CAUSES = 4;

/** The APIs behind a project. */
export interface Apis {
  project: Project;
  /** By the name of the API. */
  clients: Map<string | undefined, UpstreamClient>;
}

export interface ProjectCallOptions extends Omit<CallOptions, 'caller' | 'onBehalf' | 'isOwnToken'> {
  work: Work;
  /** Who calls, where callers are asked who they are. */
  auth: AuthInfo | undefined;
}

/** @throws {UpstreamError} when the call came to no answer. */
export async function callUpstream(
  apis: Apis,
  binding: HttpBinding,
  args: Record<string, unknown>,
  { work, auth, ...options }: ProjectCallOptions,
): Promise<UpstreamAnswer> {
  const { project, clients } = apis;
  const client = clients.get(binding.api) ?? (await addClient(apis, binding));
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
    find(...wanted).catch((thrown: unknown) => {
      throw reported(project, thrown);
    });
  return { isOwnToken, onBehalf: { find: reporting, used } };
}

/**
 * The same error, without what the environment keeps secret. What the project's own code did not throw on purpose is told to
 * whoever runs the server: in one line, without a stack, since any caller can bring it about.
 */
function reported({ env, report }: Project, thrown: unknown): unknown {
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

async function addClient({ project, clients }: Apis, binding: HttpBinding): Promise<UpstreamClient> {
  const created = await createClient(project, binding);
  // Another call may have come first.
  const client = clients.get(binding.api) ?? created;
  clients.set(binding.api, client);
  return client;
}

async function createClient(project: Project, binding: HttpBinding): Promise<UpstreamClient> {
  const bindings = await project.bindings();
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
  const { createMockClient } = await import('../../upstream/mock-client.ts');
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

type Hooks = Pick<Handlers<object>, 'beforeRequest' | 'afterResponse'>;

function guardHooks({ beforeRequest, afterResponse }: Hooks): Hooks {
  return {
    ...(beforeRequest && { beforeRequest: async (request) => guarded(() => beforeRequest(request)) }),
    ...(afterResponse && {
      afterResponse: async (answer, request) => guarded(() => afterResponse(answer, request)),
    }),
  };
}
