// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** JSON Schema 2020-12 as closures, one row for each keyword that is checked. No code is generated, and `$ref` reaches only into the schema itself. */
import { isRecord, ownMember } from './json-rpc.ts';
import type { Schema, SchemaObject } from './types.ts';

/** `path` leads to the value at fault, or to the member that is missing or too much. */
export interface Misfit {
  path: (string | number)[];
  /** A sentence that a model can act upon: "`limit` must be ≤ 100 but is 500". */
  message: string;
  /** The keyword that the value at `path` itself does not fit. */
  keyword?: string | undefined;
}
export type Validator = (value: unknown) => Misfit[];

const MAX_MISFITS = 20;
/** Schemas inside one another: far from the end of the stack. */
const MAX_DEPTH = 500;
const MAX_WORK = 200_000;
const MAX_MATCHED = 100_000;
/** One character in two units. */
const PAIR = /[\uD800-\uDBFF][\uDC00-\uDFFF]/g;

/** Returns whether the text holds a match. `spend` is told of work, and throws when it is too much. */
export type PatternTest = (text: string, spend: (work: number) => void) => boolean;

/** What features bring. */
export interface Extensions {
  keywords?: Readonly<Record<string, Keyword>>;
  /** Undefined leaves the pattern to the engine. */
  makeTest?: ((source: string) => PatternTest | undefined) | undefined;
}

