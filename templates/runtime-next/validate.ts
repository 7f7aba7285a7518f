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
}
export type Validator = (value: unknown) => Misfit[];

const MOST_MISFITS = 20;
/** Schemas inside one another: far from the end of the stack. */
const MOST_DEPTH = 500;
/** Schemas evaluated: less than a second. */
const MOST_WORK = 2_000_000;
/** Characters of a text that a pattern is tested against. */
const LONGEST_MATCHED = 100_000;

class Halt extends Error {}

/** One validation. Without `misfits` the first failure decides, and no words are made. */
class Run {
  readonly misfits: Misfit[] | undefined;
  readonly path: (string | number)[] = [];
  depth = 0;
  work = 0;

  constructor(misfits?: Misfit[], outer?: Run) {
    this.misfits = misfits;
    this.depth = outer?.depth ?? 0;
  }

  /** Returns false, so that a check can return it. */
  fail(words: string, member?: string | number): false {
    if (this.misfits === undefined) return false;
    const path = member === undefined ? [...this.path] : [...this.path, member];
    this.misfits.push({ path, message: `${printPath(path)} ${words}` });
    if (this.misfits.length >= MOST_MISFITS) throw new Halt();
    return false;
  }
}

type Check<T = unknown> = (value: T, run: Run) => boolean;
type Members = Record<string, unknown>;

