// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Values and conditions of steps, and what their expressions give, by the schemas of tools: what can't fit is found without a call. */
import { isRecord, ownMember } from '../../json-rpc.ts';
import type { Schema, SchemaObject } from '../../types.ts';
import { nearest, resolveReference } from '../../validate.ts';
import { type Expression, isSingular, parseExpression } from './expression.ts';
import { type Reference, type Selector, SyntaxFault } from './expression.ts';

export type Report = (place: string, message: string) => void;

/** A schema, and the one that its references lead into. */
export interface Shape {
  schema: Schema;
  root: SchemaObject;
}

export const ANY: Shape = { schema: true, root: {} };
const plain = (type: string): Shape => ({ schema: { type }, root: {} });
export const listShape = ({ schema, root }: Shape): Shape => ({
  schema: { type: 'array', items: schema },
  root,
});

/** Levels of a value. */
const MAX_LEVELS = 50;

export class Types {
  /** Answers of the steps before. */
  readonly steps = new Map<string, Shape>();
  /** Steps that a step may refer to whose calls the user confirms. Undefined: all before it. */
  known: ReadonlySet<string> | undefined;
  /** All expressions that were read, by their texts. */
  readonly expressions = new Map<string, Expression>();
  /** `item` is there in a step with `forEach`, `status` in what looks at an answer. */
  readonly roots: { inputs: Shape; item?: Shape; status?: Shape };
  readonly #report: Report;

  constructor(inputs: SchemaObject, report: Report) {
    this.roots = { inputs: { schema: inputs, root: inputs } };
    this.#report = report;
  }

  /** Returns the shape of a value that is one expression. */
  readValue(value: unknown, place: string, expected = ANY, level = 0): Shape {
    if (level > MAX_LEVELS) this.#report(place, `has more than ${MAX_LEVELS} levels`);
    else if (typeof value === 'string' && /^\$(?!\$)/.test(value)) {
      const shape = this.readExpression(value, place);
      const [kinds, wanted] = [kindsOf(shape), kindsOf(expected)];
      if (!isRepairable(kinds, wanted))
        this.#report(place, `must be ${wanted.join(' or ')} but is ${kinds.join(' or ')}`);
      return shape;
    } else if (typeof value === 'object' && value !== null)
      for (const [name, member] of Object.entries(value)) {
        const isItem = Array.isArray(value);
        const inner = isItem ? itemOf(expected) : memberOf(expected, name);
        const shape = typeof inner === 'string' ? ANY : inner;
        this.readValue(member, place + (isItem ? `[${name}]` : `.${name}`), shape, level + 1);
      }
    return ANY;
  }

  readExpression(text: string, place: string, isCondition = false): Shape {
    try {
      const expression = parseExpression(text, isCondition);
      this.expressions.set(text, expression);
      return this.#check(expression, place, ANY);
    } catch (thrown) {
      if (!(thrown instanceof SyntaxFault)) throw thrown;
      this.#report(place, thrown.message);
      return ANY;
    }
  }

  /** @param current the item that a filter looks at */
  #check(expression: Expression, place: string, current: Shape): Shape {
    if (expression.kind === 'literal') return ANY;
    if (expression.kind === 'not' || expression.kind === 'binary') {
      const operands = expression.kind === 'not' ? [expression.operand] : [expression.left, expression.right];
      for (const operand of operands) this.#check(operand, place, current);
      return plain('boolean');
    }
    if (expression.kind === 'reference') return this.#checkReference(expression, place, current);
    const { name, args } = expression;
    const [list = ANY] = args.map((argument) => this.#check(argument, place, current));
    if (name === 'length' || name === 'count') return plain('integer');
    const kinds = kindsOf(list);
    if (name !== 'value' && !fits(kinds, ['array']))
      this.#report(place, `$${name} takes a list, not ${kinds.join(' or ')}`);
    if (name === 'sum' || name === 'join') return plain(name === 'sum' ? 'number' : 'string');
    return name === 'unique' ? list : itemOf(list);
  }

