/**
 * Whether the project's own code fits what the server lists. Types say it too, but what runs may have been written in
 * JavaScript, or before the document changed: found here, it is a message at the start instead of silence later.
 */
import { withoutFeature } from '../contract/feature.ts';
import { isRecord } from '../contract/json-value.ts';
import type { CatalogStore } from '../core/catalog-store.ts';
import type { ServerDefinition } from '../definition.ts';
import type { FeatureLoaders } from '../feature-loaders.ts';
import { membersOf, noSuch, placeOf } from './fault-words.ts';
import { UsageError } from './settings.ts';

/** What each member must be. */
const MEMBERS: Readonly<Record<string, 'a function' | 'an object' | 'an array'>> = {
  beforeRequest: 'a function',
  afterResponse: 'a function',
  tools: 'an object',
  extraTools: 'an array',
  prompts: 'an object',
  resources: 'an object',
  resourceTemplates: 'an object',
  completions: 'an object',
  started: 'a function',
  verifyToken: 'a function',
  upstreamCredentials: 'a function',
};

/** Those that are asked of callers alone. */
const OF_CALLERS = ['verifyToken', 'upstreamCredentials'];

/** @throws {UsageError} with a line for each thing that can't be used; `auth`: default, that callers are not asked who they are */
export async function checkHandlers(
  handlers: unknown,
  catalog: CatalogStore,
  { auth, features }: Pick<ServerDefinition, 'auth' | 'features'> = {},
): Promise<void> {
  const faults: string[] = [];
  for await (const fault of faultsOf(handlers, catalog, features)) faults.push(fault);
  if (auth === undefined) faults.push(...idleFaults(handlers));
  if (features !== undefined && features.tasks === undefined) faults.push(...taskFaults(handlers));
  if (faults.length === 0) return;
  throw new UsageError(
    `The code in src/handlers/ can't be used:\n${faults.map((one) => `- ${one}`).join('\n')}`,
  );
}

/** Loads the checks of what there is, since each module costs a start some time. */
async function* faultsOf(
  handlers: unknown,
  catalog: CatalogStore,
  features: FeatureLoaders | undefined,
): AsyncGenerator<string> {
  if (!isRecord(handlers)) return yield '`handlers` must be an object.';
  for (const [name, value] of Object.entries(handlers)) {
    const kind = Object.hasOwn(MEMBERS, name) ? MEMBERS[name] : undefined;
    if (kind === undefined) yield noSuch(`\`${name}\``, 'member of `handlers`', name, Object.keys(MEMBERS));
    else if (value !== undefined && !is(kind, value)) yield `\`${name}\` must be ${kind}.`;
  }
  const { tools, extraTools, prompts, resources, resourceTemplates, completions } = handlers;
  yield* toolFaults(tools, catalog);
  if (extraTools !== undefined)
    yield* (await import('./check-tools.ts')).extraToolFaults(extraTools, catalog, features);
  if (prompts !== undefined) yield* (await import('./check-items.ts')).promptFaults(prompts);
  if (resources !== undefined) yield* (await import('./check-items.ts')).resourceFaults(resources);
  if (resourceTemplates !== undefined) {
    await features?.uriTemplates?.();
    yield* (await import('./check-items.ts')).templateFaults(resourceTemplates);
  }
  if (completions !== undefined)
    yield* (await import('./check-items.ts')).completionFaults(handlers, catalog);
}

/** A client would see that a tool runs as a task, and could not start one. */
function* taskFaults(handlers: unknown): Generator<string> {
  const tools: unknown = isRecord(handlers) ? handlers['extraTools'] : undefined;
  for (const [index, tool] of (Array.isArray(tools) ? tools : []).entries()) {
    const execution: unknown = isRecord(tool) ? tool['execution'] : undefined;
    const support = isRecord(execution) ? execution['taskSupport'] : undefined;
    if (support === 'optional' || support === 'required')
      yield `\`extraTools[${index}]\` has \`execution.taskSupport\`. ${withoutFeature('tasks')}`;
  }
}

/** Nobody would ever ask them. */
function* idleFaults(handlers: unknown): Generator<string> {
  for (const name of OF_CALLERS)
    if (isRecord(handlers) && handlers[name] !== undefined)
      yield `\`${name}\` goes with OAuth, and this server asks nobody who they are: compile it with --auth oauth.`;
}

function is(kind: 'a function' | 'an object' | 'an array', value: unknown): boolean {
  if (kind === 'a function') return typeof value === 'function';
  return kind === 'an array' ? Array.isArray(value) : isRecord(value);
}

function* toolFaults(tools: unknown, catalog: CatalogStore): Generator<string> {
  const overrides = membersOf(tools);
  if (overrides.length === 0) return;
  const listed = new Set(catalog.items('tools').map(({ name }) => name));
  for (const [name, handler] of overrides) {
    const place = placeOf('tools', name);
    if (!listed.has(name)) yield noSuch(place, 'tool of the document', name, listed);
    else if (handler !== undefined && typeof handler !== 'function') yield `${place} must be a function.`;
  }
}
