/** Arguments that arrive as texts: those of prompts, and the variables of resource templates. */
import type { ts } from 'ts-morph';
import type { JsonSchema, JsonSchemaObject } from '../../../../templates/runtime/contract/json-schema.ts';
import type { ItemContext } from './item.ts';
import type { ReadParameters } from './parameters.ts';

/** No text is `null`, but the alternatives beside it may be. */
const PRIMITIVES: readonly unknown[] = ['string', 'number', 'integer', 'boolean', 'null'];

/** Reports each argument that a text can't be made into. `of` are they all, in the message. */
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
