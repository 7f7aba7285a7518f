import type { ListedTool } from '../../../templates/runtime/contract/catalog.ts';
import type { SchemaView } from '../schema/schema-view.ts';
import type { ToolArgument } from './argument-names.ts';

export type InputSchema = ListedTool['inputSchema'];

/** `properties` is kept even if empty, since some clients refuse an object schema without it. */
export function deriveInputSchema(list: readonly ToolArgument[], view: SchemaView): InputSchema {
  const required = list.filter((each) => each.required).map((each) => each.argument);
  const defs = view.reach(list.map((each) => each.schema));
  return {
    type: 'object',
    properties: Object.fromEntries(list.map(({ argument, schema }) => [argument, schema])),
    ...(required.length === 0 ? {} : { required }),
    additionalProperties: false,
    ...(defs.size === 0 ? {} : { $defs: Object.fromEntries(defs) }),
  };
}
