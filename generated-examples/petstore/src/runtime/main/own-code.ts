// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** The handle that `started` gets, and checks of the tools, prompts, resources and completions that handlers add. */
import { missingFeatureText } from '../contract/feature.ts';
import { isHttpToken } from '../contract/http-syntax.ts';
import { type ListedPrompt, SURFACE_TOOLS } from '../contract/json-schema.ts';
import { isRecord } from '../contract/json-value.ts';
import {
  UriTemplateError,
  checkTemplate,
  listTemplateVariables,
  listUnprovenPatterns,
} from '../contract/patterns.ts';
import {
  type CatalogStore,
  addOrReplaceItem,
  removeItem,
  toListedPrompt,
  toListedResource,
  toListedTool,
} from '../core/catalog-store.ts';
import { type ServerInstance, declaredCapabilities } from '../core/server-instance.ts';
import type { ServerEvent } from '../core/session.ts';
import type { Ending, ServerHandle } from '../definition.ts';
import type { FeatureLoaders } from '../feature-loaders.ts';
import { SchemaDefect, compileSchema } from '../schema/compile-schema.ts';
import {
  TEXTS,
  formatMember,
  functionFaults,
  kindFaults,
  listEntries,
  unknownMemberText,
  formatStack,
} from './open-project.ts';

/**
 * Runs `started` of the handlers, then the functions that are to run at the start.
 * @returns an ending that undoes these, the last first
 * @throws {Error} with the place of the failure, after undoing the earlier ones
 */
export async function startOwnCode(instance: ServerInstance): Promise<Ending> {
  const server = await createServerHandle(instance);
  const ends: Ending[] = [];
  const runEndings = async (): Promise<void> => {
    for (const each of ends.splice(0).reverse()) {
      try {
        await each();
      } catch (thrown) {
        instance.report(thrown);
      }
    }
  };
  const start = async (name: string, begin: () => unknown): Promise<void> => {
    try {
      const ending = await begin();
      if (typeof ending === 'function') ends.push(ending as Ending);
    } catch (thrown) {
      throw new Error(`${name} failed. ${formatStack(thrown)}`, { cause: thrown });
    }
  };
  try {
    const { started: ofHandlers } = instance.handlers;
    await start('`started` of src/handlers/', () => ofHandlers?.(server));
    if (instance.functions?.started !== true) return runEndings;
    await (await instance.functions.runtime()).runStartFunctions(instance, server, start);
    return runEndings;
  } catch (thrown) {
    await runEndings();
    throw thrown;
  }
}

type List = Extract<ServerEvent, { kind: 'list-changed' }>['list'];

