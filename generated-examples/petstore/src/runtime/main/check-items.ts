// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Checks that the project's own prompts, resources, resource templates and completions can be listed and used. */
import type { ListedPrompt } from '../contract/catalog.ts';
import { isRecord } from '../contract/json-value.ts';
import type { CatalogStore } from '../core/catalog-store.ts';
import { checkTemplate, listVariables, UriTemplateError } from '../uri-template/plain-template.ts';
import { functionFaults, kindFaults, listMembers, noSuch, describePlace, TEXTS } from './open-project.ts';

/** RFC 3986, section 3.1. */
const SCHEME = /^[a-z][a-z\d+.-]*:/i;

export function* resourceFaults(resources: unknown): Generator<string> {
  for (const [uri, resource] of listMembers(resources)) {
    const place = describePlace('resources', uri);
    if (!SCHEME.test(uri)) yield `${place}: the key must be a URI, with its scheme.`;
    yield* readableFaults(place, resource);
  }
}

/** The feature `uri-templates` is loaded, if the project has it. */
export function* templateFaults(templates: unknown): Generator<string> {
  for (const [uriTemplate, template] of listMembers(templates)) {
    const place = describePlace('resourceTemplates', uriTemplate);
    try {
      checkTemplate(uriTemplate);
    } catch (thrown) {
      if (!(thrown instanceof UriTemplateError)) throw thrown;
      yield `${place}: the key must be a URI template (RFC 6570): ${thrown.message}.`;
    }
    yield* readableFaults(place, template);
  }
}

function* readableFaults(place: string, item: unknown): Generator<string> {
  if (!isRecord(item) || typeof item['read'] !== 'function')
    return yield `${place} must be an object with a \`read\` function.`;
  if (typeof item['name'] !== 'string') yield `${place}: \`name\` must be a string.`;
  yield* kindFaults(place, item, { size: 'a number of bytes', ...TEXTS });
}

export function* promptFaults(prompts: unknown): Generator<string> {
  for (const [name, prompt] of listMembers(prompts)) {
    const place = describePlace('prompts', name);
    if (!isRecord(prompt) || typeof prompt['handler'] !== 'function') {
      yield `${place} must be an object with a \`handler\` function.`;
      continue;
    }
    yield* kindFaults(place, prompt, TEXTS);
    if (!isArgumentList(prompt['arguments'] ?? []))
      yield `${place}: \`arguments\` must be an array of objects with a \`name\`.`;
  }
}

function isArgumentList(value: unknown): value is NonNullable<ListedPrompt['arguments']> {
  return Array.isArray(value) && value.every((one) => isRecord(one) && typeof one['name'] === 'string');
}

/** `catalog` does not have the project's own prompts and templates yet. */
export function* completionFaults(
  { completions, prompts, resourceTemplates }: Readonly<Record<string, unknown>>,
  catalog: CatalogStore,
): Generator<string> {
  const entries = listMembers(completions);
  if (entries.length === 0) return;
  const known = listArguments(catalog, prompts, resourceTemplates);
  for (const [key, functions] of entries) {
    const place = describePlace('completions', key);
    const names = known.get(key);
    if (names === undefined) yield noSuch(place, 'prompt or resource template', key, known.keys());
    else if (!isRecord(functions)) yield `${place} must be an object of functions, by argument.`;
    else yield* functionFaults(functions, names, 'argument there', (name) => `${place}: \`${name}\``);
  }
}

/** Returns the names of arguments that have completions, by prompt or template. */
function listArguments(catalog: CatalogStore, prompts: unknown, templates: unknown): Map<string, string[]> {
  const uriTemplates = [
    ...catalog.items('resourceTemplates').map(({ uriTemplate }) => uriTemplate),
    ...listMembers(templates).map(([template]) => template),
  ];
  const found = new Map(uriTemplates.map((template) => [template, listVariables(template)]));
  const own = listMembers(prompts).map(([name, prompt]) => ({ ...(isRecord(prompt) ? prompt : {}), name }));
  for (const prompt of [...catalog.items('prompts'), ...own]) {
    const list: unknown = 'arguments' in prompt ? prompt.arguments : undefined;
    found.set(prompt.name, isArgumentList(list) ? list.map(({ name }) => name) : []);
  }
  return found;
}
