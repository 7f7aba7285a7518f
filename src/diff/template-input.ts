/** What the variables of a resource template must be. It is in no listing, yet who fills them in is refused by it. */
import type { ResourceBinding } from '../../templates/runtime/contract/bindings.ts';
import type { ListedTool } from '../../templates/runtime/contract/catalog.ts';
import type { JsonSchema, ObjectSchema } from '../../templates/runtime/contract/json-schema.ts';
import { parseUriTemplate } from '../../templates/runtime/uri-template/index.ts';

/** By variable: the schema of its argument; any text where there is none. */
export function templateInput(
  uriTemplate: string,
  { do: work, variables = {}, schemas = {} }: ResourceBinding,
  tools: readonly ListedTool[],
): ObjectSchema {
  const input = inputOf(work, tools);
  const argumentOf = (variable: string): string =>
    Object.hasOwn(variables, variable) ? (variables[variable] ?? variable) : variable;
  const schemaOf = (argument: string): JsonSchema =>
    input?.properties?.[argument] ?? schemas[argument] ?? TEXT;
  const names = variablesOf(uriTemplate);
  return {
    type: 'object',
    properties: Object.fromEntries(names.map((name) => [name, schemaOf(argumentOf(name))])),
    required: names.filter((name) => input?.required?.includes(argumentOf(name))),
    ...(input?.$defs === undefined ? {} : { $defs: input.$defs }),
  };
}

const TEXT: JsonSchema = { type: 'string' };

function inputOf(work: ResourceBinding['do'], tools: readonly ListedTool[]): ObjectSchema | undefined {
  if (work.kind === 'tool') return tools.find(({ name }) => name === work.name)?.inputSchema;
  return work.kind === 'function' ? work.input : undefined;
}

function variablesOf(uriTemplate: string): string[] {
  return parseUriTemplate(uriTemplate).flatMap((part) =>
    'variables' in part ? part.variables.map(({ name }) => name) : [],
  );
}