/** @throws {Error} for another dialect, whose keywords may mean something else */
export function compileSchema(schema: Schema, extensions?: Extensions, maxWork?: number): Validator {
  const dialect = isRecord(schema) ? schema['$schema'] : undefined;
  if (typeof dialect === 'string' && !/2020-12\/schema#?$/.test(dialect))
    throw new Error(`The schema is of the dialect ${dialect}, and only JSON Schema 2020-12 is checked.`);
  const check = new Compiler(schema, extensions).compile(schema);
  return (value) => {
    try {
      return new Run(maxWork).collect(check, value) ?? [];
    } catch (thrown) {
      if (!(thrown instanceof RangeError)) throw thrown;
      return [{ path: [], message: 'The value is nested too deeply, or too large, to be checked' }];
    }
  };
}

/** The check of one value. */
export class Run {
  misfits: Misfit[] = [];
  readonly path: (string | number)[] = [];
  depth = 0;
  #limit = MAX_MISFITS;
  #workLeft: number;

  constructor(maxWork = MAX_WORK) {
    this.#workLeft = maxWork;
  }

  /** Enough is wrong. */
  get isOver(): boolean {
    return this.misfits.length >= this.#limit;
  }

  fail(words: string, member?: string | number, keyword?: string): void {
    if (this.isOver) return;
    const path = member === undefined ? [...this.path] : [...this.path, member];
    this.misfits.push({ path, message: `${printPath(path)} ${words}`, keyword });
  }

  /** @throws {RangeError} when it is too much */
  spend(work: number): void {
    if ((this.#workLeft -= work) < 0) throw new RangeError();
  }

  passes(check: Check, value: unknown): boolean {
    return this.collect(check, value, 1) === undefined;
  }

  /** What the check finds, up to the limit, apart from what was found before. Undefined if the value passes. */
  collect(check: Check, value: unknown, limit = MAX_MISFITS): Misfit[] | undefined {
    const outer = { misfits: this.misfits, limit: this.#limit };
    [this.misfits, this.#limit] = [[], limit];
    check(value, this);
    const { misfits } = this;
    [this.misfits, this.#limit] = [outer.misfits, outer.limit];
    return misfits.length === 0 ? undefined : misfits.slice(0, limit);
  }

  checkMember(check: Check, value: unknown, key: string | number): void {
    this.path.push(key);
    check(value, this);
    this.path.pop();
  }
}

/** Returns words if the value itself is wrong, and tells the run of what is wrong inside. */
export type Test<V> = (value: V, run: Run) => unknown;
export type Check = (value: unknown, run: Run) => void;
export type Keyword = (keyword: never, compiler: Compiler, schema: SchemaObject) => Test<never>;
type Members = Record<string, unknown>;

function bound(sign: string, holds: (value: number | bigint, limit: number) => boolean): Keyword {
  return (limit: number) => (value: number | bigint) =>
    !holds(value, limit) && `must be ${sign} ${limit} but is ${value}`;
}

/** `minLength` and `maxLength`, and their like. */
function sizes(name: string, noun: string, measure: (value: never) => number): Record<string, Keyword> {
  const size =
    (which: string, sign: number): Keyword =>
    (limit: number) =>
    (value) => {
      const count = measure(value);
      return (count - limit) * sign < 0 && `must have at ${which} ${countNoun(limit, noun)} but has ${count}`;
    };
  return { [`min${name}`]: size('least', 1), [`max${name}`]: size('most', -1) };
}

/** Checked where a feature brings it. */
const skip: Keyword = () => () => false;

/** By the kind of values that they are about. */
const KEYWORDS: Readonly<Record<string, Readonly<Record<string, Keyword>>>> = {
  any: {
    type: (type: unknown) => {
      const types = [type].flat();
      return (value) =>
        !types.some((name) => isOfType(value, name)) &&
        `must be ${printList(types.map(withArticle))} but is ${printValue(value)}`;
    },
    enum: (values: unknown[]) => (value) =>
      !values.some((item) => isEqual(value, item)) &&
      `must be one of ${printList(values.map(printLiteral))} but is ${printValue(value)}`,
    const: (constant) => (value) =>
      !isEqual(value, constant) && `must be ${printLiteral(constant)} but is ${printValue(value)}`,
    $ref: (ref: string, compiler) => compiler.compile(compiler.resolve(ref)),
    allOf: (schemas: unknown[], compiler) => {
      const checks = schemas.map((schema) => compiler.compile(schema));
      return (value, run) => checks.forEach((check) => check(value, run));
    },
    anyOf: (schemas, compiler) => compileAlternatives(schemas, compiler, false),
    oneOf: (schemas, compiler) => compileAlternatives(schemas, compiler, true),
    not: (schema, compiler) => {
      const check = compiler.compile(schema);
      const isNever = schema === true || printLiteral(schema) === '{}';
      const fault = isNever ? 'must not be given' : `must not match ${printLiteral(schema)}`;
      return (value, run) => run.passes(check, value) && fault;
    },
    if: (schema, compiler, { then = true, else: otherwise = true }) => {
      const [condition, whenTrue, whenFalse] = [schema, then, otherwise].map((one) => compiler.compile(one));
      return (value, run) => (condition && run.passes(condition, value) ? whenTrue : whenFalse)?.(value, run);
    },
  },
  number: {
    minimum: bound('≥', (value, limit) => value >= limit),
    maximum: bound('≤', (value, limit) => value <= limit),
    exclusiveMinimum: bound('>', (value, limit) => value > limit),
    exclusiveMaximum: bound('<', (value, limit) => value < limit),
    multipleOf: bound('a multiple of', isMultiple),
  },
  string: {
    ...sizes('Length', 'character', (value: string) => value.length - (value.match(PAIR)?.length ?? 0)),
    pattern: (source: string, compiler) => {
      const matches = compiler.makeTest(source);
      return (value: string, run) =>
        value.length > MAX_MATCHED
          ? `is too long to be matched against a pattern (at most ${countNoun(MAX_MATCHED, 'character')})`
          : !matches(value, run) && `must match the pattern ${source} but is ${printValue(value)}`;
    },
  },
  array: {
    ...sizes('Items', 'item', (value: unknown[]) => value.length),
    uniqueItems: (isAsked) => (value: unknown[]) =>
      isAsked === true &&
      new Set(value.map(canonicalText)).size < value.length &&
      'must not have the same item twice',
    items: (_, compiler, { prefixItems = [], items = true }) => {
      const prefix = (prefixItems as unknown[]).map((schema) => compiler.compile(schema));
      const rest = compiler.compile(items);
      return (value: unknown[], run) =>
        value.forEach((item, index) => run.checkMember(prefix[index] ?? rest, item, index));
    },
    contains: (schema, compiler, { minContains: least = 1, maxContains: most = Infinity }) => {
      const check = compiler.compile(schema);
      return (value: unknown[], run) => {
        const count = value.filter((item) => run.passes(check, item)).length;
        const isTooFew = count < Number(least);
        const limit = isTooFew
          ? `at least ${countNoun(Number(least), 'item')}`
          : `at most ${countNoun(Number(most), 'item')}`;
        return (
          (isTooFew || count > Number(most)) &&
          `must have ${limit} matching ${printLiteral(schema)} but has ${count}`
        );
      };
    },
    unevaluatedItems: skip,
  },
  object: {
    ...sizes('Properties', 'property', (value: Members) => presentNames(value).length),
    required: (names: string[]) => require(names, 'is required but missing'),
    dependentRequired: (keyword: Record<string, string[]>) =>
      whenPresent(keyword, (names, name) =>
        require(names, `is required when ${JSON.stringify(name)} is given`),
      ),
    dependentSchemas: (keyword: Members, compiler) =>
      whenPresent(keyword, (schema) => compiler.compile(schema)),
    propertyNames: (schema, compiler) => {
      const check = compiler.compile(schema);
      return (value: Members, run) => {
        for (const name of Object.keys(value))
          if (!run.passes(check, name)) run.fail('has a name that is not allowed', name);
      };
    },
    properties: compileMembers,
    unevaluatedProperties: skip,
  },
};

/** Keywords that are checked with another. */
const TOGETHER: Readonly<Record<string, string>> = {
  patternProperties: 'properties',
  additionalProperties: 'properties',
  prefixItems: 'items',
};

export class Compiler {
  readonly checks = new Map<SchemaObject, Check>();
  readonly #root: Schema;
  readonly #extensions: Extensions;

  constructor(root: Schema, extensions: Extensions = {}) {
    this.#root = root;
    this.#extensions = extensions;
  }

  /** mcpgen has proved that the engine runs patterns of documents in linear time, or a feature runs them. An invalid one accepts everything. */
  makeTest(source: string): (text: string, run: Run) => boolean {
    const test = this.#extensions.makeTest?.(source);
    if (test !== undefined) return (text, run) => test(text, (work) => run.spend(work));
    const expression = compilePattern(source);
    return (text) => expression?.test(text) !== false;
  }

  /** A subschema becomes closures when a value first reaches it, so that it may refer to itself. */
  compile(schema: unknown): Check {
    if (schema === false) return (_, run) => run.fail('is not allowed');
    if (!isRecord(schema)) return () => undefined;
    const compiled = this.checks.get(schema);
    if (compiled !== undefined) return compiled;
    let tests: [kind: string, name: string, test: Test<unknown>][] | undefined;
    const check: Check = (value, run) => {
      if (run.isOver) return;
      if (++run.depth > MAX_DEPTH) throw new RangeError();
      run.spend(1);
      const valueKind = kindOf(value);
      for (const [kind, name, test] of (tests ??= this.compileKeywords(schema))) {
        const words = (kind === 'any' || kind === valueKind) && test(value, run);
        if (typeof words === 'string') run.fail(words, undefined, name);
      }
      run.depth--;
    };
    this.checks.set(schema, check);
    return check;
  }

  compileKeywords(schema: SchemaObject): [kind: string, name: string, test: Test<unknown>][] {
    const names = new Set(Object.keys(schema).map((name) => ownMember(TOGETHER, name) ?? name));
    return Object.entries(KEYWORDS).flatMap(([kind, keywords]) =>
      Object.entries(keywords).flatMap(([name, keyword]): [string, string, Test<unknown>][] => {
        if (!names.has(name)) return [];
        const compile = ownMember(this.#extensions.keywords, name) ?? keyword;
        return [[kind, name, compile(schema[name] as never, this, schema) as Test<unknown>]];
      }),
    );
  }

  /** @throws {Error} for a reference that leads nowhere in the schema */
  resolve(ref: string): unknown {
    const target = resolveReference(this.#root, ref);
    if (target === undefined) throw new Error(`The schema has no ${ref}.`);
    return target;
  }
}

/** The subschema that a JSON Pointer in a fragment names (RFC 6901). Undefined if it leads nowhere. */
export function resolveReference(root: Schema, ref: string): unknown {
  if (!/^#(?:\/|$)/.test(ref)) return undefined;
  let schema: unknown = root;
  for (const token of ref.split('/').slice(1)) {
    const name = decodeURIComponent(token).replaceAll('~1', '/').replaceAll('~0', '~');
    schema = typeof schema === 'object' && schema !== null ? ownMember(schema as Members, name) : undefined;
  }
  return schema;
}

function require(names: readonly string[], words: string) {
  return (value: Members, run: Run): void => {
    for (const name of names) if (ownMember(value, name) === undefined) run.fail(words, name);
  };
}

function whenPresent<T>(keyword: Record<string, T>, compile: (rule: T, name: string) => Test<never>) {
  const tests = Object.entries(keyword).map(([name, rule]) => [name, compile(rule, name)] as const);
  return (value: Members, run: Run): void => {
    for (const [name, test] of tests) if (ownMember(value, name) !== undefined) test(value as never, run);
  };
}

function compileMembers(_: never, compiler: Compiler, schema: SchemaObject) {
  const { properties = {}, patternProperties = {}, additionalProperties: others = true } = schema;
  const checks = new Map(Object.entries(properties).map(([name, item]) => [name, compiler.compile(item)]));
  const patterns = Object.entries(patternProperties as Members).map(
    ([source, item]) => [compiler.makeTest(source), compiler.compile(item)] as const,
  );
  const additional = compiler.compile(others);
  return (value: Members, run: Run): void => {
    for (const name of Object.keys(value)) {
      if (run.isOver) return;
      const member = value[name];
      // Code may pass arguments that are absent.
      if (member === undefined) continue;
      const property = checks.get(name);
      if (property !== undefined) run.checkMember(property, member, name);
      let isOther = property === undefined;
      for (const [matches, check] of patterns) {
        if (!matches(name, run)) continue;
        isOther = false;
        run.checkMember(check, member, name);
      }
      if (!isOther) continue;
      if (others === false) run.fail(describeStranger(name, value, [...checks.keys()]), name);
      else run.checkMember(additional, member, name);
    }
  };
}

function describeStranger(name: string, value: Members, properties: readonly string[]): string {
  const suggestion = nearest(
    name,
    properties.filter((property) => !Object.hasOwn(value, property)),
  );
  if (suggestion !== undefined) return `is not a known property; did you mean \`${suggestion}\`?`;
  const names = properties.map((property) => `\`${property}\``);
  if (names.length === 0) return 'is not a known property; there are none';
  return `is not a known property; known are ${printList(names, 'and')}`;
}

/** If one alternative alone has the type of the value, its own misfits say more than that none matches. */
function compileAlternatives(schemas: unknown[], compiler: Compiler, isOne: boolean): Test<unknown> {
  const branches = schemas.map((schema) => ({ schema, check: compiler.compile(schema) }));
  const noun = countNoun(branches.length, 'alternative');
  return (value, run) => {
    const matching = branches.filter(({ check }) => run.passes(check, value)).length;
    if (matching === 1 || (matching > 1 && !isOne)) return false;
    if (matching > 1) return `must match exactly one of ${noun}`;
    const candidates = branches.filter(({ schema }) => {
      const { type } = isRecord(schema) ? schema : {};
      return type === undefined || [type].flat().some((name) => isOfType(value, name));
    });
    return candidates.length === 1 ? candidates[0]?.check(value, run) : `matches none of ${noun}`;
  };
}

export function compilePattern(source: string): RegExp | undefined {
  for (const flags of ['u', ''])
    try {
      return new RegExp(source, flags);
    } catch {}
  return undefined;
}

/** A member that is `undefined` is absent: code may pass such arguments. */
function presentNames(value: Members): string[] {
  return Object.keys(value).filter((name) => value[name] !== undefined);
}

function kindOf(value: unknown): string {
  if (Array.isArray(value)) return 'array';
  if (value === null) return 'null';
  return typeof value === 'bigint' ? 'number' : typeof value;
}

export function isOfType(value: unknown, type: unknown): boolean {
  if (type === 'integer') return Number.isInteger(value) || typeof value === 'bigint';
  return kindOf(value) === type && (type !== 'number' || typeof value === 'bigint' || Number.isFinite(value));
}

/** Exact for decimals: 0.3 is a multiple of 0.1. */
function isMultiple(value: number | bigint, factor: number): boolean {
  if (!(factor > 0)) return true;
  if (typeof value === 'bigint') return !Number.isInteger(factor) || value % BigInt(factor) === 0n;
  if (value % factor === 0 || Number.isInteger(factor)) return value % factor === 0;
  const quotient = value / factor;
  return Math.abs(Math.round(quotient) - quotient) <= 1e-9 * Math.max(1, Math.abs(quotient));
}

/** Equal values have one text: members in the order of their names. */
function canonicalText(value: unknown): string {
  return JSON.stringify(value, (_, member: unknown) => {
    if (typeof member === 'bigint') return `${member}n`;
    if (!isRecord(member)) return member;
    return Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
}

function isEqual(one: unknown, other: unknown): boolean {
  // A large integer of a client is exact, and a literal of a schema is a double.
  if (typeof one === 'bigint' && Number.isInteger(other)) return one === BigInt(other as number);
  if (one === other || typeof one !== 'object' || typeof other !== 'object') return one === other;
  return canonicalText(one) === canonicalText(other);
}

// Words.

function withArticle(type: unknown): string {
  return type === 'null' ? 'null' : `${/^[aio]/.test(String(type)) ? 'an' : 'a'} ${String(type)}`;
}

/** A place as people write it: `` `filter.tags[2]` ``. */
export function printPath(path: readonly (string | number)[]): string {
  if (path.length === 0) return 'The value';
  const steps = path.map((key, index) => {
    if (typeof key === 'number') return `[${key}]`;
    if (!/^[\w$@-]+$/.test(key)) return `[${printValue(key)}]`;
    return index === 0 ? key : `.${key}`;
  });
  return `\`${steps.join('')}\``;
}

export function printValue(value: unknown): string {
  if (Array.isArray(value))
    return value.length === 0 ? 'an empty array' : `an array of ${countNoun(value.length, 'item')}`;
  if (isRecord(value)) return 'an object';
  if (typeof value !== 'string') return String(value);
  return JSON.stringify(
    value.length <= 60 ? value : `${value.slice(0, 60).replace(/[\ud800-\udbff]$/, '')}…`,
  );
}

export function printLiteral(value: unknown): string {
  const text = isRecord(value) && Object.keys(value).length > 8 ? undefined : JSON.stringify(value);
  return text === undefined || text.length > 80 ? printValue(value) : text;
}

const MAX_LISTED = 12;

export function printList(items: readonly string[], word = 'or'): string {
  if (items.length > MAX_LISTED)
    return `${items.slice(0, MAX_LISTED).join(', ')}, … (${items.length} in all)`;
  return items.length < 2 ? (items[0] ?? '') : `${items.slice(0, -1).join(', ')} ${word} ${items.at(-1)}`;
}

export function countNoun(count: number, noun: string): string {
  return `${count} ${count === 1 ? noun : `${noun.replace(/y$/, 'ie')}s`}`;
}

/** The candidate that was probably meant: one begins the other, or they share most letters and pairs of letters. */
export function nearest(word: string, candidates: Iterable<string>): string | undefined {
  const partsOf = (text: string): Set<string> => {
    const simple = text.slice(0, 64).toLowerCase().replaceAll(/[_-]/g, '');
    return new Set([...simple, ...Array.from(simple.slice(1), (_, index) => simple.slice(index, index + 2))]);
  };
  const parts = partsOf(word);
  let best: string | undefined;
  let highest = 0.55;
  for (const candidate of [...candidates].slice(0, 1_000)) {
    const others = partsOf(candidate);
    const shared = [...others].filter((part) => parts.has(part)).length;
    const isStart = candidate.length > 1 && (word.startsWith(candidate) || candidate.startsWith(word));
    const likeness = isStart && word.length > 1 ? 0.9 : (2 * shared) / (parts.size + others.size);
    if (likeness > highest) [best, highest] = [candidate, likeness];
  }
  return best;
}
