/** Checks that the project's own prompts, resources, resource templates and completions can be listed and used. */
import { isRecord } from '../contract/json-value.ts';
import { checkTemplate, listVariables, UriTemplateError } from '../uri-template/plain-template.ts';
import { membersOf, placeOf, textFaults, noSuch } from './fault-words.ts';
import type { ListedPrompt } from '../contract/catalog.ts';
import type { CatalogStore } from '../core/catalog-store.ts';

/** RFC 3986, section 3.1. */
const SCHEME = /^[a-z][a-z\d+.-]*:/i;

export function* resourceFaults(resources: unknown): Generator<string> {
  for (const [uri, resource] of membersOf(resources)) {
    const place = placeOf('resources', uri);
    if (!SCHEME.test(uri)) yield `${place}: the key must be a URI, with its scheme.`;
    yield* readableFaults(place, resource);
  }
}

/** The feature `uri-templates` is loaded, if the project has it. */
export function* templateFaults(templates: unknown): Generator<string> {
  for (const [uriTemplate, template] of membersOf(templates)) {
    const place = placeOf('resourceTemplates', uriTemplate);
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
  if (!isRecord(item) || typeof item['read'] !== 'function') {
    return yield `${place} must be an object with a \`read\` function.`;
  }
  const { name, size } = item;
  if (typeof name !== 'string') yield `${place}: \`name\` must be a string.`;
  if (size !== undefined && typeof size !== 'number') yield `${place}: \`size\` must be a number of bytes.`;
  yield* textFaults(place, item);
}

export function* promptFaults(prompts: unknown): Generator<string> {
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

export function isArgumentList(value: unknown): value is NonNullable<ListedPrompt['arguments']> {
  return Array.isArray(value) && value.every((one) => isRecord(one) && typeof one['name'] === 'string');
}

/** Of the project's own prompts and templates too, which are not in `catalog` yet. */
export function* completionFaults(
  { completions, prompts, resourceTemplates }: Readonly<Record<string, unknown>>,
  catalog: CatalogStore,
): Generator<string> {
  const entries = membersOf(completions);
  if (entries.length === 0) return;
  const known = completable(catalog, prompts, resourceTemplates);
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
function completable(catalog: CatalogStore, prompts: unknown, ownTemplates: unknown): Map<string, string[]> {
  const listed = catalog.items('resourceTemplates').map(({ uriTemplate }) => uriTemplate);
  const own = membersOf(ownTemplates).map(([template]) => template);
  const found = new Map([...listed, ...own].map((template) => [template, listVariables(template)]));
  for (const { name, arguments: listed = [] } of catalog.items('prompts')) {
    found.set(
      name,
      listed.map((one) => one.name),
    );
  }
  for (const [name, prompt] of membersOf(prompts)) {
    const listed = isRecord(prompt) ? prompt['arguments'] : undefined;
    found.set(name, isArgumentList(listed) ? listed.map((one) => one.name) : []);
  }
  return found;
}