/** @throws {Error} for another dialect, whose keywords may mean something else */
export function compileSchema(schema: Schema): Validator {
  const dialect = isRecord(schema) ? schema['$schema'] : undefined;
  if (typeof dialect === 'string' && !/2020-12\/schema#?$/.test(dialect))
    throw new Error(`The schema is of the dialect ${dialect}, and only JSON Schema 2020-12 is checked.`);
  const check = new Compiler(schema).check(schema);
  return (value) => {
    const misfits: Misfit[] = [];
    try {
      // Most values are valid, so the first pass only decides.
      if (!check(value, new Run())) check(value, new Run(misfits));
    } catch (thrown) {
      if (!(thrown instanceof Halt || thrown instanceof RangeError)) throw thrown;
      if (misfits.length === 0)
        misfits.push({ path: [], message: 'The value is nested too deeply, or too large, to be checked' });
    }
    return misfits;
  };
}

type Kind = 'number' | 'string' | 'array' | 'object';

/** A keyword that looks at the value alone. `K`: what the keyword holds. */
interface Assertion<V, K> {
  /** Values of other types pass. */
  of?: Kind;
  isValid: (value: V, keyword: K) => boolean;
  words: (value: V, keyword: K) => string;
}

function bound(
  sign: string,
  isValid: Assertion<number | bigint, number>['isValid'],
): Assertion<number | bigint, number> {
  return { of: 'number', isValid, words: (value, limit) => `must be ${sign} ${limit} but is ${value}` };
}

function size<V>(
  of: Kind,
  noun: string,
  kind: 'least' | 'most',
  measure: (value: V) => number,
): Assertion<V, number> {
  return {
    of,
    isValid: (value, limit) => (kind === 'least' ? measure(value) >= limit : measure(value) <= limit),
    words: (value, limit) => `must have at ${kind} ${countNoun(limit, noun)} but has ${measure(value)}`,
  };
}

const countCharacters = (value: string): number => [...value].length;
const countItems = (value: unknown[]): number => value.length;
const countMembers = (value: Members): number =>
  Object.values(value).filter((member) => member !== undefined).length;

const ASSERTIONS = {
  type: {
    isValid: (value: unknown, types: unknown) => [types].flat().some((type) => isOfType(value, type)),
    words: (value: unknown, types: unknown) =>
      `must be ${printList([types].flat().map(withArticle))} but is ${printValue(value)}`,
  },
  enum: {
    isValid: (value: unknown, values: unknown[]) => values.some((item) => isEqual(item, value)),
    words: (value: unknown, values: unknown[]) => {
      const suggestion = values.length > MOST_LISTED ? nearest(String(value), values.map(String)) : undefined;
      const hint = suggestion === undefined ? '' : `; did you mean ${printLiteral(suggestion)}?`;
      return `must be one of ${printList(values.map(printLiteral))} but is ${printValue(value)}${hint}`;
    },
  },
  const: {
    isValid: isEqual,
    words: (value: unknown, wanted: unknown) => `must be ${printLiteral(wanted)} but is ${printValue(value)}`,
  },
  minimum: bound('≥', (value, limit) => value >= limit),
  maximum: bound('≤', (value, limit) => value <= limit),
  exclusiveMinimum: bound('>', (value, limit) => value > limit),
  exclusiveMaximum: bound('<', (value, limit) => value < limit),
  multipleOf: {
    of: 'number',
    isValid: (value: number | bigint, factor: number) => !(factor > 0) || isMultiple(value, factor),
    words: (value: number | bigint, factor: number) => `must be a multiple of ${factor} but is ${value}`,
  },
  minLength: size('string', 'character', 'least', countCharacters),
  maxLength: size('string', 'character', 'most', countCharacters),
  pattern: {
    of: 'string',
    isValid: (value: string, source: string) => matches(source, value),
    words: (value: string, source: string) =>
      value.length > LONGEST_MATCHED
        ? `is too long to be matched against a pattern (at most ${countNoun(LONGEST_MATCHED, 'character')})`
        : `must match the pattern ${source} but is ${printValue(value)}`,
  },
  minItems: size('array', 'item', 'least', countItems),
  maxItems: size('array', 'item', 'most', countItems),
  uniqueItems: {
    of: 'array',
    isValid: (value: unknown[], isAsked: unknown) => isAsked !== true || findTwins(value) === undefined,
    words: (value: unknown[]) => {
      const [first, second] = findTwins(value) ?? [];
      return `must not have the same item twice, but items ${first} and ${second} are equal`;
    },
  },
  minProperties: size('object', 'property', 'least', countMembers),
  maxProperties: size('object', 'property', 'most', countMembers),
} satisfies Record<string, Assertion<never, never>>;

/** A keyword that applies other schemas, or reports members by name. */
type Applicator = (keyword: unknown, schema: SchemaObject, compiler: Compiler) => Check<never> | undefined;

const APPLICATORS: Record<string, { of?: Kind; compile: Applicator }> = {
  prefixItems: { of: 'array', compile: compileItems },
  items: { of: 'array', compile: (...row) => ('prefixItems' in row[1] ? undefined : compileItems(...row)) },
  contains: { of: 'array', compile: compileContains },
  required: {
    of: 'object',
    compile: (keyword) => {
      const names = texts(keyword);
      return (value: Members, run: Run) =>
        everyOne(
          names,
          run,
          (name) => ownMember(value, name) !== undefined || run.fail('is required but missing', name),
        );
    },
  },
  dependentRequired: {
    of: 'object',
    compile: (keyword) => (value: Members, run: Run) =>
      everyOne(entries(keyword), run, ([trigger, names]) => {
        if (ownMember(value, trigger) === undefined) return true;
        const words = `is required when ${JSON.stringify(trigger)} is given`;
        return everyOne(
          texts(names),
          run,
          (name) => ownMember(value, name) !== undefined || run.fail(words, name),
        );
      }),
  },
  dependentSchemas: {
    of: 'object',
    compile: (keyword, _, compiler) => {
      const checks = entries(keyword).map(([name, schema]) => ({ name, check: compiler.check(schema) }));
      return (value: Members, run: Run) =>
        everyOne(checks, run, ({ name, check }) => ownMember(value, name) === undefined || check(value, run));
    },
  },
  propertyNames: {
    of: 'object',
    compile: (keyword, _, compiler) => {
      const check = compiler.check(keyword);
      return (value: Members, run: Run) =>
        everyOne(
          Object.keys(value),
          run,
          (name) => passes(check, name, run) || run.fail('has a name that is not allowed', name),
        );
    },
  },
  properties: { of: 'object', compile: compileMembers },
  patternProperties: {
    of: 'object',
    compile: (...row) => ('properties' in row[1] ? undefined : compileMembers(...row)),
  },
  additionalProperties: {
    of: 'object',
    compile: (...row) =>
      'properties' in row[1] || 'patternProperties' in row[1] ? undefined : compileMembers(...row),
  },
  $ref: {
    compile: (keyword, _, compiler) => {
      let check: Check | undefined;
      return (value: unknown, run: Run) =>
        (check ??= compiler.check(compiler.resolve(String(keyword))))(value, run);
    },
  },
  allOf: {
    compile: (keyword, _, compiler) => {
      const checks = list(keyword).map((schema) => compiler.check(schema));
      return (value: unknown, run: Run) => everyOne(checks, run, (check) => check(value, run));
    },
  },
  anyOf: { compile: (keyword, _, compiler) => compileAlternatives(list(keyword), compiler, false) },
  oneOf: { compile: (keyword, _, compiler) => compileAlternatives(list(keyword), compiler, true) },
  not: {
    compile: (keyword, _, compiler) => {
      const check = compiler.check(keyword);
      return (value: unknown, run: Run) =>
        !passes(check, value, run) || run.fail(`must not be ${describeNot(keyword)}`);
    },
  },
  if: {
    compile: (keyword, { then = true, else: otherwise = true }, compiler) => {
      const [condition, whenTrue, whenFalse] = [keyword, then, otherwise].map((schema) =>
        compiler.check(schema),
      );
      return (value: unknown, run: Run) =>
        (condition !== undefined && passes(condition, value, run) ? whenTrue : whenFalse)?.(value, run) ??
        true;
    },
  },
};

class Compiler {
  readonly #root: Schema;
  readonly #checks = new Map<SchemaObject, Check>();

  constructor(root: Schema) {
    this.#root = root;
  }

  /** Each subschema becomes a closure when a value first reaches it, so a schema may refer to itself. */
  check(schema: unknown): Check {
    if (schema === false) return (_, run) => run.fail('is not allowed');
    if (!isRecord(schema)) return () => true;
    const known = this.#checks.get(schema);
    if (known !== undefined) return known;
    let compiled: Check | undefined;
    const check: Check = (value, run) => {
      if (++run.depth > MOST_DEPTH || ++run.work > MOST_WORK) throw new Halt();
      const isValid = (compiled ??= this.#compile(schema))(value, run);
      run.depth--;
      return isValid;
    };
    this.#checks.set(schema, check);
    return check;
  }

  #compile(schema: SchemaObject): Check {
    const ofAll: Check[] = [];
    const ofKinds = new Map<string, Check[]>();
    const add = (of: Kind | undefined, check: Check): void => {
      if (of === undefined) ofAll.push(check);
      else ofKinds.set(of, [...(ofKinds.get(of) ?? []), check]);
    };
    for (const [name, row] of Object.entries(ASSERTIONS)) {
      const { of, isValid, words } = row as Assertion<unknown, unknown>;
      const keyword = ownMember(schema, name);
      if (keyword !== undefined)
        add(
          of,
          (value, run) => isValid(value, keyword) || run.fail(run.misfits ? words(value, keyword) : ''),
        );
    }
    for (const [name, { of, compile }] of Object.entries(APPLICATORS)) {
      const keyword = ownMember(schema, name);
      const check = keyword === undefined ? undefined : compile(keyword, schema, this);
      if (check !== undefined) add(of, check as Check);
    }
    return (value, run) => {
      const kind = Array.isArray(value) ? 'array' : typeof value === 'bigint' ? 'number' : typeof value;
      const checks = value === null ? undefined : ofKinds.get(kind);
      const isValid = checks === undefined || everyOne(checks, run, (check) => check(value, run));
      return (
        (isValid || run.misfits !== undefined) &&
        everyOne(ofAll, run, (check) => check(value, run)) &&
        isValid
      );
    };
  }

  /** @throws {Error} for a reference that leads nowhere in the schema: nothing is fetched */
  resolve(ref: string): unknown {
    const target = resolveReference(this.#root, ref);
    if (target === undefined) throw new Error(`The schema has no ${ref}.`);
    return target;
  }
}

/** The subschema that a JSON Pointer in a fragment names (RFC 6901). Undefined if there is none. */
export function resolveReference(root: Schema, ref: string): unknown {
  if (!ref.startsWith('#')) return undefined;
  return ref
    .split('/')
    .slice(1)
    .reduce<unknown>((schema, token) => {
      const name = decodeURIComponent(token).replaceAll('~1', '/').replaceAll('~0', '~');
      if (Array.isArray(schema)) return (schema as unknown[])[Number(name)];
      return isRecord(schema) ? ownMember(schema, name) : undefined;
    }, root);
}

/** Without misfits the first failure decides; with them the others are reported too. */
function everyOne<T>(items: readonly T[], run: Run, test: (item: T) => boolean): boolean {
  let isValid = true;
  for (const item of items) {
    if (test(item)) continue;
    if (run.misfits === undefined) return false;
    isValid = false;
  }
  return isValid;
}

const list = (value: unknown): unknown[] => (Array.isArray(value) ? (value as unknown[]) : []);
const texts = (value: unknown): string[] => list(value).filter((item) => typeof item === 'string');
const entries = (value: unknown): [string, unknown][] => (isRecord(value) ? Object.entries(value) : []);

function passes(check: Check, value: unknown, run: Run): boolean {
  const quiet = new Run(undefined, run);
  quiet.work = run.work;
  const isValid = check(value, quiet);
  run.work = quiet.work;
  return isValid;
}

function checkMember(check: Check, value: unknown, key: string | number, run: Run): boolean {
  run.path.push(key);
  const isValid = check(value, run);
  run.path.pop();
  return isValid;
}

function compileItems(_: unknown, schema: SchemaObject, compiler: Compiler): Check<unknown[]> {
  const prefix = list(schema['prefixItems']).map((item) => compiler.check(item));
  const rest = compiler.check(schema.items ?? true);
  return (value, run) => {
    const indexes = [...value.keys()];
    return everyOne(indexes, run, (index) => checkMember(prefix[index] ?? rest, value[index], index, run));
  };
}

function compileContains(keyword: unknown, schema: SchemaObject, compiler: Compiler): Check<unknown[]> {
  const { minContains = 1, maxContains = Infinity } = schema;
  const [least, most] = [Number(minContains), Number(maxContains)];
  const check = compiler.check(keyword);
  return (value, run) => {
    const count = value.filter((item) => passes(check, item, run)).length;
    if (count >= least && count <= most) return true;
    const wanted =
      count < least ? `at least ${countNoun(least, 'item')}` : `at most ${countNoun(most, 'item')}`;
    return run.fail(`must have ${wanted} of the kind that \`contains\` asks for but has ${count}`);
  };
}

function compileMembers(_: unknown, schema: SchemaObject, compiler: Compiler): Check<Members> {
  const { properties = {}, additionalProperties: others = true } = schema;
  const checks = new Map(
    Object.entries(properties).map(([name, property]) => [name, compiler.check(property)]),
  );
  const patterns = entries(schema['patternProperties']).map(([source, property]) => ({
    source,
    check: compiler.check(property),
  }));
  const additional = compiler.check(others);
  return (value, run) =>
    everyOne(Object.keys(value), run, (name) => {
      const member = value[name];
      if (member === undefined) return true;
      const applying = patterns.filter(({ source }) => matches(source, name)).map(({ check }) => check);
      const property = checks.get(name);
      if (property !== undefined) applying.unshift(property);
      if (applying.length === 0 && others === false)
        return refuseMember(name, value, [...checks.keys()], run);
      if (applying.length === 0) applying.push(additional);
      return everyOne(applying, run, (check) => checkMember(check, member, name, run));
    });
}

function refuseMember(name: string, value: Members, names: readonly string[], run: Run): false {
  if (run.misfits === undefined) return false;
  const suggestion = nearest(
    name,
    names.filter((other) => !Object.hasOwn(value, other)),
  );
  const known =
    names.length === 0
      ? 'no properties are expected'
      : `known are ${printList(
          names.map((other) => `\`${other}\``),
          'and',
        )}`;
  return run.fail(
    `is not a known property; ${suggestion === undefined ? known : `did you mean \`${suggestion}\`?`}`,
    name,
  );
}

/** If one alternative alone has the type of the value, its own misfits say more than that none matches. */
function compileAlternatives(schemas: unknown[], compiler: Compiler, isOne: boolean): Check | undefined {
  if (schemas.length === 0) return undefined;
  const branches = schemas.map((schema) => ({ schema, check: compiler.check(schema) }));
  return (value, run) => {
    let count = 0;
    for (const { check } of branches) {
      if (passes(check, value, run)) count++;
      if (count > (isOne ? 1 : 0)) break;
    }
    if (count === 1) return true;
    const noun = countNoun(branches.length, 'alternative');
    if (count > 1) return run.fail(`must match exactly one of ${noun}`);
    const candidates = branches.filter(({ schema }) => {
      const target =
        isRecord(schema) && typeof schema['$ref'] === 'string' ? compiler.resolve(schema['$ref']) : schema;
      return (
        !isRecord(target) ||
        target['type'] === undefined ||
        [target['type']].flat().some((type) => isOfType(value, type))
      );
    });
    const [only] = candidates;
    return candidates.length === 1 && only !== undefined
      ? only.check(value, run)
      : run.fail(`matches none of ${noun}`);
  };
}

const patterns = new Map<string, RegExp | undefined>();

/** The compiler has proved that the document's patterns take linear time; one that is no regular expression accepts everything. */
function matches(source: string, text: string): boolean {
  if (!patterns.has(source)) patterns.set(source, compilePattern(source, 'u') ?? compilePattern(source, ''));
  return text.length <= LONGEST_MATCHED && patterns.get(source)?.test(text) !== false;
}

function compilePattern(source: string, flags: string): RegExp | undefined {
  try {
    return new RegExp(source, flags);
  } catch {
    return undefined;
  }
}

export function isOfType(value: unknown, type: unknown): boolean {
  switch (type) {
    case 'null':
      return value === null;
    case 'array':
      return Array.isArray(value);
    case 'object':
      return isRecord(value);
    case 'integer':
      return Number.isInteger(value) || typeof value === 'bigint';
    case 'number':
      return Number.isFinite(value) || typeof value === 'bigint';
    default:
      return typeof value === type;
  }
}

/** Exact for decimals: 0.3 is a multiple of 0.1. */
function isMultiple(value: number | bigint, factor: number): boolean {
  if (typeof value === 'bigint') return !Number.isInteger(factor) || value % BigInt(factor) === 0n;
  if (value % factor === 0) return true;
  const [, digits = '', exponent = '0'] = /^\d*\.?(\d*)(?:e([+-]\d+))?$/.exec(String(factor)) ?? [];
  const scale = 10 ** Math.max(0, digits.length - Number(exponent));
  const scaled = Math.round(value * scale);
  return Math.abs(scaled - value * scale) < 1e-6 && scaled % Math.round(factor * scale) === 0;
}

/** Equal values have one text: members in the order of their names. */
function canonicalText(value: unknown): string {
  return JSON.stringify(value, (_, member: unknown) => {
    if (typeof member === 'bigint') return `${member}n`;
    return isRecord(member)
      ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
      : member;
  });
}

function isEqual(one: unknown, other: unknown): boolean {
  const isObject = typeof one === 'object' && typeof other === 'object' && one !== null && other !== null;
  return one === other || (isObject && canonicalText(one) === canonicalText(other));
}

function findTwins(items: unknown[]): [first: number, second: number] | undefined {
  const seen = new Map<unknown, number>();
  for (const [index, item] of items.entries()) {
    const key = typeof item === 'object' && item !== null ? canonicalText(item) : item;
    const first = seen.get(key);
    if (first !== undefined) return [first, index];
    seen.set(key, index);
  }
  return undefined;
}

// Words.

function describeNot(schema: unknown): string {
  if (!isRecord(schema) || Object.keys(schema).length === 0) return 'given';
  if (Array.isArray(schema['enum'])) return printList(schema['enum'].map(printLiteral));
  if (schema['const'] !== undefined) return printLiteral(schema['const']);
  return typeof schema['type'] === 'string'
    ? `of type ${schema['type']}`
    : 'what the schema excludes with `not`';
}

function withArticle(type: unknown): string {
  return type === 'null' ? 'null' : `${/^[aio]/.test(String(type)) ? 'an' : 'a'} ${String(type)}`;
}

/** A place as people write it: `` `filter.tags[2]` ``. */
function printPath(path: readonly (string | number)[]): string {
  if (path.length === 0) return 'The value';
  const steps = path.map((key, index) => {
    if (typeof key === 'number') return `[${key}]`;
    if (!/^[\w$@-]+$/.test(key)) return `[${printValue(key)}]`;
    return index === 0 ? key : `.${key}`;
  });
  return `\`${steps.join('')}\``;
}

