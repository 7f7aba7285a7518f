/** Calls the API behind the server, through one client for the project, since it keeps tokens. */
import type { HttpBinding } from '../bindings.ts';
import type { Handlers } from '../definition.ts';
import type { Mock } from '../mock.ts';
import { readJson } from '../schema/json-text.ts';
import type { CallOptions, UpstreamAnswer, UpstreamClient } from '../upstream/index.ts';
import type { ListedAnswer } from '../upstream/mock-answer.ts';
import { messageOf } from './answer.ts';
import type { Project } from './project.ts';
import { outputValidator, toolsOf } from './tools/tool-parts.ts';

/** @throws {UpstreamError} when the call came to no answer. */
export async function callUpstream(
  project: Project,
  binding: HttpBinding,
  args: Record<string, unknown>,
  options: CallOptions,
): Promise<UpstreamAnswer> {
  const { parts } = project;
  if (parts.upstream === undefined) {
    const created = await createClient(project);
    // Another call may have come first.
    parts.upstream ??= created;
  }
  return parts.upstream.call(binding, args, options);
}

async function createClient(project: Project): Promise<UpstreamClient> {
  const [{ createUpstreamClient, defaultUpstreamLimits }, bindings] = await Promise.all([
    import('../upstream/index.ts'),
    project.bindings(),
  ]);
  const { filesRoot, baseUrl, defaultBaseUrl, env, info, handlers, upstreamLimits } = project;
  const { beforeRequest, afterResponse } = guardHooks(handlers);
  const api = bindings.upstream ?? { servers: [], securitySchemes: {} };
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
  const mock = readJson(project.readMock()) as Mock;
  return createMockClient(api, settings, mock, (tool) => listedAnswer(project, tool));
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

async function guarded<T>(hook: () => T | Promise<T>): Promise<T> {
  try {
    return await hook();
  } catch (thrown) {
    throw new HookError(messageOf(thrown), { cause: thrown });
  }
}