/** Fixes the capabilities that the server declares: from now on only kinds that it has can be added to. */
export async function createServerHandle(server: ServerInstance): Promise<ServerHandle> {
  const { bus, catalog, handlers, cache } = server;
  const declared = await declaredCapabilities(server);
  const assertChangeAllowed = (kind: List | 'tasks', faults: Iterable<string> = []): void => {
    if (!declared.has(kind))
      throw new Error(
        `The server had no ${kind} when it started, so its clients were told of none and would not look. ` +
          `Give it one in src/handlers/, and others can be added to it.`,
      );
    const words = [...faults];
    if (words.length > 0) throw new Error(words.join('\n'));
  };
  const removeListedItem = (list: List, key: string, forget: () => void): boolean => {
    if (!removeItem(catalog, list, key)) return false;
    forget();
    notifyListChanged(server, list);
    return true;
  };
  return {
    resourceUpdated: (uri) => bus.publishEvent({ kind: 'resource-updated', uri }),
    resourcesChanged: () => notifyListChanged(server, 'resources'),
    addTool: (tool) => {
      assertChangeAllowed('tools', ownToolFaults('`addTool`', tool, toolNameRules(catalog), server.features));
      if ((tool.execution?.taskSupport ?? 'forbidden') !== 'forbidden') assertChangeAllowed('tasks');
      const listed = toListedTool(tool);
      handlers.extraTools = [...(handlers.extraTools ?? []), tool];
      addOrReplaceItem(catalog, 'tools', listed);
      notifyListChanged(server, 'tools');
    },
    removeTool: (name) =>
      removeListedItem('tools', name, () => {
        handlers.extraTools = handlers.extraTools?.filter((tool) => tool.name !== name) ?? [];
        cache.tools?.open.delete(name);
      }),
    addPrompt: (name, prompt) => {
      assertChangeAllowed('prompts', promptFaults({ [name]: prompt }));
      const listed = toListedPrompt(name, prompt);
      handlers.prompts = { ...handlers.prompts, [name]: prompt };
      addOrReplaceItem(catalog, 'prompts', listed);
      cache.prompts?.set(name, listed);
      notifyListChanged(server, 'prompts');
    },
    removePrompt: (name) =>
      removeListedItem('prompts', name, () => {
        handlers.prompts = omitMember(handlers.prompts, name);
        cache.prompts?.delete(name);
      }),
    addResource: (uri, resource) => {
      assertChangeAllowed('resources', resourceFaults({ [uri]: resource }));
      handlers.resources = { ...handlers.resources, [uri]: resource };
      addOrReplaceItem(catalog, 'resources', toListedResource(uri, resource));
      notifyListChanged(server, 'resources');
    },
    removeResource: (uri) =>
      removeListedItem('resources', uri, () => (handlers.resources = omitMember(handlers.resources, uri))),
  };
}

function notifyListChanged({ bus, cache }: ServerInstance, list: List): void {
  for (const key of cache.texts?.keys() ?? []) if (key.startsWith(`${list} `)) cache.texts?.delete(key);
  bus.publishEvent({ kind: 'list-changed', list });
}

function omitMember<T>(items: Readonly<Record<string, T>> = {}, key: string): Record<string, T> {
  return Object.fromEntries(Object.entries(items).filter(([name]) => name !== key));
}

/** The APIs of OpenAI and Anthropic refuse a whole request for one other name (2026-11); `spec` has MCP's alphabet. */
const NAMES = {
  models: { form: /^[A-Za-z0-9_-]{1,64}$/, words: '1 to 64 of A–Z, a–z, 0–9, "_" and "-"' },
  spec: { form: /^[A-Za-z0-9_./-]{1,128}$/, words: '1 to 128 of A–Z, a–z, 0–9, "_", "-", "." and "/"' },
};

interface NameRules {
  form: RegExp;
  words: string;
  taken: Set<string>;
}

function toolNameRules(catalog: CatalogStore): NameRules {
  const taken = new Set(catalog.keys('tools'));
  return { ...NAMES[catalog.toolNames ?? 'models'], taken };
}

export function* extraToolFaults(
  extraTools: unknown,
  catalog: CatalogStore,
  features?: FeatureLoaders,
): Generator<string> {
  if (!Array.isArray(extraTools) || extraTools.length === 0) return;
  const names = toolNameRules(catalog);
  for (const [index, tool] of extraTools.entries()) {
    yield* ownToolFaults(`\`extraTools[${index}]\``, tool, names, features);
    if (isRecord(tool) && typeof tool['name'] === 'string') names.taken.add(tool['name']);
  }
  if (features !== undefined && features.tasks === undefined) yield* taskSupportFaults(extraTools);
}

/** A client would see that a tool runs as a task, and could not start one. */
function* taskSupportFaults(tools: readonly unknown[]): Generator<string> {
  for (const [index, tool] of tools.entries()) {
    const execution = isRecord(tool) ? tool['execution'] : undefined;
    const support = isRecord(execution) ? execution['taskSupport'] : undefined;
    if (support === 'optional' || support === 'required')
      yield `\`extraTools[${index}]\` has \`execution.taskSupport\`. ${missingFeatureText('tasks')}`;
  }
}