function printValue(value: unknown): string {
  if (Array.isArray(value))
    return value.length === 0 ? 'an empty array' : `an array of ${countNoun(value.length, 'item')}`;
  if (isRecord(value)) return 'an object';
  if (typeof value !== 'string') return String(value);
  return JSON.stringify(
    value.length <= 60 ? value : `${value.slice(0, 60).replace(/[\ud800-\udbff]$/, '')}…`,
  );
}

function printLiteral(value: unknown): string {
  const isLarge = isRecord(value) && Object.keys(value).length > 8;
  const text = isLarge ? undefined : (JSON.stringify(value) as string | undefined);
  return text === undefined || text.length > 80 ? printValue(value) : text;
}

const MOST_LISTED = 12;

function printList(items: readonly string[], word = 'or'): string {
  if (items.length > MOST_LISTED)
    return `${items.slice(0, MOST_LISTED).join(', ')}, … (${items.length} in all)`;
  return items.length < 2 ? (items[0] ?? '') : `${items.slice(0, -1).join(', ')} ${word} ${items.at(-1)}`;
}

function countNoun(count: number, noun: string): string {
  return `${count} ${count === 1 ? noun : noun.endsWith('y') ? `${noun.slice(0, -1)}ies` : `${noun}s`}`;
}

const LONGEST_COMPARED = 64;
const MOST_COMPARED = 1_000;

/** The candidate that was probably meant: the word begins it, or differs from it by a third of its length at most. */
export function nearest(word: string, candidates: Iterable<string>): string | undefined {
  const plain = (text: string): string => text.toLowerCase().replaceAll(/[_-]/g, '');
  if (word.length > LONGEST_COMPARED) return undefined;
  const wanted = plain(word);
  let best: string | undefined;
  let least = Math.min(wanted.length, Math.max(1, Math.round(wanted.length / 3)) + 1);
  let compared = 0;
  for (const candidate of candidates) {
    if (candidate.length > LONGEST_COMPARED || ++compared > MOST_COMPARED) continue;
    const other = plain(candidate);
    const [shorter, longer] = wanted.length < other.length ? [wanted, other] : [other, wanted];
    const isStart = shorter.length > 1 && longer.startsWith(shorter) && shorter !== longer;
    const distance = isStart ? 0.5 + (longer.length - shorter.length) / 128 : editDistance(wanted, other);
    if (distance < least) [best, least] = [candidate, distance];
  }
  return best;
}

/** Insertions, deletions and replacements. */
function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let i = 1; i <= from.length; i++) {
    const next = [i];
    for (let j = 1; j <= to.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (from[i - 1] === to[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
