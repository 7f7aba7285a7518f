// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** The project's own tools, prompts and resources, as clients can list them. */
import type { ListedTool } from '../contract/catalog.ts';
import type {
  ExtraTool,
  Handlers,
  PromptDefinition,
  ResourceDefinition,
  ResourceTemplateDefinition,
} from '../definition.ts';
import type { JsonSchema, ObjectSchema } from '../contract/json-schema.ts';
import type { CatalogStore, Listed, ListName } from './catalog-store.ts';

/** The member that identifies an item. */
const KEYS = {
  tools: 'name',
  prompts: 'name',
  resources: 'uri',
  resourceTemplates: 'uriTemplate',
} as const satisfies Record<ListName, string>;

/** Lists the project's own items after the document's. All but tools may replace a listed item. */
export function addOwnItems(catalog: CatalogStore, handlers: Handlers<object>): void {
  const { extraTools = [], prompts = {}, resources = {}, resourceTemplates = {} } = handlers;
  for (const tool of extraTools) putItem(catalog, 'tools', toListedTool(tool));
  for (const [name, prompt] of Object.entries(prompts))
    putItem(catalog, 'prompts', toListedPrompt(name, prompt));
  for (const [uri, resource] of Object.entries(resources))
    putItem(catalog, 'resources', toListedResource(uri, resource));
  for (const [uriTemplate, template] of Object.entries(resourceTemplates))
    putItem(catalog, 'resourceTemplates', toListedTemplate(uriTemplate, template));
}

/** Replaces the item with the same key, or appends `item`. */
export function putItem<L extends ListName>(catalog: CatalogStore, list: L, item: Listed<L>): void {
  const key = keyOf(list, item);
  catalog.change(list, (items) => {
    const at = items.findIndex((each) => keyOf(list, each) === key);
    return at === -1 ? [...items, item] : items.with(at, item);
  });
}

/** Whether it was listed. */
export function removeItem(catalog: CatalogStore, list: ListName, key: string): boolean {
  const isIt = (item: object): boolean => keyOf(list, item) === key;
  if (!catalog.items(list).some(isIt)) return false;
  catalog.change(list, (items) => items.filter((item) => !isIt(item)));
  return true;
}

function keyOf(list: ListName, item: object): unknown {
  return Reflect.get(item, KEYS[list]);
}

export function toListedTool(tool: ExtraTool): ListedTool {
  const { handler, prepare, scopes, inputSchema, outputSchema, ...listed } = tool;
  void [handler, prepare, scopes];
  return {
    ...listed,
    inputSchema: withoutBooleans(inputSchema),
    ...(outputSchema === undefined ? {} : { outputSchema: withoutBooleans(outputSchema) }),
  };
}

export function toListedPrompt(
  name: string,
  { handler, scopes, ...listed }: PromptDefinition,
): Listed<'prompts'> {
  void [handler, scopes];
  return { name, ...listed };
}

export function toListedResource(
  uri: string,
  { read, scopes, ...listed }: ResourceDefinition,
): Listed<'resources'> {
  void [read, scopes];
  return { uri, ...listed };
}

function toListedTemplate(
  uriTemplate: string,
  { read, scopes, ...listed }: ResourceTemplateDefinition,
): Listed<'resourceTemplates'> {
  void [read, scopes];
  return { uriTemplate, ...listed };
}

/** `true` and `false` as the schemas they stand for: official clients drop the whole list over a boolean there. */
function withoutBooleans(schema: ObjectSchema): ObjectSchema {
  const { properties } = schema;
  if (properties === undefined) return schema;
  const entries = Object.entries(properties).map(([name, member]): [string, JsonSchema] => [
    name,
    member === true ? {} : member === false ? { not: {} } : member,
  ]);
  return { ...schema, properties: Object.fromEntries(entries) };
}
