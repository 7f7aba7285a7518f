// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Values of programs: JSON, with expressions in it. */
import { isRecord } from '../../json-rpc.ts';
import type { Json, JsonObject } from '../../types.ts';
import type { Expression } from './expression.ts';

/** Stands in a template for the value of an expression. */
export class Computed {
  readonly expression: Expression;

  constructor(expression: Expression) {
    this.expression = expression;
  }
}
/** JSON with expressions in it. */
export type Template = Json | Computed | readonly Template[] | { readonly [name: string]: Template };

/** A member that is nothing is left out; in a list it is null. */
export function fill(
  template: Template,
  compute: (expression: Expression, place: string) => Json | undefined,
  place = '',
): Json | undefined {
  if (template instanceof Computed) return compute(template.expression, place);
  if (Array.isArray(template))
    return (template as Template[]).map((item, index) => fill(item, compute, `${place}[${index}]`) ?? null);
  if (!isRecord(template)) return template as Json;
  const members = Object.entries(template).map(([name, member]) => [
    name,
    fill(member as Template, compute, `${place}.${name}`),
  ]);
  return Object.fromEntries(members.filter(([, member]) => member !== undefined)) as JsonObject;
}
