// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** The state of one validation: its limits, what closures pass to one another, and the failures that they find. */
import { omitUndefined } from '../contract/json-value.ts';
import {
  type JsonObject,
  type JsonSchema,
  type JsonType,
  escapePointerToken,
} from '../contract/json-schema.ts';
import { makePattern } from '../contract/patterns.ts';
import type { Resource, SchemaNode } from './schema-set.ts';

/** Evaluates a schema or a keyword. A run with `findings` reports every failure, one without stops at the first. */
export type Check<T = unknown> = (value: T, run: Run) => boolean;

export class Halt extends Error {
  /** Undefined when enough errors are known. */
  readonly limit: 'maxDepth' | 'maxWork' | undefined;

  constructor(limit?: 'maxDepth' | 'maxWork') {
    super('halt');
    this.limit = limit;
  }
}

/** The feature `alternatives` reads branches of `anyOf` and `oneOf`. Without it, messages name no branch, and repairs treat each branch as possible. */
export interface AlternativesReader {
  /** Reports a failure of the keyword, and returns how many branches hold. */
  checkAlternatives(alternatives: Alternatives, value: unknown, run: Run): number;
  /** Judges by type, tags and names of members whether a branch can be meant. */
  mayAccept(hints: SchemaHints, value: object, reader: TypesReader, depth: number): boolean;
}

export interface Alternatives {
  node: SchemaNode;
  keyword: 'anyOf' | 'oneOf';
  branches: readonly { check: Check; node: SchemaNode }[];
}

/** Schemas that apply to one value: all of the parts, or one at least. */
export type SchemaHints = SchemaNode | { every: readonly SchemaHints[] } | { some: readonly SchemaHints[] };

/** `number` always comes with `integer`. */
export type Types = ReadonlySet<JsonType>;

export interface TypesReader {
  types(hints: SchemaHints, depth?: number): Types;
  /** False past the budget of steps, and too deep. */
  spendStep(depth: number): boolean;
}

let alternatives: AlternativesReader | undefined;

export function registerAlternativesReader(reader: AlternativesReader): void {
  alternatives = reader;
}

export function alternativesReader(): AlternativesReader | undefined {
  return alternatives;
}

export class Run {
  readonly limits: Required<SchemaLimits>;
  /** Set while failures are being reported. */
  findings: Findings | undefined;
  /** The place in the value; kept only with `findings`. */
  readonly path: (string | number)[] = [];
  /** Kept only where `unevaluated…` needs it. */
  evaluated: Evaluated | undefined;
  /** The dynamic scope (Core, section 7.1), outermost first; kept only where `$dynamicRef` needs it. */
  readonly scope: Resource[] = [];
  /** The depth of alternatives that are being explained. */
  explaining = 0;
  #depth = 0;
  #work = 0;

  constructor(limits: Required<SchemaLimits>, findings?: Findings) {
    this.limits = limits;
    this.findings = findings;
  }

