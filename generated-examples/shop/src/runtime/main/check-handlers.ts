/**
 * Whether the project's own code fits what the server lists. Types say it too, but what runs may have been written in
 * JavaScript, or before the document changed: found here, it is a message at the start instead of silence later.
 */
import type { Catalog, ListedPrompt } from '../catalog.ts';
import type { CatalogStore } from '../core/catalog-store.ts';
import { isRecord } from '../protocol/json-rpc.ts';
import { compileSchema, SchemaDefect } from '../schema/index.ts';
import { nearMiss } from '../schema/near-miss.ts';
import { parseUriTemplate } from '../uri-template/index.ts';
import { UsageError } from './settings.ts';

/** What each member must be. */
const MEMBERS: Readonly<Record<string, 'a function' | 'an object' | 'an array'>> = {
  beforeRequest: 'a function',
  afterResponse: 'a function',
  tools: 'an object',
  extraTools: 'an array',
  prompts: 'an object',
  completions: 'an object',
};

/** What MCP allows (2025-11-25, "Tool Names"). */
const TOOL_NAME = /^[A-Za-z0-9_.-]{1,128}$/;

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
  const { tools, extraTools, prompts, completions } = handlers;
  yield* toolFaults(tools, catalog);
  yield* extraToolFaults(extraTools, catalog);
  yield* promptFaults(prompts);
  yield* completionFaults(completions, catalog, prompts);
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

function* extraToolFaults(extraTools: unknown, catalog: CatalogStore): Generator<string> {
  if (!Array.isArray(extraTools) || extraTools.length === 0) return;
  const taken = new Set(catalog.items('tools').map(({ name }) => name));
  for (const [index, tool] of extraTools.entries()) {
    const place = `\`extraTools[${index}]\``;
    if (!isRecord(tool)) {
      yield `${place} must be an object.`;
      continue;
    }
    const { name, handler, inputSchema, outputSchema } = tool;
    yield* nameFaults(place, name, taken);
    if (typeof name === 'string') taken.add(name);
    if (typeof handler !== 'function') yield `${place}: \`handler\` must be a function.`;
    yield* textFaults(place, tool);
    yield* schemaFaults(`${place}: \`inputSchema\``, inputSchema);
    if (outputSchema !== undefined) yield* schemaFaults(`${place}: \`outputSchema\``, outputSchema);
  }
}

function* nameFaults(place: string, name: unknown, taken: ReadonlySet<string>): Generator<string> {
  if (typeof name !== 'string' || !TOOL_NAME.test(name)) {
    yield `${place}: \`name\` must be 1 to 128 of A–Z, a–z, 0–9, "_", "-" and ".", but is ${JSON.stringify(name)}.`;
  } else if (taken.has(name)) {
    yield (
      `${place}: a tool is named ${JSON.stringify(name)} already, and clients would see only one. Rename this ` +
      'one, or replace what the listed one does under `tools`.'
    );
  }
}

function* textFaults(place: string, item: Record<string, unknown>): Generator<string> {
  for (const member of ['title', 'description']) {
    const text = item[member];
    if (text !== undefined && typeof text !== 'string') yield `${place}: \`${member}\` must be a string.`;
  }
}

/** One schema that a client can't read makes it drop the whole list. */
function* schemaFaults(place: string, schema: unknown): Generator<string> {
  if (!isRecord(schema) || schema['type'] !== 'object') {
    return yield `${place} must be a JSON Schema with \`type: 'object'\` at the top.`;
  }
  const { properties = {}, required = [] } = schema;
  const areSchemas =
    isRecord(properties) &&
    Object.values(properties).every((one) => typeof one === 'boolean' || isRecord(one));
  if (!areSchemas) yield `${place}: \`properties\` must be an object of schemas.`;
  const areNames = Array.isArray(required) && required.every((one) => typeof one === 'string');
  if (!areNames) yield `${place}: \`required\` must be an array of names.`;
  try {
    JSON.stringify(schema);
    compileSchema(schema);
  } catch (thrown) {
    if (!(thrown instanceof SchemaDefect || thrown instanceof TypeError)) throw thrown;
    yield `${place} can't be used: ${thrown.message.split('\n')[0]}`;
  }
}

function* promptFaults(prompts: unknown): Generator<string> {
  for (const [name, prompt] of membersOf(prompts)) {
    const place = placeOf('prompts', name);
    if (!isRecord(prompt) || typeof prompt['handler'] !== 'function') {
      yield `${place} must be an object with a \`handler\` function.`;
      continue;
    }
    yield* textFaults(place, prompt);
    if (!isArgumentList(prompt['arguments'] ?? [])) {
      yield `${place}: \`arguments\` must be an array of objects with a \`name\`.`;
    }
  }
}

function isArgumentList(value: unknown): value is NonNullable<ListedPrompt['arguments']> {
  return Array.isArray(value) && value.every((one) => isRecord(one) && typeof one['name'] === 'string');
}

function* completionFaults(completions: unknown, catalog: CatalogStore, prompts: unknown): Generator<string> {
  const entries = membersOf(completions);
  if (entries.length === 0) return;
  const known = completable(catalog, prompts);
  for (const [key, handlers] of entries) {
    const place = placeOf('completions', key);
    const names = known.get(key);
    if (names === undefined) yield noSuch(place, 'prompt or resource template', key, known.keys());
    else if (!isRecord(handlers)) yield `${place} must be an object of functions, by argument.`;
    else yield* argumentFaults(place, handlers, names);
  }
}

function* argumentFaults(
  place: string,
  handlers: Record<string, unknown>,
  names: readonly string[],
): Generator<string> {
  for (const [argument, handler] of Object.entries(handlers)) {
    if (!names.includes(argument))
      yield noSuch(`${place}: \`${argument}\``, 'argument there', argument, names);
    else if (typeof handler !== 'function') yield `${place}: \`${argument}\` must be a function.`;
  }
}

/** What completes, and the names of its arguments. */
function completable(catalog: CatalogStore, own: unknown): Map<string, string[]> {
  const templates: Catalog['resourceTemplates'] = [...catalog.items('resourceTemplates')];
  const found = new Map(templates.map(({ uriTemplate }) => [uriTemplate, variablesOf(uriTemplate)]));
  for (const { name, arguments: listed = [] } of catalog.items('prompts')) {
    found.set(
      name,
      listed.map((one) => one.name),
    );
  }
  for (const [name, prompt] of membersOf(own)) {
    const listed = isRecord(prompt) ? prompt['arguments'] : undefined;
    found.set(name, isArgumentList(listed) ? listed.map((one) => one.name) : []);
  }
  return found;
}

function variablesOf(uriTemplate: string): string[] {
  return parseUriTemplate(uriTemplate).flatMap((part) =>
    'literal' in part ? [] : part.variables.map(({ name }) => name),
  );
}

function membersOf(value: unknown): [name: string, member: unknown][] {
  return isRecord(value) ? Object.entries(value) : [];
}

function placeOf(member: string, key: string): string {
  return `\`${member}[${JSON.stringify(key)}]\``;
}

function noSuch(place: string, what: string, name: string, known: Iterable<string>): string {
  const meant = nearMiss(name, known);
  return `${place}: there is no such ${what}.${meant === undefined ? '' : ` Did you mean ${JSON.stringify(meant)}?`}`;
}
