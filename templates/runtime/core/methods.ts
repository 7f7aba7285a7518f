// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** The table of methods. A revision's features say which of them it has; modules that a first list doesn't need load later. */
import type { FeatureLoaders, TasksFeature } from '../feature-loaders.ts';
import type { Call, Method } from './call.ts';
import { type Capability, declaredCapabilities } from './capabilities.ts';
import { listMethod } from './lists.ts';
import type { ServerInstance } from './server-instance.ts';
import { METHOD_NOT_FOUND, overLimit, ProtocolError } from '../protocol/protocol-error.ts';
import type { RevisionFeatures } from '../protocol/revisions.ts';
import type { Channel } from './session.ts';

interface MethodEntry {
  /** Absent until `load` has brought it. */
  run?: Method;
  /** Loads the method's module with the first request for it. */
  load?: () => Promise<Method>;
  /** The capability that must have been declared. */
  capability?: Capability;
  /** Counts as a call of the rate limit. Default false. */
  limited?: boolean;
}

/** All methods but `initialize`, which comes before a session has a revision. */
const METHODS: ReadonlyMap<string, MethodEntry> = new Map<string, MethodEntry>([
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
      load: async () => (await import('./tools/call-tool.ts')).callTool,
    },
  ],
  [
    'resources/read',
    {
      capability: 'resources',
      limited: true,
      load: async () => (await import('./resources/read-resource.ts')).readResource,
    },
  ],
  [
    'resources/subscribe',
    {
      capability: 'subscriptions',
      load: async () => (await import('./resources/find-resource.ts')).subscribe,
    },
  ],
  [
    'resources/unsubscribe',
    {
      capability: 'subscriptions',
      load: async () => (await import('./resources/find-resource.ts')).unsubscribe,
    },
  ],
  [
    'prompts/get',
    { capability: 'prompts', load: async () => (await import('./prompts/get-prompt.ts')).getPrompt },
  ],
  [
    'completion/complete',
    {
      capability: 'completions',
      limited: true,
      load: async () => (await import('./completion/complete.ts')).complete,
    },
  ],
  [
    'logging/setLevel',
    { capability: 'logging', load: async () => (await import('./log-level.ts')).setLevel },
  ],
  ['tasks/get', { capability: 'tasks', run: async (call) => (await loadTasks(call)).getTask(call) }],
  ['tasks/result', { capability: 'tasks', run: async (call) => (await loadTasks(call)).taskResult(call) }],
  ['tasks/update', { capability: 'tasks', run: async (call) => (await loadTasks(call)).updateTask(call) }],
  ['tasks/cancel', { capability: 'tasks', run: async (call) => (await loadTasks(call)).cancelTask(call) }],
  ['tasks/list', { capability: 'tasks', run: async (call) => (await loadTasks(call)).listTasks(call) }],
  ['server/discover', { load: async () => (await import('./modern/perform-modern.ts')).discover }],
  ['subscriptions/listen', { load: async () => (await import('./modern/listen.ts')).listen }],
]);

/** @throws {ProtocolError} `-32601` for what the revision or the project does not have; `-32603` over the rate limit. */
export async function findMethod(
  server: ServerInstance,
  name: string,
  features: RevisionFeatures,
  { limiter }: Channel,
): Promise<Method> {
  const declared = server.cache.capabilities ?? (await declaredCapabilities(server));
  const entry = features.methods.has(name) ? METHODS.get(name) : undefined;
  if (entry === undefined) throw new ProtocolError(METHOD_NOT_FOUND, `Unknown method: ${name}`, 'method');
  const { capability, limited, load } = entry;
  if (capability !== undefined && !declared.has(capability))
    throw new ProtocolError(METHOD_NOT_FOUND, `This server has no ${capability}.`, 'method');
  if (limited === true && limiter?.take() === false) throw overLimit('Too many calls.', limiter.waitSeconds);
  // Matchers of patterns and URIs are synchronous, so the features that they need load before.
  if (MATCHING.has(name)) await loadMatchers(server.features);
  const run = entry.run ?? (await load?.());
  if (run === undefined) throw new Error(`Nothing answers the method ${name}.`);
  return (entry.run = run);
}

/** Runs a method for a caller who has proved who it is, if it has the scopes that the request needs. */
export async function runForCaller(call: Call, method: string, run: Method): ReturnType<Method> {
  const { auth } = call.server;
  if (auth === undefined) throw new Error('A caller was asked who it is, but nothing says what it may do.');
  return (await auth.runtime()).runScoped(call, method, run);
}

/** Methods that check schemas, or look for the template of a URI. */
const MATCHING = new Set([
  'tools/call',
  'resources/read',
  'resources/subscribe',
  'prompts/get',
  'completion/complete',
]);

async function loadMatchers({ patterns, uriTemplates }: FeatureLoaders): Promise<void> {
  if (patterns !== undefined) await patterns();
  if (uriTemplates !== undefined) await uriTemplates();
}

async function loadTasks({ server: { features } }: Call): Promise<TasksFeature> {
  if (features.tasks === undefined) throw new Error('This server was made without tasks.');
  return features.tasks();
}
