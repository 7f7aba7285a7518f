// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Values and conditions of steps → what they give. Work is counted, members are own ones only, and nothing of an answer is copied. */
import { isRecord, ownMember } from '../../json-rpc.ts';
import { type Json, type JsonObject, ToolError } from '../../types.ts';
import { type Expression, isSingular, type Reference, type Selector } from './expression.ts';

/** Undefined: nothing is there. */
export type Value = Json | undefined;

export interface Scope {
  inputs: Value;
  item?: Value;
  steps: ReadonlyMap<string, Value>;
  meter: Meter;
  /** The item that a filter looks at. */
  current?: Value;
  status?: Value;
}

/** Values that a program may look at, less than 50 ms of work, and the characters of a text that it makes. */
const [MAX_WORK, MAX_TEXT] = [300_000, 1_000_000];

/** Counts the work of a program. */
export class Meter {
  #left = MAX_WORK;

  /** @throws {ToolError} when it is too much */
  spend(work = 1): void {
    if ((this.#left -= work) < 0)
      throw new ToolError(
        'The expressions of the steps look at too many values. Select less, or use fewer steps.',
      );
  }
}

/** Of each value, with what stands between. */
const MIN_SIZE = 5;

/** Characters of a value as JSON, about. Infinite: more than the limit. */
export function sizeOf(value: Value, limit: number): number {
  let size = 0;
  const waiting: Value[] = [value];
  while (waiting.length > 0) {
    const next = waiting.pop();
    size += MIN_SIZE;
    if (typeof next === 'string') size += next.length;
    if (typeof next === 'bigint') size += String(next).length;
    const names = isRecord(next) ? Object.keys(next) : [];
    for (const name of names) size += name.length + 3;
    if (size > limit) return Infinity;
    const members = Array.isArray(next) ? next : membersOf(next, names);
    // Before they are looked at: a list may have a million items, or be there a thousand times.
    if (size + (waiting.length + members.length) * MIN_SIZE > limit) return Infinity;
    for (const member of members) waiting.push(member);
  }
  return size;
}

/** Of an object of 100,000 members in half the time of `Object.values`. */
function membersOf(value: Value, names = Object.keys(value as JsonObject)): Value[] {
  return names.map((name) => (value as JsonObject)[name]);
}

/** @throws {ToolError} for a value that is longer as JSON */
export function requireWithin(value: Value, limit: number, noun: string): number {
  const size = sizeOf(value, limit);
  if (size <= limit) return size;
  throw new ToolError(
    `${noun} would have more than ${limit.toLocaleString('en-US')} characters. Select less.`,
  );
}

/** A text that begins with `$` is an expression, and one with `$$` a text. A member that is nothing is left out; in a list it is null. */
export function fill(value: unknown, compute: (text: string, place: string) => Value, place = ''): Value {
  if (typeof value === 'string' && value.startsWith('$'))
    return value.startsWith('$$') ? value.slice(1) : compute(value, place);
  if (Array.isArray(value))
    return value.map((item, index) => fill(item, compute, `${place}[${index}]`) ?? null);
  if (!isRecord(value)) return (value ?? null) as Json;
  const members = Object.entries(value).map(([name, member]) => [
    name,
    fill(member, compute, `${place}.${name}`),
  ]);
  return Object.fromEntries(members.filter(([, member]) => member !== undefined)) as JsonObject;
}

export function evaluate(expression: Expression, scope: Scope): Value {
  scope.meter.spend();
  if (expression.kind === 'literal') return expression.value;
  if (expression.kind === 'call') return apply(expression, scope);
  if (expression.kind !== 'reference') return holds(expression, scope);
  const nodes = select(expression, scope);
  return isSingular(expression) ? nodes[0] : (nodes as Json[]);
}

/** Whether a condition holds. In a filter a reference alone asks whether anything is there; elsewhere for a value that says yes. */
export function holds(expression: Expression, scope: Scope, isInFilter = false): boolean {
  scope.meter.spend();
  if (expression.kind === 'not') return !holds(expression.operand, scope, isInFilter);
  if (expression.kind === 'binary') {
    const { operator, left, right } = expression;
    if (operator === '&&') return holds(left, scope, isInFilter) && holds(right, scope, isInFilter);
    if (operator === '||') return holds(left, scope, isInFilter) || holds(right, scope, isInFilter);
    const [a, b] = [evaluate(left, scope), evaluate(right, scope)];
    if (isInFilter) return compare(operator, a, b, scope.meter);
    // RFC 9535 tells nothing from null; elsewhere what is absent equals null.
    return compare(operator, a ?? null, b ?? null, scope.meter);
  }
  if (isInFilter && expression.kind === 'reference') return select(expression, scope).length > 0;
  const value = evaluate(expression, scope);
  if (Array.isArray(value)) return value.length > 0;
  return value !== 0n && Boolean(value);
}

function compare(operator: string, a: Value, b: Value, meter: Meter): boolean {
  if (operator === '>' || operator === '>=') return compare(operator === '>' ? '<' : '<=', b, a, meter);
  const isSame = operator !== '<' && isEqual(a, b, meter);
  if (isSame || !operator.startsWith('<')) return isSame === (operator !== '!=');
  spendComparison(a, b, meter);
  const isOrdered = (isNumber(a) && isNumber(b)) || (typeof a === 'string' && typeof b === 'string');
  return isOrdered && (a as number) < (b as number);
}

/** Texts are compared as far as the shorter one goes. */
function spendComparison(a: Value, b: Value, meter: Meter): void {
  if (typeof a === 'string' && typeof b === 'string') meter.spend(Math.min(a.length, b.length) / 64);
}

function isNumber(value: Value): value is number | bigint {
  return typeof value === 'number' || typeof value === 'bigint';
}

function isEqual(a: Value, b: Value, meter: Meter): boolean {
  meter.spend();
  spendComparison(a, b, meter);
  // A bigint is never less or greater than the same number.
  if (isNumber(a) && isNumber(b)) return a >= b && a <= b;
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((item, index) => isEqual(item, b[index], meter));
  if (!isRecord(a) || !isRecord(b)) return a === b;
  const names = Object.keys(a);
  if (names.length !== Object.keys(b).length) return false;
  const [left, right] = [a as JsonObject, b as JsonObject];
  return names.every(
    (name) => Object.hasOwn(b, name) && isEqual(ownMember(left, name), ownMember(right, name), meter),
  );
}

/** The nodes of RFC 9535. */
function select({ root, step, segments }: Reference, scope: Scope): Value[] {
  const value = root === '@' ? scope.current : root === 'steps' ? scope.steps.get(step) : scope[root];
  let nodes: Value[] = value === undefined ? [] : [value];
  for (const segment of segments) {
    const next: Value[] = [];
    for (const node of nodes)
      for (const selector of segment) {
        scope.meter.spend();
        selectChildren(node, selector, scope, next);
      }
    nodes = next;
  }
  return nodes;
}

function selectChildren(node: Value, selector: Selector, scope: Scope, next: Value[]): void {
  if (selector.kind === 'name') {
    const child = isRecord(node) ? ownMember(node as JsonObject, selector.name) : undefined;
    if (child !== undefined) next.push(child);
    return;
  }
  if (selector.kind === 'index' || selector.kind === 'slice') {
    if (!Array.isArray(node)) return;
    const { kind } = selector;
    const chosen = kind === 'index' ? [node.at(selector.index)] : sliceOf(node, selector, scope.meter);
    for (const child of chosen) if (child !== undefined) next.push(child);
    return;
  }
  if (typeof node !== 'object' || node === null) return;
  const children = Array.isArray(node) ? node : membersOf(node);
  scope.meter.spend(children.length);
  if (selector.kind === 'wildcard') {
    for (const child of children) next.push(child);
    return;
  }
  const inner = { ...scope };
  for (const child of children) {
    inner.current = child;
    if (holds(selector.test, inner, true)) next.push(child);
  }
}

/** RFC 9535, section 2.3.4.2.2. */
function sliceOf(items: Json[], { start, end, step }: Selector & { kind: 'slice' }, meter: Meter): Value[] {
  const { length } = items;
  const isForward = step > 0;
  const [least, most] = isForward ? [0, length] : [-1, length - 1];
  const place = (index: number): number =>
    Math.min(Math.max(index < 0 ? length + index : index, least), most);
  const first = start === undefined ? (isForward ? least : most) : place(start);
  const last = end === undefined ? (isForward ? most : least) : place(end);
  const chosen: Value[] = [];
  for (let at = first; step !== 0 && (isForward ? at < last : at > last); at += step) chosen.push(items[at]);
  meter.spend(chosen.length);
  return chosen;
}

function apply({ name, args }: Expression & { kind: 'call' }, scope: Scope): Value {
  const { meter } = scope;
  const [argument] = args;
  if (argument === undefined) return undefined;
  // What counts nodes counts also those of one that is no list.
  if (name === 'count' || name === 'value') {
    const nodes = argument.kind === 'reference' ? select(argument, scope) : [evaluate(argument, scope)];
    return name === 'count' ? nodes.length : nodes.length === 1 ? nodes[0] : undefined;
  }
  const value = evaluate(argument, scope);
  if (name === 'length') return lengthOf(value, meter);
  if (value === undefined) return undefined;
  if (!Array.isArray(value))
    throw new ToolError(`$${name} takes a list, not ${value === null ? 'null' : typeof value}.`);
  if (name === 'first') return value[0];
  meter.spend(value.length);
  if (name === 'unique') return unique(value, meter);
  if (name === 'join') {
    const [, separator = { kind: 'literal', value: '' } as const] = args;
    return join(value, evaluate(separator, scope), meter);
  }
  if (name === 'sum' && value.every(isNumber)) return sum(value);
  if (name === 'sum' || !(value.every(isNumber) || value.every((item) => typeof item === 'string')))
    throw new ToolError(`$${name} takes a list of numbers${name === 'sum' ? '' : ', or one of texts'}.`);
  const operator = name === 'min' ? '<' : '>';
  return value.reduce<Value>((best, item) => (compare(operator, item, best, meter) ? item : best), value[0]);
}

/** Integers keep all their digits. */
function sum(numbers: readonly (number | bigint)[]): number | bigint {
  if (!numbers.every((number) => typeof number === 'bigint' || Number.isSafeInteger(number)))
    return numbers.reduce((total: number, number) => total + Number(number), 0);
  const total = numbers.reduce((before: bigint, number) => before + BigInt(number), 0n);
  return Number.isSafeInteger(Number(total)) ? Number(total) : total;
}

/** Characters, items or members (RFC 9535, section 2.4.4). */
function lengthOf(value: Value, meter: Meter): Value {
  if (Array.isArray(value)) return value.length;
  if (typeof value === 'string') {
    meter.spend(value.length / 4);
    return value.replaceAll(/[\uD800-\uDBFF](?=[\uDC00-\uDFFF])/g, '').length;
  }
  if (!isRecord(value)) return undefined;
  const { length } = Object.keys(value);
  meter.spend(length);
  return length;
}

function unique(items: readonly Json[], meter: Meter): Json[] {
  const byText = new Map<string, Json>();
  for (const item of items) {
    meter.spend(1 + requireWithin(item, MAX_TEXT, 'An item of $unique') / 2);
    // `writeJson` would throw and write again for each integer of many digits.
    const text = JSON.stringify(item, (_, value: unknown) =>
      typeof value === 'bigint' ? `\0${value}` : value,
    );
    if (!byText.has(text)) byText.set(text, item);
  }
  return [...byText.values()];
}

function join(items: readonly Json[], separator: Value, meter: Meter): string {
  if (typeof separator !== 'string') throw new ToolError('The second argument of $join is a text.');
  if (items.some((item) => typeof item === 'object' && item !== null))
    throw new ToolError('$join takes a list of texts and numbers.');
  const texts = items.map((item) => String(item ?? ''));
  const size = texts.reduce((sum, text) => sum + text.length + separator.length, 0);
  if (size > MAX_TEXT)
    throw new ToolError(`$join makes ${MAX_TEXT.toLocaleString('en-US')} characters at most.`);
  meter.spend(size / 8);
  return texts.join(separator);
}
