/** Whether the project's own completions are of arguments that there are. */
import { isRecord } from '../contract/json-value.ts';
import type { CatalogStore } from '../core/catalog-store.ts';
import { parseUriTemplate } from '../uri-template/index.ts';
import { isArgumentList } from './check-prompts.ts';
import { isUriTemplate } from './check-resources.ts';
import { membersOf, noSuch, placeOf } from './fault-words.ts';

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
  const own = membersOf(ownTemplates).flatMap(([template]) => (isUriTemplate(template) ? template : []));
  const found = new Map([...listed, ...own].map((template) => [template, variablesOf(template)]));
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

function variablesOf(uriTemplate: string): string[] {
  return parseUriTemplate(uriTemplate).flatMap((part) =>
    'literal' in part ? [] : part.variables.map(({ name }) => name),
  );
}
