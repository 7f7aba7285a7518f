/** Checks arguments that arrive as text: those of prompts, and variables of templates. */
import type { ts } from 'ts-morph';
import type { JsonSchema, JsonSchemaObject } from '../../../../templates/runtime/contract/json-schema.ts';
import type { ItemContext } from './item.ts';
import type { ReadParameters } from './parameters.ts';

/** Null is allowed beside other types, although no text is null. */
const PRIMITIVES: readonly unknown[] = ['string', 'number', 'integer', 'boolean', 'null'];

/** `of` names the arguments in the message. */
export function checkTexts(
  { input, places }: Pick<ReadParameters, 'input' | 'places'>,
  of: string,
  { source, types }: ItemContext,
  options: { lists: boolean },
): void {
  for (const [parameter, schema] of Object.entries(input.properties ?? {})) {
    if (isText(schema, options.lists, (each) => types.resolve(each))) continue;
    const place: ts.Node | undefined = places.get(parameter);
    source.diagnostics.report(
      'text-parameter',
      { parameter, of },
      place === undefined ? {} : { at: source.originOf(place) },
    );
  }
}

function isText(
  schema: JsonSchema,
  lists: boolean,
  resolve: (schema: JsonSchemaObject) => JsonSchemaObject,
): boolean {
  if (typeof schema === 'boolean') return false;
  const { type, anyOf, items } = resolve(schema);
  if (type !== undefined && [type].flat().every((each) => PRIMITIVES.includes(each))) return true;
  if (lists && type === 'array') return items !== undefined && isText(items, false, resolve);
  return anyOf?.every((each) => isText(each, false, resolve)) ?? false;
}