  #checkReference(reference: Reference, place: string, current: Shape): Shape {
    let shape = this.#rootOf(reference, place, current);
    let path = reference.root === 'steps' ? `$steps.${reference.step}` : `$${reference.root}`;
    for (const segment of reference.segments) {
      const children = segment.map((selector) => this.#select(shape, selector, place, path));
      shape = (children.length === 1 && children[0]) || ANY;
      path += printSegment(segment[0]);
    }
    return isSingular(reference) ? shape : listShape(shape);
  }

  #rootOf({ root, step }: Reference, place: string, current: Shape): Shape {
    if (root === '@') return current;
    if (root !== 'steps') {
      const shape = this.roots[root];
      const where = root === 'item' ? 'a step with forEach' : '`expect`';
      if (shape === undefined) this.#report(place, `$${root} is there only in ${where}`);
      return shape ?? ANY;
    }
    if (!this.steps.has(step))
      this.#report(place, `There is no step ${step} before this one.${suggest(step, this.steps.keys())}`);
    else if (this.known?.has(step) === false)
      this.#report(place, `${step} runs after the user has confirmed what this step calls`);
    return this.steps.get(step) ?? ANY;
  }

  #select(shape: Shape, selector: Selector, place: string, path: string): Shape {
    const kinds = kindsOf(shape);
    const isName = selector.kind === 'name';
    if (selector.kind === 'filter') this.#check(selector.test, place, itemOf(shape));
    const expectedKinds = isName
      ? ['object']
      : /index|slice/.test(selector.kind)
        ? ['array']
        : ['array', 'object'];
    if (!fits(kinds, expectedKinds)) {
      const hint = isName && kinds.includes('array') ? `: [*].${selector.name} takes that of each item` : '';
      this.#report(place, `${path} is ${kinds.join(' or ')}, not ${expectedKinds.join(' or ')}${hint}`);
      return ANY;
    }
    if (!isName) return itemOf(shape);
    const member = memberOf(shape, selector.name);
    if (typeof member !== 'string') return member;
    this.#report(place, `${path} has no member ${selector.name}.${member}`);
    return ANY;
  }
}

/** Of a list. */
export function itemOf(shape: Shape): Shape {
  const { prefixItems, items = true } = settle(shape);
  return prefixItems === undefined ? { schema: items, root: shape.root } : ANY;
}

/** Through references, and alternatives of which one is null. Empty: it says nothing. */
function settle({ schema, root }: Shape): SchemaObject {
  for (let round = 0; round < 20 && isRecord(schema); round++) {
    const { $ref: reference, anyOf, oneOf } = schema;
    const alternatives = [anyOf ?? oneOf ?? []].flat() as Schema[];
    const others = alternatives.filter((one) => !isRecord(one) || one.type !== 'null');
    if (typeof reference === 'string') schema = resolveReference(root, reference) as Schema;
    else if (others.length === 1) [schema = true] = others;
    else return schema;
  }
  return {};
}

/** The types that a value may have. An empty list admits each type. */
function kindsOf(shape: Shape): string[] {
  const { type = [] } = settle(shape);
  return [type].flat().filter((name) => name !== 'null');
}

function fits(kinds: readonly string[], wanted: readonly string[]): boolean {
  return kinds.length === 0 || kinds.some((kind) => wanted.includes(kind));
}

/** A text of a number becomes a number, and one of an object that object. */
function isRepairable(kinds: readonly string[], wanted: readonly string[]): boolean {
  const groupOf = (kind: string): string => (/^(?:array|object)$/.test(kind) ? kind : 'scalar');
  const groups = wanted.flatMap((want) => (want === 'object' ? [want, 'scalar'] : groupOf(want)));
  return groups.length === 0 || fits(kinds.map(groupOf), groups);
}

/** The member's shape; or a text if there is none. */
function memberOf(shape: Shape, name: string): Shape | string {
  const schema = settle(shape);
  const { properties, additionalProperties: others = properties === undefined } = schema;
  const member = (ownMember(properties, name) ?? others) as Schema;
  if (member !== false) return { schema: member, root: shape.root };
  if (['allOf', 'anyOf', 'oneOf', 'patternProperties', 'if'].some((keyword) => keyword in schema)) return ANY;
  const names = Object.keys(properties ?? {});
  return suggest(name, names) || ` It has ${names.slice(0, 20).join(', ') || 'none'}.`;
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