export function* ownToolFaults(
  place: string,
  tool: unknown,
  names: NameRules,
  features?: FeatureLoaders,
): Generator<string> {
  if (!isRecord(tool)) return yield `${place} must be an object.`;
  const { name, handler, inputSchema, outputSchema } = tool;
  yield* nameFaults(place, name, names);
  if (typeof handler !== 'function') yield `${place}: \`handler\` must be a function.`;
  yield* kindFaults(place, tool, { prepare: 'a function', ...TEXTS });
  yield* taskExecutionFaults(place, tool);
  yield* schemaFaults(`${place}: \`inputSchema\``, inputSchema, features);
  if (outputSchema !== undefined) yield* schemaFaults(`${place}: \`outputSchema\``, outputSchema, features);
}

function* nameFaults(place: string, name: unknown, { form, words, taken }: NameRules): Generator<string> {
  if (typeof name !== 'string' || !form.test(name)) {
    yield `${place}: \`name\` must be ${words}, but is ${JSON.stringify(name)}.`;
  } else if (SURFACE_TOOLS.includes(name)) {
    yield `${place}: ${JSON.stringify(name)} is the name of a tool that searches or calls others. Rename this one.`;
  } else if (taken.has(name)) {
    yield (
      `${place}: a tool is named ${JSON.stringify(name)} already, and clients would see only one. Rename this ` +
      'one, or replace what the listed one does under `tools`.'
    );
  }
}

function* taskExecutionFaults(place: string, { execution }: Record<string, unknown>): Generator<string> {
  if (execution === undefined) return;
  const support = isRecord(execution) ? (execution['taskSupport'] ?? 'forbidden') : undefined;
  if (support === 'forbidden' || support === 'optional' || support === 'required') return;
  yield `${place}: \`execution.taskSupport\` must be 'forbidden', 'optional' or 'required'.`;
}

/** A client drops the whole list if it can't read one schema. */
function* schemaFaults(
  place: string,
  schema: unknown,
  features: FeatureLoaders | undefined,
): Generator<string> {
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
    return yield `${place} can't be used: ${thrown.message.split('\n')[0]}`;
  }
  if (features !== undefined && features.patterns === undefined)
    for (const pattern of listUnprovenPatterns(schema))
      yield `${place} has the pattern ${pattern}. ${missingFeatureText('patterns')}`;
  yield* findMirroredHeaderFaults(place, schema, true, new Set());
}

const TYPES = new Set<unknown>(['string', 'integer', 'boolean']);

/** Checks `x-mcp-header` at any depth. `isPlain`: only `properties` lead there from the top. */
function* findMirroredHeaderFaults(
  place: string,
  value: unknown,
  isPlain: boolean,
  taken: Set<string>,
): Generator<string> {
  if (Array.isArray(value)) {
    for (const each of value) yield* findMirroredHeaderFaults(place, each, false, taken);
    return;
  }
  if (!isRecord(value)) return;
  if (Object.hasOwn(value, 'x-mcp-header')) yield* headerNameFaults(place, value, isPlain, taken);
  const { properties, ...others } = value;
  for (const member of Object.values(isRecord(properties) ? properties : {}))
    yield* findMirroredHeaderFaults(place, member, isPlain, taken);
  for (const [keyword, member] of Object.entries(others))
    if (!DATA.has(keyword)) yield* findMirroredHeaderFaults(place, member, false, taken);
}

const DATA = new Set(['const', 'enum', 'default', 'examples', 'required', 'x-mcp-header']);

function* headerNameFaults(
  place: string,
  { 'x-mcp-header': name, type }: Record<string, unknown>,
  isPlain: boolean,
  taken: Set<string>,
): Generator<string> {
  const what = `${place}: \`x-mcp-header\` ${JSON.stringify(name)}`;
  if (typeof name !== 'string' || !isHttpToken(name)) return yield `${what} is no name of a header.`;
  if (!isPlain) yield `${what} must be on a property that is reached through \`properties\` alone.`;
  if (!TYPES.has(type)) yield `${what} must be on a property of the type string, integer or boolean.`;
  if (taken.has(name.toLowerCase())) yield `${what} is given twice.`;
  taken.add(name.toLowerCase());
}

