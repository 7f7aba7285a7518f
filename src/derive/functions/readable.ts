import type { JsonSchema, JsonSchemaObject } from '../../../templates/runtime/contract/json-schema.ts';
import { variablesOf } from '../../model/assert-readable.ts';
import type { Resource, ResourceTemplate } from '../../model/server-model.ts';
import type { FunctionResource } from '../../model/source-model.ts';
import { type SchemaView, writtenOut } from '../schema/schema-view.ts';
import { sentenceOf } from '../text/words.ts';
import { type FunctionsContext, nameOf, withDefs, withDeprecation } from './context.ts';
import { definedMembers } from '../../util/defined-members.ts';

/** Derives all members that a resource and a resource template share; the caller adds the URI. */
export function deriveReadable(
  resource: FunctionResource,
  context: FunctionsContext,
): Omit<Resource, 'uri'> & Omit<ResourceTemplate, 'uriTemplate'> {
  // Argument names appear only in the URI, so they keep the function's names.
  const { title, mimeType, icons, annotations, scopes, origin, input, binding } = resource;
  const description = withDeprecation(resource, resource.description ?? '');
  const name = nameOf(resource, context);
  const properties = Object.entries(input.properties ?? {});
  return {
    name,
    title: title ?? (sentenceOf(resource.name) || name),
    ...(description === '' ? {} : { description }),
    ...definedMembers({ mimeType, icons, annotations }),
    binding: {
      do: properties.length === 0 ? binding : { ...binding, input: withDefs(input, context.view) },
      ...definedMembers({ list: resource.list }),
      ...(scopes.length === 0 ? {} : { scopes }),
      ...(resource.uri.includes('{')
        ? { schemas: deriveVariableSchemas(resource.uri, properties, context) }
        : {}),
    },
    origin,
  };
}

/** The schemas of the URI's variables without references, since the runtime reads texts by them. */
function deriveVariableSchemas(
  uri: string,
  properties: [string, JsonSchema][],
  { view }: FunctionsContext,
): Record<string, JsonSchema> {
  const variables = variablesOf(uri);
  const entries = properties
    .filter(([name]) => variables.includes(name))
    .map(([name, schema]): [string, JsonSchema] => [name, textForm(schema, view)]);
  return Object.fromEntries(entries);
}

/** The keywords that the runtime's `reviveTexts` reads; for a list, those of its items too. */
function textForm(schema: JsonSchema, view: SchemaView): JsonSchema {
  const target = writtenOut(schema, view);
  const { items } = typeof target === 'object' ? target : {};
  return { ...itemForm(target, view), ...(items !== undefined && { items: itemForm(items, view) }) };
}

function itemForm(schema: JsonSchema, view: SchemaView): JsonSchemaObject {
  const target = writtenOut(schema, view);
  if (typeof target !== 'object') return {};
  const { type, enum: values, const: constant, format, anyOf } = target;
  return {
    ...definedMembers({
      type,
      enum: values,
      const: constant,
      format,
      anyOf: anyOf?.map((each) => itemForm(each, view)),
    }),
  };
}
