/**
 * Whether the project's own code fits what the server lists. Types say it too, but what runs may have been written in
 * JavaScript, or before the document changed: found here, it is a message at the start instead of silence later.
 */
import type { CatalogStore } from '../core/catalog-store.ts';
import { isRecord } from '../protocol/json-rpc.ts';
import { completionFaults } from './check-completions.ts';
import { promptFaults } from './check-prompts.ts';
import { resourceFaults, templateFaults } from './check-resources.ts';
import { extraToolFaults } from './check-tools.ts';
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
};

/** @throws {UsageError} with a line for each thing that can't be used. */
export function checkHandlers(handlers: unknown, catalog: CatalogStore): void {
  const faults = [...faultsOf(handlers, catalog)];
  if (faults.length === 0) return;
  throw new UsageError(
    `The code in src/handlers/ can't be used:\n${faults.map((one) => `- ${one}`).join('\n')}`,
  );
}

function* faultsOf(handlers: unknown, catalog: CatalogStore): Generator<string> {
  if (!isRecord(handlers)) return yield '`handlers` must be an object.';
  for (const [name, value] of Object.entries(handlers)) {
    const kind = Object.hasOwn(MEMBERS, name) ? MEMBERS[name] : undefined;
    if (kind === undefined) yield noSuch(`\`${name}\``, 'member of `handlers`', name, Object.keys(MEMBERS));
    else if (value !== undefined && !is(kind, value)) yield `\`${name}\` must be ${kind}.`;
  }
  const { tools, extraTools, prompts, resources, resourceTemplates } = handlers;
  yield* toolFaults(tools, catalog);
  yield* extraToolFaults(extraTools, catalog);
  yield* promptFaults(prompts);
  yield* resourceFaults(resources);
  yield* templateFaults(resourceTemplates);
  yield* completionFaults(handlers, catalog);
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