  enterSchema(): void {
    if (++this.#depth > this.limits.maxDepth) throw new Halt('maxDepth');
    if (++this.#work > this.limits.maxWork) throw new Halt('maxWork');
  }

  leaveSchema(): void {
    this.#depth--;
  }

  /** Accounts for work that grows with the value rather than with the schema. */
  spendSteps(steps: number): void {
    this.#work += steps;
    if (this.#work > this.limits.maxWork) throw new Halt('maxWork');
  }
}

export function checkMember(node: SchemaNode, value: unknown, key: string | number, run: Run): boolean {
  if (run.findings === undefined) return node.check(value, run);
  run.path.push(key);
  const ok = node.check(value, run);
  run.path.pop();
  return ok;
}

export function passesQuietly(check: Check, value: unknown, run: Run): boolean {
  const { findings } = run;
  run.findings = undefined;
  const ok = check(value, run);
  run.findings = findings;
  return ok;
}

/** Without `findings` the first failure decides; with them the others are reported too. */
export function testEvery<T>(items: Iterable<T>, run: Run, test: (item: T) => boolean): boolean {
  let ok = true;
  for (const item of items) {
    if (test(item)) continue;
    if (run.findings === undefined) return false;
    ok = false;
  }
  return ok;
}

export function combineChecksInSequence<T>(checks: readonly (Check<T> | undefined)[]): Check<T> | undefined {
  const all = checks.filter((check) => check !== undefined);
  const [first, second] = all;
  if (first === undefined || second === undefined) return first;
  if (all.length > 2) return (value, run) => testEvery(all, run, (check) => check(value, run));
  return (value, run) => {
    const ok = first(value, run);
    return (ok || run.findings !== undefined) && second(value, run) && ok;
  };
}

export interface SchemaLimits {
  /** Subschemas being evaluated inside one another. Default 1,000: far from the end of the stack. */
  maxDepth?: number;
  /** Subschemas evaluated and members compared. Default 200,000: a quarter of a second at most. */
  maxWork?: number;
  /** Most errors that are reported of one value. Default 20. */
  maxErrors?: number;
  /** UTF-16 code units of a text that is tested against a `pattern`. Default 100,000. */
  maxPatternInput?: number;
}

export type FormatTest = (text: string) => boolean;

export interface SchemaOptions extends SchemaLimits {
  /** Other schema documents by URI, for `$ref` and `$schema`. Nothing is ever fetched. */
  schemas?: Readonly<Record<string, JsonSchema>>;
  /** Formats that are asserted, such as `commonFormats`. Default: `format` is an annotation. */
  formats?: Readonly<Record<string, FormatTest>>;
}

export const defaultLimits: Required<SchemaLimits> = {
  maxDepth: 1_000,
  maxWork: 200_000,
  maxErrors: 20,
  maxPatternInput: 100_000,
};

/** Members of one object or array that `unevaluated…` ignores, since a schema has evaluated them. */
export class Evaluated {
  #allProperties = false;
  #properties: Set<string> | undefined;
  #items = 0;
  #scattered: Set<number> | undefined;

  markPropertyEvaluated(name: string): void {
    (this.#properties ??= new Set()).add(name);
  }

  markAllPropertiesEvaluated(): void {
    this.#allProperties = true;
  }

  /** The first `count` items; `Infinity` is all. */
  markItemsEvaluated(count: number): void {
    if (count > this.#items) this.#items = count;
  }

  addItem(index: number): void {
    (this.#scattered ??= new Set()).add(index);
  }

  isPropertyEvaluated(name: string): boolean {
    return this.#allProperties || this.#properties?.has(name) === true;
  }

  isItemEvaluated(index: number): boolean {
    return index < this.#items || this.#scattered?.has(index) === true;
  }

  mergeEvaluated(other: Evaluated): void {
    if (other.#allProperties) this.#allProperties = true;
    for (const name of other.#properties ?? []) this.markPropertyEvaluated(name);
    this.markItemsEvaluated(other.#items);
    for (const index of other.#scattered ?? []) this.addItem(index);
  }
}

/** A test that takes too many steps counts as no match. */
export function matchesPattern(source: string, text: string): boolean {
  try {
    return makePattern(source).test(text, new Run(defaultLimits));
  } catch (error) {
    if (error instanceof Halt) return false;
    throw error;
  }
}

export interface SchemaError {
  /** JSON Pointer (RFC 6901) to the value at fault; `''` is the whole value. */
  instancePath: string;
  schemaPath: string;
  keyword: string;
  /** A sentence that a model can act upon: "`limit` must be ≤ 100 but is 500". */
  message: string;
  params?: JsonObject;
}

export interface Finding {
  node: SchemaNode;
  keyword: string;
  path: (string | number)[];
  /** The subject of the sentence, if that is not the value at `path`: a member that is missing or too much. */
  member?: string | number;
  /** The rest of the sentence: "must be ≤ 100 but is 500". */
  words: string;
  params?: JsonObject;
}

export type Failure = Pick<Finding, 'words' | 'params' | 'member'>;

export class Findings {
  readonly list: Finding[] = [];
  readonly #limit: number;
  readonly #whenFull: 'halt' | 'ignore';

  /** `ignore` drops findings past the limit, where the run's outcome is still needed. */
  constructor(limit: number, whenFull: 'halt' | 'ignore') {
    this.#limit = limit;
    this.#whenFull = whenFull;
  }

  addFinding(finding: Finding): void {
    if (this.list.length < this.#limit) this.list.push(finding);
    if (this.list.length >= this.#limit && this.#whenFull === 'halt') throw new Halt();
  }
}

/** Returns false always, so that a keyword can return it. */
export function reportFailure(run: Run, node: SchemaNode, keyword: string, failure: Failure): false {
  run.findings?.addFinding({ node, keyword, path: [...run.path], ...failure });
  return false;
}

export function createAssertionCheck<T>(
  node: SchemaNode,
  keyword: string,
  test: (value: T) => boolean,
  failure: (value: T) => Failure,
): Check<T> {
  return (value, run) =>
    test(value) || (run.findings !== undefined && reportFailure(run, node, keyword, failure(value)));
}

/** Makes the words of a value that is not `wanted`. */
export function describeMisfit(wanted: string, params: JsonObject): (value: unknown) => Failure {
  return (value) => ({ words: `must be ${wanted} but is ${describeValue(value)}`, params });
}

export function compileSizeCheck<T>(
  node: SchemaNode,
  keyword: string,
  noun: string,
  size: (value: T) => number,
): Check<T> | undefined {
  const limit = node.keywords[keyword];
  if (typeof limit !== 'number') return undefined;
  const isLeast = keyword.startsWith('min');
  return createAssertionCheck(
    node,
    keyword,
    (value) => (isLeast ? size(value) >= limit : size(value) <= limit),
    (value) => ({
      words: `must have ${isLeast ? 'at least' : 'at most'} ${countNoun(limit, noun)} but has ${size(value)}`,
      params: { limit },
    }),
  );
}

export function toSchemaError(finding: Finding): SchemaError {
  const { node, keyword, path, params } = finding;
  return {
    instancePath: path.map((token) => `/${escapePointerToken(token)}`).join(''),
    schemaPath: keyword === 'false' ? node.path : `${node.path}/${escapePointerToken(keyword)}`,
    keyword,
    message: findingSentence(finding),
    ...omitUndefined({ params }),
  };
}

export function findingSentence({ path, member, words }: Finding): string {
  return `${formatPath(member === undefined ? path : [...path, member])} ${words}`;
}

/** Writes a place as people do: `` `filter.tags[2]` ``. */
export function formatPath(path: readonly (string | number)[]): string {
  if (path.length === 0) return 'The value';
  let name = '';
  for (const token of path) {
    if (typeof token === 'number') name += `[${token}]`;
    else if (!/^[\w$@-]+$/.test(token)) name += `[${describeValue(token)}]`;
    else name += name === '' ? token : `.${token}`;
  }
  return `\`${name}\``;
}

/** A fault as the Standard Schema specification writes it. */
export interface StandardIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/** An issue of a Standard Schema, of the value called `name`. */
export function describeIssue({ message, path = [] }: StandardIssue, name?: string): string {
  const steps = path.map((step) => (typeof step === 'object' ? step.key : step));
  const named = [name ?? [], steps].flat().map((step) => (typeof step === 'symbol' ? String(step) : step));
  return named.length === 0 ? message : `${formatPath(named)}: ${message}`;
}

export function describeValue(value: unknown): string {
  if (Array.isArray(value))
    return value.length === 0 ? 'an empty array' : `an array of ${countNoun(value.length, 'item')}`;
  if (typeof value === 'object' && value !== null) return 'an object';
  const text = typeof value === 'string' ? JSON.stringify(cutTo60Characters(value)) : String(value);
  return typeof value === 'function' || typeof value === 'symbol' ? `a ${typeof value}` : text;
}

export function printLiteral(value: unknown): string {
  if (typeof value === 'object' && value !== null && Object.keys(value).length > 8)
    return describeValue(value);
  try {
    const text = JSON.stringify(value);
    return text.length <= 80 ? text : describeValue(value);
  } catch {
    // `JSON.stringify` overflows the stack on deeply nested values.
    return describeValue(value);
  }
}

function cutTo60Characters(text: string): string {
  return text.length <= 60 ? text : `${text.slice(0, 60).replace(/[\ud800-\udbff]$/, '')}…`;
}

export function countNoun(number: number, noun: string): string {
  const plural = noun.endsWith('y') ? `${noun.slice(0, -1)}ies` : `${noun}s`;
  return `${number} ${number === 1 ? noun : plural}`;
}

export const MOST_LISTED = 12;

export function formatList(items: readonly string[], word = 'or', most = MOST_LISTED): string {
  if (items.length > most) return `${items.slice(0, most).join(', ')}, … (${items.length} in all)`;
  const last = items.at(-1) ?? '';
  return items.length < 2 ? last : `${items.slice(0, -1).join(', ')} ${word} ${last}`;
}
