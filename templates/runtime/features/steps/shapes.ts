// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Reads values and conditions, and what their expressions give, by the schemas of tools: what can't fit is found without a call. */
import { isRecord, ownMember } from '../../json-rpc.ts';
import type { Json, Schema, SchemaObject } from '../../types.ts';
import { nearest, resolveReference } from '../../validate.ts';
import { Computed, type Expression, isSingular, parseCondition, parseValue } from './expression.ts';
import { type Reference, type Selector, SyntaxFault, type Template } from './expression.ts';

export interface Fault {
  place: string;
  message: string;
}
export type Report = (place: string, message: string) => void;

/** A schema, and the one that its references lead into. */
export interface Shape {
  schema: Schema;
  root: SchemaObject;
}

export function listShape(items: Shape | undefined): Shape {
  return { schema: { type: 'array', ...(items && { items: items.schema }) }, root: items?.root ?? {} };
}

/** Levels of a value. */
const MAX_LEVELS = 50;

const plain = (type: string): Shape => ({ schema: { type }, root: {} });

export class Types {
  /** Of the steps before: undefined if nothing is said of its answer. */
  readonly steps = new Map<string, Shape | undefined>();
  /** In a step with `forEach`. */
  item: { shape: Shape | undefined } | undefined;
  /** Steps that a step may refer to whose calls the user confirms. Undefined: all before it. */
  known: ReadonlySet<string> | undefined;
  hasStatus = false;
  readonly #inputs: SchemaObject;
  readonly #report: Report;

  constructor(inputs: SchemaObject, report: Report) {
    this.#inputs = inputs;
    this.#report = report;
  }

  /** A text that begins with `$` is an expression, and one with `$$` a text. A value that is one expression has a shape. */
  read(value: unknown, place: string, expected?: Shape, level = 0): { template: Template; shape?: Shape } {
    if (level > MAX_LEVELS) {
      this.#report(place, `has more than ${MAX_LEVELS} levels`);
      return { template: null };
    }
    if (typeof value === 'string' && value.startsWith('$')) {
      if (value.startsWith('$$')) return { template: value.slice(1) };
      const expression = this.#parse(() => parseValue(value), place);
      const shape = this.#check(expression, place);
      const mismatch = shape && expected && describeMismatch(shape, expected);
      if (mismatch) this.#report(place, mismatch);
      return { template: new Computed(expression), ...(shape && { shape }) };
    }
    if (Array.isArray(value)) {
      const item = expected && itemOf(expected);
      return {
        template: value.map((one, at) => this.read(one, `${place}[${at}]`, item, level + 1).template),
      };
    }
    if (!isRecord(value)) return { template: (value ?? null) as Json };
    const members = Object.entries(value).map(([name, one]) => {
      const member = expected && memberOf(expected, name);
      const shape = typeof member === 'object' ? member : undefined;
      return [name, this.read(one, `${place}.${name}`, shape, level + 1).template];
    });
    return { template: Object.fromEntries(members) as Template };
  }

  readCondition(text: string, place: string): Expression {
    const condition = this.#parse(() => parseCondition(text), place);
    this.#check(condition, place);
    return condition;
  }

  #parse(parse: () => Expression, place: string): Expression {
    try {
      return parse();
    } catch (thrown) {
      if (!(thrown instanceof SyntaxFault)) throw thrown;
      this.#report(place, thrown.message);
      return { kind: 'literal', value: null };
    }
  }

  #check(expression: Expression, place: string, current?: Shape): Shape | undefined {
    if (expression.kind === 'literal') return undefined;
    if (expression.kind === 'not' || expression.kind === 'binary') {
      const operands = expression.kind === 'not' ? [expression.operand] : [expression.left, expression.right];
      for (const operand of operands) this.#check(operand, place, current);
      return plain('boolean');
    }
    if (expression.kind === 'reference') return this.#checkReference(expression, place, current);
    const [argument] = expression.args.map((one) => this.#check(one, place, current));
    const { name } = expression;
    if (name === 'length' || name === 'count') return plain('integer');
    if (name === 'value') return argument && itemOf(argument);
    const kinds = argument && kindsOf(argument);
    if (kinds && kinds.length > 0 && !kinds.includes('array'))
      this.#report(place, `$${name} takes a list, not ${kinds.join(' or ')}`);
    if (name === 'sum') return plain('number');
    if (name === 'join') return plain('string');
    return name === 'unique' ? argument : argument && itemOf(argument);
  }

  #checkReference(reference: Reference, place: string, current: Shape | undefined): Shape | undefined {
    const { segments } = reference;
    let shape = this.#rootOf(reference, place, current);
    let path = reference.root === 'steps' ? `$steps.${reference.step}` : `$${reference.root}`;
    for (const segment of segments) {
      const children = segment.map((selector) => this.#select(shape, selector, place, path));
      shape = children.length === 1 ? children[0] : undefined;
      path += printSegment(segment[0]);
    }
    return isSingular(reference) ? shape : listShape(shape);
  }

  #rootOf({ root, step }: Reference, place: string, current: Shape | undefined): Shape | undefined {
    if (root === '@') return current;
    if (root === 'inputs') return { schema: this.#inputs, root: this.#inputs };
    if (root === 'item' && !this.item) this.#report(place, '$item is there only in a step with forEach');
    if (root === 'item') return this.item?.shape;
    if (root === 'status' && !this.hasStatus) this.#report(place, '$status is there only in `expect`');
    if (root === 'status') return plain('integer');
    if (!this.steps.has(step))
      this.#report(place, `There is no step ${step} before this one.${suggest(step, this.steps.keys())}`);
    else if (this.known?.has(step) === false)
      this.#report(place, `${step} runs after the user has confirmed what this step calls`);
    return this.steps.get(step);
  }

  #select(shape: Shape | undefined, selector: Selector, place: string, path: string): Shape | undefined {
    if (selector.kind === 'filter') {
      const item = shape && itemOf(shape);
      this.#check(selector.test, place, item);
      return item;
    }
    if (shape === undefined) return undefined;
    const kinds = kindsOf(shape);
    if (selector.kind === 'name') {
      if (kinds.length > 0 && !kinds.includes('object')) {
        const hint = kinds.includes('array')
          ? `, and has no member ${selector.name}: [*] takes that of each`
          : '';
        this.#report(place, `${path} is ${kinds.join(' or ')}${hint}`);
        return undefined;
      }
      const member = memberOf(shape, selector.name);
      if (typeof member !== 'string') return member;
      this.#report(place, `${path} has no member ${selector.name}.${member}`);
      return undefined;
    }
    const isList = kinds.length === 0 || kinds.includes('array');
    if (!isList && (selector.kind !== 'wildcard' || !kinds.includes('object')))
      this.#report(place, `${path} is ${kinds.join(' or ')}, not a list`);
    return itemOf(shape);
  }
}

