/** The methods by name; which revision has which, its features say. What a first list doesn't need is loaded when first asked for. */
import type { FeatureLoaders, TasksFeature } from '../feature-loaders.ts';
import type { Call, Method } from './call.ts';
import type { Capability } from './capabilities.ts';
import { listMethod } from './lists.ts';
import { METHOD_NOT_FOUND, overLimit, ProtocolError } from '../protocol/protocol-error.ts';
import type { RevisionFeatures } from '../protocol/revisions.ts';
import type { Channel } from './session.ts';

export interface MethodEntry {
  run: Method;
  /** The capability that must have been declared. */
  capability?: Capability;
  /** Counts as a call of the rate limit. Default false. */
  limited?: boolean;
}

/** `initialize` is not here: it comes before there is a revision to have methods. */
export const METHODS: ReadonlyMap<string, MethodEntry> = new Map<string, MethodEntry>([
  ['ping', { run: async () => ({}) }],
  ['tools/list', { capability: 'tools', limited: true, run: listMethod('tools') }],
  ['resources/list', { capability: 'resources', limited: true, run: listMethod('resources') }],
  [
    'resources/templates/list',
    { capability: 'resources', limited: true, run: listMethod('resourceTemplates') },
  ],
  ['prompts/list', { capability: 'prompts', limited: true, run: listMethod('prompts') }],
  [
    'tools/call',
    {
      capability: 'tools',
      limited: true,
      run: lazily(async () => (await import('./tools/call-tool.ts')).callTool),
    },
  ],
  [
    'resources/read',
    {
      capability: 'resources',
      limited: true,
      run: lazily(async () => (await import('./resources/read-resource.ts')).readResource),
    },
  ],
  [
    'resources/subscribe',
    {
      capability: 'subscriptions',
      run: lazily(async () => (await import('./resources/find-resource.ts')).subscribe),
    },
  ],
  [
    'resources/unsubscribe',
    {
      capability: 'subscriptions',
      run: lazily(async () => (await import('./resources/find-resource.ts')).unsubscribe),
    },
  ],
  [
    'prompts/get',
    { capability: 'prompts', run: lazily(async () => (await import('./prompts/get-prompt.ts')).getPrompt) },
  ],
  [
    'completion/complete',
    {
      capability: 'completions',
      limited: true,
      run: lazily(async () => (await import('./completion/complete.ts')).complete),
    },
  ],
  [
    'logging/setLevel',
    { capability: 'logging', run: lazily(async () => (await import('./log-level.ts')).setLevel) },
  ],
  ['tasks/get', { capability: 'tasks', run: async (call) => (await tasksFor(call)).getTask(call) }],
  ['tasks/result', { capability: 'tasks', run: async (call) => (await tasksFor(call)).taskResult(call) }],
  ['tasks/update', { capability: 'tasks', run: async (call) => (await tasksFor(call)).updateTask(call) }],
  ['tasks/cancel', { capability: 'tasks', run: async (call) => (await tasksFor(call)).cancelTask(call) }],
  ['tasks/list', { capability: 'tasks', run: async (call) => (await tasksFor(call)).listTasks(call) }],
  ['server/discover', { run: lazily(async () => (await import('./modern/perform-modern.ts')).discover) }],
  ['subscriptions/listen', { run: lazily(async () => (await import('./modern/listen.ts')).listen) }],
]);

/** Each module loads with the first request that needs it. */
function lazily(load: () => Promise<Method>): Method {
  let method: Promise<Method> | undefined;
  return async (call) => (await (method ??= load()))(call);
}

/** @throws {ProtocolError} `-32601` for what the revision or the project does not have; `-32603` over the rate limit. */
export function methodFor(
  name: string,
  declared: ReadonlySet<Capability>,
  features: RevisionFeatures,
  channel: Channel,
): Method {
  const entry = features.methods.has(name) ? METHODS.get(name) : undefined;
  if (entry === undefined) throw new ProtocolError(METHOD_NOT_FOUND, `Unknown method: ${name}`, 'method');
  const { capability, limited, run } = entry;
  if (capability !== undefined && !declared.has(capability))
    throw new ProtocolError(METHOD_NOT_FOUND, `This server has no ${capability}.`, 'method');
  if (limited === true) spendCall(channel);
  return run;
}

function spendCall({ limiter }: Channel): void {
  if (limiter === undefined || limiter.take()) return;
  throw overLimit('Too many calls.', limiter.waitSeconds);
}

/** Methods that check schemas, or look for the template of a URI. */
const MATCHING = new Set([
  'tools/call',
  'resources/read',
  'resources/subscribe',
  'prompts/get',
  'completion/complete',
]);

/** Loads the features that plain matchers of patterns and URIs leave the rest to: they are asked without waiting. */
async function loadMatchers({ patterns, uriTemplates }: FeatureLoaders): Promise<void> {
  if (patterns !== undefined) await patterns();
  if (uriTemplates !== undefined) await uriTemplates();
}

/** Runs a request's method; where callers prove who they are, only with the scopes that it needs. */
export async function runMethod(call: Call, method: string, run: Method): ReturnType<Method> {
  const { server, context } = call;
  if (MATCHING.has(method)) await loadMatchers(server.features);
  if (context.caller === undefined) return run(call);
  if (server.auth === undefined)
    throw new Error('A caller was asked who it is, but nothing says what it may do.');
  const { runScoped } = await server.auth.runtime();
  return runScoped(call, method, run);
}

/** Asked of servers that have declared tasks. */
async function tasksFor({ server: { features } }: Call): Promise<TasksFeature> {
  if (features.tasks === undefined) throw new Error('This server was made without tasks.');
  return features.tasks();
}
