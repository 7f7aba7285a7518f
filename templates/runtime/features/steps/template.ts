// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Values of programs: JSON, with expressions in it. */
import { isRecord } from '../../json-rpc.ts';
import type { Json, JsonObject } from '../../types.ts';
import { type Expression, parseCondition, parseValue, SyntaxFault } from './expression.ts';

/** Levels of a value. */
const MAX_LEVELS = 50;

export type Report = (place: string, message: string) => void;

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

/** A text that begins with `$` is an expression, and one with `$$` a text. */
export function readTemplate(value: unknown, place: string, report: Report, level = 0): Template {
  if (level > MAX_LEVELS) report(place, `has more than ${MAX_LEVELS} levels`);
  if (level > MAX_LEVELS) return null;
  if (typeof value === 'string' && value.startsWith('$')) {
    if (value.startsWith('$$')) return value.slice(1);
    const expression = readExpression(() => parseValue(value), place, report);
    return expression ? new Computed(expression) : value;
  }
  if (Array.isArray(value))
    return value.map((item, index) => readTemplate(item, `${place}[${index}]`, report, level + 1));
  if (!isRecord(value)) return (value ?? null) as Json;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      readTemplate(member, `${place}.${name}`, report, level + 1),
    ]),
  );
}

export function readCondition(
  text: string | undefined,
  place: string,
  report: Report,
): Expression | undefined {
  return text === undefined ? undefined : readExpression(() => parseCondition(text), place, report);
}

function readExpression(parse: () => Expression, place: string, report: Report): Expression | undefined {
  try {
    return parse();
  } catch (thrown) {
    if (!(thrown instanceof SyntaxFault)) throw thrown;
    report(place, thrown.message);
    return undefined;
  }
}
