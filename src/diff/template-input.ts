import type { ResourceBinding } from '../../templates/runtime/contract/bindings.ts';
import type { ListedTool } from '../../templates/runtime/contract/catalog.ts';
import type { JsonSchema, ObjectSchema } from '../../templates/runtime/contract/json-schema.ts';
import { definedMembers } from '../util/defined-members.ts';
import { parseUriTemplate } from '../../templates/runtime/uri-template/index.ts';

/** The schema of a resource template's variables: those of its arguments, else any text. It is not listed, but checked in calls. */
export function templateInput(
  uriTemplate: string,
  { do: binding, variables = {}, schemas = {} }: ResourceBinding,
  tools: readonly ListedTool[],
): ObjectSchema {
  const input = findInput(binding, tools);
  const toArgument = (variable: string): string =>
    Object.hasOwn(variables, variable) ? (variables[variable] ?? variable) : variable;
  const toSchema = (argument: string): JsonSchema =>
    input?.properties?.[argument] ?? schemas[argument] ?? { type: 'string' };
  const names = parseUriTemplate(uriTemplate).flatMap((part) =>
    'variables' in part ? part.variables.map(({ name }) => name) : [],
  );
  return {
    type: 'object',
    properties: Object.fromEntries(names.map((name) => [name, toSchema(toArgument(name))])),
    required: names.filter((name) => input?.required?.includes(toArgument(name))),
    ...definedMembers({ $defs: input?.$defs }),
  };
}

function findInput(binding: ResourceBinding['do'], tools: readonly ListedTool[]): ObjectSchema | undefined {
  if (binding.kind === 'tool') return tools.find(({ name }) => name === binding.name)?.inputSchema;
  return binding.kind === 'function' ? binding.input : undefined;
}