/** Of a list. */
export function itemOf(shape: Shape): Shape | undefined {
  const { schema, root } = settle(shape);
  const items = isRecord(schema) && schema['prefixItems'] === undefined ? schema.items : undefined;
  return items === undefined ? undefined : { schema: items, root };
}

/** Through references, and alternatives of which one is null. */
function settle(shape: Shape): Shape {
  let { schema } = shape;
  for (let round = 0; round < 20 && isRecord(schema); round++) {
    const { $ref: reference, anyOf, oneOf } = schema;
    const alternatives: unknown = anyOf ?? oneOf;
    const real = Array.isArray(alternatives)
      ? (alternatives as Schema[]).filter((one) => !isRecord(one) || one.type !== 'null')
      : [];
    const next: unknown = typeof reference === 'string' ? resolveReference(shape.root, reference) : real[0];
    if (next === undefined || (typeof reference !== 'string' && real.length > 1)) break;
    schema = next as Schema;
  }
  return { schema, root: shape.root };
}

/** The types that a value may have. An empty list admits each type. */
function kindsOf(shape: Shape): string[] {
  const { schema } = settle(shape);
  if (!isRecord(schema) || schema.type === undefined) return [];
  return [schema.type].flat().filter((type) => type !== 'null');
}

/** The member's shape; undefined if nothing is said of it; a text if there is none. */
function memberOf(shape: Shape, name: string): Shape | string | undefined {
  const { schema, root } = settle(shape);
  if (!isRecord(schema)) return undefined;
  const { properties, additionalProperties: others } = schema;
  const member = ownMember(properties, name);
  if (member !== undefined) return { schema: member, root };
  if (isRecord(others)) return { schema: others, root };
  const saysMore = ['allOf', 'anyOf', 'oneOf', 'patternProperties', 'if', '$ref'].some(
    (keyword) => schema[keyword] !== undefined,
  );
  if (others === true || saysMore || (others === undefined && properties === undefined)) return undefined;
  const names = Object.keys(properties ?? {});
  return suggest(name, names) || ` It has ${names.slice(0, 20).join(', ') || 'none'}.`;
}

/** Arguments are repaired: a text of a number becomes a number, and one of an object that object. */
function describeMismatch(shape: Shape, expected: Shape): string | undefined {
  const [types, wanted] = [kindsOf(shape), kindsOf(expected)];
  if (types.length === 0 || wanted.length === 0) return undefined;
  const groupOf = (type: string): string => (/^(?:array|object)$/.test(type) ? type : 'scalar');
  const isFit = types.some((type) =>
    wanted.some((want) => groupOf(want) === groupOf(type) || (want === 'object' && type === 'string')),
  );
  return isFit ? undefined : `must be ${wanted.join(' or ')} but is ${types.join(' or ')}`;
}

function suggest(name: string, names: Iterable<string>): string {
  const suggestion = nearest(name, names);
  return suggestion === undefined ? '' : ` Did you mean ${suggestion}?`;
}

function printSegment(selector: Selector | undefined): string {
  if (selector?.kind === 'name') return `.${selector.name}`;
  if (selector?.kind === 'index') return `[${selector.index}]`;
  return selector?.kind === 'wildcard' ? '[*]' : '[…]';
}
