// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/**
 * JSON Schema 2020-12 as closures: says in words what is wrong with a value. No code is generated, nothing is fetched, and `$ref`
 * reaches only into the schema itself. Each keyword is one row of a table.
 */
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

/** Returns whether the text holds a match. `spend` is told of work, and throws when it is too much. */
export type PatternTest = (text: string, spend: (work: number) => void) => boolean;

/** What features bring. */
export interface Extensions {
  keywords?: Readonly<Record<string, Keyword>>;
  /** Undefined leaves the pattern to the engine. */
  makeTest?: ((source: string) => PatternTest | undefined) | undefined;
}

/** @throws {Error} for another dialect, whose keywords may mean something else */
export function compileSchema(schema: Schema, extensions?: Extensions): Validator {
  const dialect = isRecord(schema) ? schema['$schema'] : undefined;
  if (typeof dialect === 'string' && !/2020-12\/schema#?$/.test(dialect))
    throw new Error(`The schema is of the dialect ${dialect}, and only JSON Schema 2020-12 is checked.`);
  const check = new Compiler(schema, extensions).compile(schema);
  return (value) => {
    const run = new Run();
    try {
      check(value, run);
      return run.misfits;
    } catch (thrown) {
      if (!(thrown instanceof RangeError)) throw thrown;
      return [{ path: [], message: 'The value is nested too deeply, or too large, to be checked' }];
    }
  };
}

/** For schemas that no compiler has seen. @throws {Error} for a keyword or reference that would not be checked */
export function requireChecked(schema: Schema): void {
  compileSchema(schema);
  new Compiler(schema).compileAll();
}

const UNCHECKED = /^(?:unevaluated|\$dynamicRef$|\$recursiveRef$|dependencies$)/;

export class Run {
  misfits: Misfit[] = [];
  readonly path: (string | number)[] = [];
  depth = 0;
  work = 0;
  failures = 0;

  fail(words: Words, member?: string | number, keyword?: string): void {
    if (++this.failures > MAX_MISFITS) return;
    const path = member === undefined ? [...this.path] : [...this.path, member];
    const text = typeof words === 'string' ? words : words();
    this.misfits.push({ path, message: `${printPath(path)} ${text}`, keyword });
  }

  tell(misfits: readonly Misfit[]): void {
    this.misfits.push(...misfits.slice(0, Math.max(0, MAX_MISFITS - this.failures)));
    this.failures += misfits.length;
  }

  /** @throws {RangeError} when it is too much */
  spend(work: number): void {
    if ((this.work += work) > MAX_WORK) throw new RangeError();
  }

  passes(check: Check, value: unknown): boolean {
    return this.collect(check, value) === undefined;
  }

  /** What the check finds, which is not told. Undefined if the value passes. */
  collect(check: Check, value: unknown): Misfit[] | undefined {
    const { misfits, failures } = this;
    [this.misfits, this.failures] = [[], 0];
    check(value, this);
    const found = this.failures === 0 ? undefined : this.misfits;
    [this.misfits, this.failures] = [misfits, failures];
    return found;
  }

  checkMember(check: Check, value: unknown, key: string | number): void {
    this.path.push(key);
    check(value, this);
    this.path.pop();
  }
}

/** What is wrong: a function if the words take time to be found, since only the first faults are told. */
type Words = string | (() => string);
/** Returns words if the value itself is wrong, and tells the run of what is wrong inside. */
export type Test<V> = (value: V, run: Run) => unknown;
export type Check = (value: unknown, run: Run) => void;
type Kind = 'any' | 'number' | 'string' | 'array' | 'object';
type Members = Record<string, unknown>;
export interface Keyword {
  /** Values of other kinds pass. */
  of: Kind;
  compile: (keyword: never, compiler: Compiler, schema: SchemaObject) => Test<never>;
}

function bound(sign: string, holds: (value: number | bigint, limit: number) => boolean): Keyword {
  return {
    of: 'number',
    compile: (limit: number) => (value: number | bigint) =>
      !holds(value, limit) && `must be ${sign} ${limit} but is ${value}`,
  };
}

function size(of: Kind, noun: string, which: 'least' | 'most', measure: (value: never) => number): Keyword {
  return {
    of,
    compile: (limit: number) => (value) => {
      const count = measure(value);
      const holds = which === 'least' ? count >= limit : count <= limit;
      return !holds && `must have at ${which} ${countNoun(limit, noun)} but has ${count}`;
    },
  };
}
const countCharacters = (value: string): number => [...value].length;
const countItems = (value: unknown[]): number => value.length;
const countMembers = (value: Members): number => presentNames(value).length;

/** In the order in which faults are told. */
const KEYWORDS: Readonly<Record<string, Keyword>> = {
  type: {
    of: 'any',
    compile: (type: unknown) => {
      const types = [type].flat();
      return (value) =>
        !types.some((name) => isOfType(value, name)) &&
        `must be ${printList(types.map(withArticle))} but is ${printValue(value)}`;
    },
  },
  enum: {
    of: 'any',
    compile: (values: unknown[]) => (value: unknown) => {
      if (values.some((item) => isEqual(value, item))) return false;
      return () => {
        const texts = values.filter((item) => typeof item === 'string');
        const isText = typeof value === 'string' && values.length > MAX_LISTED;
        const suggestion = isText ? nearest(value, texts) : undefined;
        const hint = suggestion === undefined ? '' : `; did you mean ${printLiteral(suggestion)}?`;
        return `must be one of ${printList(values.map(printLiteral))} but is ${printValue(value)}${hint}`;
      };
    },
  },
  const: {
    of: 'any',
    compile: (constant) => (value) =>
      !isEqual(value, constant) && `must be ${printLiteral(constant)} but is ${printValue(value)}`,
  },
  minimum: bound('≥', (value, limit) => value >= limit),
  maximum: bound('≤', (value, limit) => value <= limit),
  exclusiveMinimum: bound('>', (value, limit) => value > limit),
  exclusiveMaximum: bound('<', (value, limit) => value < limit),
  multipleOf: bound('a multiple of', isMultiple),
  minLength: size('string', 'character', 'least', countCharacters),
  maxLength: size('string', 'character', 'most', countCharacters),
  pattern: {
    of: 'string',
    compile: (source: string, compiler) => {
      const matches = compiler.makeTest(source);
      return (value: string, run) =>
        value.length > MAX_MATCHED
          ? `is too long to be matched against a pattern (at most ${countNoun(MAX_MATCHED, 'character')})`
          : !matches(value, run) && `must match the pattern ${source} but is ${printValue(value)}`;
    },
  },
  minItems: size('array', 'item', 'least', countItems),
  maxItems: size('array', 'item', 'most', countItems),
  uniqueItems: {
    of: 'array',
    compile: (isAsked: unknown) => (value: unknown[]) => {
      const places = new Map<unknown, number>();
      for (const [index, item] of isAsked === true ? value.entries() : []) {
        const first = places.get(canonicalText(item));
        if (first !== undefined)
          return `must not have the same item twice, but items ${first} and ${index} are equal`;
        places.set(canonicalText(item), index);
      }
      return false;
    },
  },
  elements: {
    of: 'array',
    compile: (_, compiler, { prefixItems = [], items = true }) => {
      const prefix = (prefixItems as unknown[]).map((schema) => compiler.compile(schema));
      const rest = compiler.compile(items);
      return (value: unknown[], run) =>
        value.forEach((item, index) => run.checkMember(prefix[index] ?? rest, item, index));
    },
  },
  contains: {
    of: 'array',
    compile: (schema, compiler, { minContains = 1, maxContains = Infinity }) => {
      const check = compiler.compile(schema);
      return (value: unknown[], run) => {
        const count = value.filter((item) => run.passes(check, item)).length;
        const [least, most] = [Number(minContains), Number(maxContains)];
        if (count >= least && count <= most) return false;
        const limit = count < least ? `least ${countNoun(least, 'item')}` : `most ${countNoun(most, 'item')}`;
        return `must have at ${limit} of the kind that \`contains\` asks for but has ${count}`;
      };
    },
  },
  minProperties: size('object', 'property', 'least', countMembers),
  maxProperties: size('object', 'property', 'most', countMembers),
  required: { of: 'object', compile: (names: string[]) => require(names, 'is required but missing') },
  dependentRequired: {
    of: 'object',
    compile: (keyword: Record<string, string[]>) =>
      whenPresent(keyword, (names, name) =>
        require(names, `is required when ${JSON.stringify(name)} is given`),
      ),
  },
  dependentSchemas: {
    of: 'object',
    compile: (keyword: Members, compiler) => whenPresent(keyword, (schema) => compiler.compile(schema)),
  },
  propertyNames: {
    of: 'object',
    compile: (schema, compiler) => {
      const check = compiler.compile(schema);
      return (value: Members, run) => {
        for (const name of Object.keys(value))
          if (!run.passes(check, name)) run.fail('has a name that is not allowed', name);
      };
    },
  },
  members: { of: 'object', compile: (_, compiler, schema) => compileMembers(compiler, schema) },
  $ref: {
    of: 'any',
    compile: (ref: string, compiler) => {
      const check = compiler.compile(compiler.resolve(ref));
      return (value, run) => check(value, run);
    },
  },
  allOf: {
    of: 'any',
    compile: (schemas: unknown[], compiler) => {
      const checks = schemas.map((schema) => compiler.compile(schema));
      return (value, run) => checks.forEach((check) => check(value, run));
    },
  },
  anyOf: { of: 'any', compile: (schemas, compiler) => compileAlternatives(schemas, compiler, false) },
  oneOf: { of: 'any', compile: (schemas, compiler) => compileAlternatives(schemas, compiler, true) },
  not: {
    of: 'any',
    compile: (schema, compiler) => {
      const check = compiler.compile(schema);
      const fault =
        schema === true || printLiteral(schema) === '{}'
          ? 'must not be given'
          : `must not match ${printLiteral(schema)}`;
      return (value, run) => run.passes(check, value) && fault;
    },
  },
  if: {
    of: 'any',
    compile: (schema, compiler, { then = true, else: otherwise = true }) => {
      const condition = compiler.compile(schema);
      const [whenTrue, whenFalse] = [compiler.compile(then), compiler.compile(otherwise)];
      return (value, run) => (run.passes(condition, value) ? whenTrue : whenFalse)(value, run);
    },
  },
};

/** Keywords that are checked together. */
const TOGETHER: Readonly<Record<string, string>> = {
  properties: 'members',
  patternProperties: 'members',
  additionalProperties: 'members',
  prefixItems: 'elements',
  items: 'elements',
};

export class Compiler {
  readonly #root: Schema;
  readonly #extensions: Extensions;
  readonly #checks = new Map<SchemaObject, Check>();

  constructor(root: Schema, extensions: Extensions = {}) {
    this.#root = root;
    this.#extensions = extensions;
  }

  /** The compiler has proved that the engine runs patterns of documents in linear time, or a feature runs them. An invalid one accepts everything. */
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
    const compiled = this.#checks.get(schema);
    if (compiled !== undefined) return compiled;
    let tests: { name: string; of: Kind; test: Test<unknown> }[] | undefined;
    const check: Check = (value, run) => {
      if (++run.depth > MAX_DEPTH) throw new RangeError();
      run.spend(1);
      const kind = kindOf(value);
      for (const { name, of, test } of (tests ??= this.#compileKeywords(schema))) {
        const words = (of === 'any' || of === kind) && test(value, run);
        if (typeof words === 'string' || typeof words === 'function')
          run.fail(words as Words, undefined, name);
      }
      run.depth--;
    };
    this.#checks.set(schema, check);
    return check;
  }

  /** Keywords of each schema add those inside it, which are then compiled in their turn. */
  compileAll(): void {
    this.compile(this.#root);
    for (const schema of this.#checks.keys()) {
      const keyword = Object.keys(schema).find((name) => UNCHECKED.test(name));
      if (keyword !== undefined) throw new Error(`${keyword} is not checked`);
      this.#compileKeywords(schema);
    }
  }

  #compileKeywords(schema: SchemaObject): { name: string; of: Kind; test: Test<unknown> }[] {
    const names = new Set(Object.keys(schema).map((name) => ownMember(TOGETHER, name) ?? name));
    return Object.entries({ ...KEYWORDS, ...this.#extensions.keywords }).flatMap(([name, { of, compile }]) =>
      names.has(name)
        ? { name, of, test: compile(schema[name] as never, this, schema) as Test<unknown> }
        : [],
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

function compileMembers(compiler: Compiler, schema: SchemaObject) {
  const { properties = {}, patternProperties = {}, additionalProperties: others = true } = schema;
  const checks = new Map(Object.entries(properties).map(([name, item]) => [name, compiler.compile(item)]));
  const patterns = Object.entries(patternProperties as Members).map(
    ([source, item]) => [compiler.makeTest(source), compiler.compile(item)] as const,
  );
  const additional = compiler.compile(others);
  return (value: Members, run: Run): void => {
    for (const name of presentNames(value)) {
      const applying = patterns.filter(([matches]) => matches(name, run)).map(([, check]) => check);
      const property = checks.get(name);
      if (property !== undefined) applying.unshift(property);
      if (applying.length === 0 && others === false)
        run.fail(() => describeStranger(name, value, [...checks.keys()]), name);
      else if (applying.length === 0) run.checkMember(additional, value[name], name);
      for (const check of applying) run.checkMember(check, value[name], name);
    }
  };
}

function describeStranger(name: string, value: Members, properties: readonly string[]): string {
  const absent = properties.filter((property) => !Object.hasOwn(value, property));
  const suggestion = nearest(name, absent);
  if (suggestion !== undefined) return `is not a known property; did you mean \`${suggestion}\`?`;
  const list = printList(
    properties.map((property) => `\`${property}\``),
    'and',
  );
  return `is not a known property; ${list === '' ? 'no properties are expected' : `known are ${list}`}`;
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
      const target =
        isRecord(schema) && typeof schema['$ref'] === 'string' ? compiler.resolve(schema['$ref']) : schema;
      const type = isRecord(target) ? target['type'] : undefined;
      return type === undefined || [type].flat().some((name) => isOfType(value, name));
    });
    if (candidates.length !== 1) return `matches none of ${noun}`;
    return candidates[0]?.check(value, run);
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
  if (type === 'number') return Number.isFinite(value) || typeof value === 'bigint';
  return kindOf(value) === type;
}

/** Exact for decimals: 0.3 is a multiple of 0.1. */
function isMultiple(value: number | bigint, factor: number): boolean {
  if (!(factor > 0)) return true;
  if (typeof value === 'bigint') return !Number.isInteger(factor) || value % BigInt(factor) === 0n;
  if (value % factor === 0) return true;
  const [, digits = '', exponent = '0'] = /^\d*\.?(\d*)(?:e([+-]\d+))?$/.exec(String(factor)) ?? [];
  const scale = 10 ** Math.max(0, digits.length - Number(exponent));
  const scaled = Math.round(value * scale);
  const tolerance = 1e-9 * Math.max(1, Math.abs(scaled));
  return Math.abs(scaled - value * scale) < tolerance && scaled % Math.round(factor * scale) === 0;
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

const MAX_WORD = 64;
const MAX_CANDIDATES = 1_000;

/** The candidate that was probably meant: the word begins it, or differs from it by a third of its length at most. */
export function nearest(word: string, candidates: Iterable<string>): string | undefined {
  if (word.length > MAX_WORD) return undefined;
  const simplify = (text: string): string => text.toLowerCase().replaceAll(/[_-]/g, '');
  const simple = simplify(word);
  let best: string | undefined;
  let least = Math.min(simple.length, Math.max(1, Math.round(simple.length / 3)) + 1);
  for (const candidate of [...candidates].slice(0, MAX_CANDIDATES)) {
    const other = simplify(candidate.slice(0, MAX_WORD));
    const isStart =
      simple.length > 1 && (other.startsWith(simple) || (other.length > 1 && simple.startsWith(other)));
    const difference = Math.abs(other.length - simple.length);
    const distance = isStart && difference > 0 ? 0.5 + difference / 128 : editDistance(simple, other);
    if (distance < least) [best, least] = [candidate, distance];
  }
  return best;
}

/** Two letters that changed places count once. */
function editDistance(from: string, to: string): number {
  let before: number[] = [];
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (const [i, character] of [...from].entries()) {
    const next = [i + 1];
    for (const [j, other] of [...to].entries()) {
      const isSwap = character === to[j - 1] && other === from[i - 1];
      const swapped = isSwap ? (before[j - 1] ?? 0) + 1 : Infinity;
      const replaced = (row[j] ?? 0) + (character === other ? 0 : 1);
      next.push(Math.min(swapped, replaced, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
    }
    [before, row] = [row, next];
  }
  return row.at(-1) ?? 0;
}