/** RFC 3986, section 3.1. */
const SCHEME = /^[a-z][a-z\d+.-]*:/i;

export function* resourceFaults(resources: unknown): Generator<string> {
  for (const [uri, resource] of listEntries(resources)) {
    const place = formatMember('resources', uri);
    if (!SCHEME.test(uri)) yield `${place}: the key must be a URI, with its scheme.`;
    yield* readerFaults(place, resource);
  }
}

/** The feature `uri-templates` is loaded, if the project has it. */
export function* templateFaults(templates: unknown): Generator<string> {
  for (const [uriTemplate, template] of listEntries(templates)) {
    const place = formatMember('resourceTemplates', uriTemplate);
    try {
      checkTemplate(uriTemplate);
    } catch (thrown) {
      if (!(thrown instanceof UriTemplateError)) throw thrown;
      yield `${place}: the key must be a URI template (RFC 6570): ${thrown.message}.`;
    }
    yield* readerFaults(place, template);
  }
}

function* readerFaults(place: string, item: unknown): Generator<string> {
  if (!isRecord(item) || typeof item['read'] !== 'function')
    return yield `${place} must be an object with a \`read\` function.`;
  if (typeof item['name'] !== 'string') yield `${place}: \`name\` must be a string.`;
  yield* kindFaults(place, item, { size: 'a number of bytes', ...TEXTS });
}

export function* promptFaults(prompts: unknown): Generator<string> {
  for (const [name, prompt] of listEntries(prompts)) {
    const place = formatMember('prompts', name);
    if (!isRecord(prompt) || typeof prompt['handler'] !== 'function') {
      yield `${place} must be an object with a \`handler\` function.`;
      continue;
    }
    yield* kindFaults(place, prompt, TEXTS);
    if (!isPromptArgumentList(prompt['arguments'] ?? []))
      yield `${place}: \`arguments\` must be an array of objects with a \`name\`.`;
  }
}

function isPromptArgumentList(value: unknown): value is NonNullable<ListedPrompt['arguments']> {
  return Array.isArray(value) && value.every((one) => isRecord(one) && typeof one['name'] === 'string');
}

/** `catalog` does not have the project's own prompts and templates yet. */
export function* completionFaults(
  { completions, prompts, resourceTemplates }: Readonly<Record<string, unknown>>,
  catalog: CatalogStore,
): Generator<string> {
  const entries = listEntries(completions);
  if (entries.length === 0) return;
  const known = listArguments(catalog, prompts, resourceTemplates);
  for (const [key, functions] of entries) {
    const place = formatMember('completions', key);
    const names = known.get(key);
    if (names === undefined) yield unknownMemberText(place, 'prompt or resource template', key, known.keys());
    else if (!isRecord(functions)) yield `${place} must be an object of functions, by argument.`;
    else yield* functionFaults(functions, names, 'argument there', (name) => `${place}: \`${name}\``);
  }
}

function listArguments(catalog: CatalogStore, prompts: unknown, templates: unknown): Map<string, string[]> {
  const uriTemplates = [
    ...catalog.items('resourceTemplates').map(({ uriTemplate }) => uriTemplate),
    ...listEntries(templates).map(([template]) => template),
  ];
  const found = new Map(uriTemplates.map((template) => [template, listTemplateVariables(template)]));
  const own = listEntries(prompts).map(([name, prompt]) => ({ ...(isRecord(prompt) ? prompt : {}), name }));
  for (const prompt of [...catalog.items('prompts'), ...own]) {
    const list: unknown = 'arguments' in prompt ? prompt.arguments : undefined;
    found.set(prompt.name, isPromptArgumentList(list) ? list.map(({ name }) => name) : []);
  }
  return found;
}
