// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Makes a value that is valid against a JSON Schema 2020-12, for answers of `--mock` and for tests. */
import { isRecord, ownMember } from '../../json-rpc.ts';
import type { Json, JsonObject, Schema, SchemaObject } from '../../types.ts';
import { compileSchema, resolveReference } from '../../validate.ts';
import { textsOfPattern } from './pattern.ts';

export interface SampleOptions {
  /** With optional members, as many as are valid together. */
  full?: boolean;
  /** Values to try first for members of the outermost object, by name, best first; what is not valid is passed over. */
  examples?: Readonly<Record<string, readonly unknown[]>>;
  /** Says which values a schema accepts. */
  compile?: (schema: never) => (value: unknown) => boolean;
}

const DEEPEST = 40;
/** Levels at which `full` still adds optional members, and how many it adds to all objects together. */
const FULL_LEVELS = 4;
const FULL_MEMBERS = 400;
/** How often a schema is entered from within itself. */
const REPEATS = 2;
/** Places and values that are tried. */
const MOST_WORK = 20_000;
/** Items, and characters of a text, that a schema may demand; more has no sample. */
const LARGEST = 10_000;
const PATTERN_TEXTS = 60;

/**
 * Takes `examples`, `const`, `enum` or `default` where they are valid, else makes a value up; the same schema gives the same value.
 * Undefined if none was found: there may be none, or finding it takes more than a try at each branch.
 */
export function makeSample(root: object | boolean, options: SampleOptions = {}): Json | undefined {
  const sample = (full: boolean): Json | undefined =>
    new Sampler(root as Schema, { examples: {}, compile: compileTest, ...options, full }).sample([
      root as Schema,
    ]);
  const { full = false } = options;
  const value = sample(full);
  // A value of required members alone may be valid where a full one could not be made.
  return value === undefined && full ? sample(false) : value;
}

function compileTest(schema: SchemaObject): (value: unknown) => boolean {
  const check = compileSchema(schema);
  return (value) => check(value).length === 0;
}

/** All that several schemas say of one value. */
interface Facts {
  schemas: readonly Schema[];
  /** Also those behind references and `allOf`. */
  parts: SchemaObject[];
  /** Branches of `anyOf`, `oneOf` and conditions; a value is made for one of each. */
  choices: Schema[][];
  /** A keyword is among them that only a check can judge. */
  isUnsure: boolean;
}
interface Place {
  depth: number;
  /** Chooses among several values, so that items of a set differ. */
  nth: number;
  examples?: readonly unknown[];
}

const UNSURE = ['oneOf', 'not', 'if', 'dependentSchemas', 'contains', 'propertyNames', 'patternProperties'];
const CLOSED = ['unevaluatedItems', 'unevaluatedProperties'];

class Sampler {
  readonly #root: Schema;
  readonly #options: Required<SampleOptions>;
  readonly #checks = new WeakMap<SchemaObject, (value: unknown) => boolean>();
  readonly #entered = new Map<SchemaObject, number>();
  #work = 0;
  #added = 0;

  constructor(root: Schema, options: Required<SampleOptions>) {
    this.#root = root;
    this.#options = options;
  }

  sample(schemas: readonly Schema[], place: Place = { depth: 0, nth: 0 }): Json | undefined {
    if (place.depth > DEEPEST || ++this.#work > MOST_WORK) return undefined;
    const facts = this.#merge({ schemas, parts: [], choices: [], isUnsure: false }, schemas);
    return facts && this.#enter(facts.parts, () => this.#sampleBranches(facts, place));
  }

  /** Undefined if `false` is among the schemas. */
  #merge(facts: Facts, schemas: readonly Schema[]): Facts | undefined {
    const parts = new Set(facts.parts);
    const choices = [...facts.choices];
    let { isUnsure } = facts;
    const open = [...schemas];
    for (let schema = open.shift(); schema !== undefined; schema = open.shift()) {
      if (schema === false) return undefined;
      if (schema === true || parts.has(schema)) continue;
      parts.add(schema);
      const { $ref, allOf, anyOf, oneOf, if: condition, then = true, else: otherwise = true } = schema;
      isUnsure ||= [...UNSURE, ...CLOSED].some((keyword) => schema[keyword] !== undefined);
      const target = typeof $ref === 'string' ? resolveReference(this.#root, $ref) : undefined;
      open.unshift(...([target ?? [], allOf ?? []].flat() as Schema[]));
      if (condition !== undefined) choices.push([{ allOf: [condition, then] }, otherwise] as Schema[]);
      for (const dependent of Object.values((schema['dependentSchemas'] ?? {}) as Record<string, Schema>))
        choices.push([true, dependent]);
      for (const branches of [oneOf, anyOf])
        if (Array.isArray(branches))
          choices.push(sortLast(branches as Schema[], (one) => isRecord(one) && one.type === 'null'));
    }
    return { schemas: facts.schemas, parts: [...parts], choices, isUnsure };
  }

  /** A schema that requires itself has no sample. */
  #enter<T>(parts: readonly SchemaObject[], work: () => T): T | undefined {
    const nested = parts.filter((part) => NESTING.some((keyword) => typeof part[keyword] === 'object'));
    const times = (part: SchemaObject): number => this.#entered.get(part) ?? 0;
    if (nested.some((part) => times(part) > REPEATS)) return undefined;
    for (const part of nested) this.#entered.set(part, times(part) + 1);
    const result = work();
    for (const part of nested) this.#entered.set(part, times(part) - 1);
    return result;
  }

  /** Optional members and items are left out then. */
  #isBeingSampled(schemas: readonly Schema[]): boolean {
    const facts = this.#merge({ schemas, parts: [], choices: [], isUnsure: false }, schemas);
    return facts?.parts.some((part) => (this.#entered.get(part) ?? 0) > 0) === true;
  }

  #sampleBranches(facts: Facts, place: Place): Json | undefined {
    const [choice, ...choices] = facts.choices;
    if (choice === undefined) return this.#sampleFacts(facts, place);
    for (const branch of choice) {
      if (++this.#work > MOST_WORK) return undefined;
      const decided = this.#merge({ ...facts, choices }, [branch]);
      const added = decided?.parts.filter((part) => !facts.parts.includes(part)) ?? [];
      const value = decided && this.#enter(added, () => this.#sampleBranches(decided, place));
      if (value !== undefined) return value;
    }
    return undefined;
  }

  #sampleFacts(facts: Facts, place: Place): Json | undefined {
    const { parts, isUnsure } = facts;
    const [literals] = parts.flatMap((part) => [
      ...('const' in part ? [[part['const']]] : []),
      ...(Array.isArray(part['enum']) ? [part['enum'] as unknown[]] : []),
    ]);
    const candidates = [
      ...(place.examples ?? []),
      ...rotate(listSuggested(parts), place.nth),
      ...rotate(
        sortLast(literals ?? [], (value) => value === null),
        place.nth,
      ),
    ];
    const value = candidates.find((candidate) => this.#isValid(facts, candidate));
    if (value !== undefined || literals !== undefined) return value as Json | undefined;
    for (const made of this.#listMade(facts, place)) {
      if (++this.#work > MOST_WORK) return undefined;
      // What holds others was made of valid ones.
      const isTrusted = typeof made === 'object' && made !== null && !isUnsure;
      if (made !== undefined && (isTrusted || this.#isValid(facts, made))) return made as Json;
    }
    return undefined;
  }

  #isValid({ schemas }: Pick<Facts, 'schemas'>, value: unknown): boolean {
    return schemas.every((schema) => {
      if (typeof schema === 'boolean') return schema;
      const { $defs } = this.#root as SchemaObject;
      const rooted = schema === this.#root || $defs === undefined ? schema : { ...schema, $defs };
      const check = this.#checks.get(schema) ?? this.#options.compile(rooted as never);
      this.#checks.set(schema, check);
      return check(value);
    });
  }

  *#listMade(facts: Facts, place: Place): Generator<unknown> {
    for (const type of listTypes(facts.parts)) {
      if (type === 'object') yield* this.#sampleObjects(facts, place);
      // A `not` may refuse one value and accept the next.
      else
        for (let more = 0; more < (facts.isUnsure ? 8 : 1); more++)
          yield* this.#sampleType(type, facts.parts, { ...place, nth: place.nth + more });
    }
  }

  #sampleType(type: string, parts: SchemaObject[], place: Place): Iterable<unknown> {
    const { nth } = place;
    if (type === 'array') return [this.#sampleArray(parts, place)];
    if (type === 'string') return this.#listTexts(parts, nth);
    if (type === 'boolean') return [nth % 2 === 0];
    return type === 'null' ? [null] : listNumbers(parts, type === 'integer', nth);
  }

  *#listTexts(parts: SchemaObject[], nth: number): Generator<string> {
    const minLength = Math.max(0, ...list(parts, 'minLength'));
    const maxLength = Math.min(Infinity, ...list(parts, 'maxLength'));
    if (minLength > LARGEST) return;
    for (const format of list<string>(parts, 'format'))
      yield* listFormatTexts(format, minLength, maxLength, nth);
    const isBase64 = list<string>(parts, 'contentEncoding').some((name) => /^base64(?:url)?$/i.test(name));
    const bytes = Math.max(Math.ceil(minLength / 4) * 3, maxLength < 8 ? Math.floor(maxLength / 4) * 3 : 6);
    if (isBase64) yield btoa(word(bytes, bytes, nth));
    else yield word(minLength, maxLength, nth);
    const isValid = (text: string): boolean => this.#isValid({ schemas: parts }, text);
    for (const pattern of list<string>(parts, 'pattern')) {
      const texts = new Set<string>();
      for (const text of textsOfPattern(pattern, minLength, PATTERN_TEXTS)) {
        if (text.length > 2 * maxLength || texts.has(text) || !isValid(text)) continue;
        texts.add(text);
        if (texts.size > nth) yield text;
      }
    }
  }

  // Arrays.

  #sampleArray(parts: SchemaObject[], { depth, nth }: Place): Json[] | undefined {
    const contained = parts.map(({ contains, minContains = 1 }) =>
      contains === undefined ? 0 : minContains,
    );
    const least = Math.max(0, ...list(parts, 'minItems'), ...(contained as number[]));
    const most = Math.min(Infinity, ...list(parts, 'maxItems'));
    if (least > most || least > LARGEST) return undefined;
    const schemasAt = (index: number): Schema[] =>
      parts.flatMap(({ prefixItems, items, unevaluatedItems }) => {
        const schema = (prefixItems as Schema[] | undefined)?.[index] ?? items ?? unevaluatedItems;
        return isSchema(schema) ? [schema] : [];
      });
    const prefix = Math.max(0, ...list<unknown[]>(parts, 'prefixItems').map(({ length }) => length));
    const wanted = prefix || (this.#isBeingSampled(schemasAt(0)) ? 0 : 1);
    const contains = list<Schema>(parts, 'contains').filter(isSchema);
    const isUnique = parts.some(({ uniqueItems }) => uniqueItems === true);
    const items: Json[] = [];
    const texts = new Set<string>();
    for (let at = nth, tries = 0; items.length < Math.min(Math.max(least, wanted), most); at++) {
      const schemas = schemasAt(items.length);
      const place = { depth: depth + 1, nth: at };
      const item = this.sample([...schemas, ...contains], place) ?? this.sample(schemas, place);
      if (item === undefined || ++tries > 20 * (items.length + 1)) break;
      const text = JSON.stringify(item);
      if (isUnique && texts.has(text)) continue;
      texts.add(text);
      items.push(item);
    }
    return items.length < least ? undefined : items;
  }

  // Objects.

  /** Best first: optional members may be what makes one invalid. */
  *#sampleObjects(facts: Facts, place: Place): Generator<JsonObject> {
    const { parts } = facts;
    const { examples, full } = this.#options;
    const most = Math.min(Infinity, ...list(parts, 'maxProperties'));
    const declared = [...new Set(parts.flatMap(({ properties = {} }) => Object.keys(properties)))];
    const least = this.#sampleRequired(parts, place, declared);
    if (least === undefined || Object.keys(least).length > most) return;
    const isRoot = place.depth === 0;
    const exampleNames = isRoot ? declared.filter((name) => Object.hasOwn(examples, name)) : [];
    const optional = declared.length > 0 ? declared : this.#inventNames(parts, 1, place);
    const names = (full ? optional : exampleNames).filter(
      (name) => exampleNames.includes(name) || (place.depth < FULL_LEVELS && ++this.#added <= FULL_MEMBERS),
    );
    const add = (object: JsonObject, name: string): JsonObject => {
      if (Object.hasOwn(object, name) || Object.keys(object).length >= most) return object;
      const grown = { ...object };
      return this.#addMember(grown, name, parts, place) ? grown : object;
    };
    const whole = names.reduce(add, least);
    yield whole;
    // Together they are not valid: each is added alone, and kept if the object stays valid.
    yield names.reduce((object, name) => {
      const grown = add(object, name);
      return grown !== object && this.#isValid(facts, grown) ? grown : object;
    }, least);
    yield least;
  }

  #sampleRequired(parts: SchemaObject[], place: Place, declared: string[]): JsonObject | undefined {
    const object: JsonObject = {};
    const required = new Set(parts.flatMap((part) => part.required ?? []));
    // The set grows while it is read.
    for (const name of required) for (const other of dependents(parts, name)) required.add(other);
    for (const name of required) {
      const value = this.#sampleMember(name, parts, place);
      if (value === undefined) return undefined;
      setMember(object, name, value);
    }
    const wanted = Math.max(0, ...list(parts, 'minProperties'));
    if (wanted > LARGEST) return undefined;
    const others = wanted === 0 ? [] : [...declared, ...this.#inventNames(parts, wanted, place)];
    for (const name of others)
      if (Object.keys(object).length < wanted) this.#addMember(object, name, parts, place);
    return Object.keys(object).length < wanted ? undefined : object;
  }

  /** With the members that it requires. False if one of them can't be had. */
  #addMember(object: JsonObject, name: string, parts: SchemaObject[], place: Place): boolean {
    if (Object.hasOwn(object, name)) return true;
    if (this.#isBeingSampled(this.#memberSchemas(parts, name))) return false;
    const value = this.#sampleMember(name, parts, place);
    if (value === undefined) return false;
    setMember(object, name, value);
    return dependents(parts, name).every((other) => this.#addMember(object, other, parts, place));
  }

  #sampleMember(name: string, parts: SchemaObject[], { depth, nth }: Place): Json | undefined {
    const examples = depth === 0 ? ownMember(this.#options.examples, name) : undefined;
    const place = { depth: depth + 1, nth, ...(examples && { examples }) };
    return this.sample(this.#memberSchemas(parts, name), place);
  }

  #memberSchemas(parts: SchemaObject[], name: string): Schema[] {
    const schemas = parts.flatMap(({ properties, patternProperties = {}, additionalProperties }) => {
      const property = ownMember(properties, name);
      const matching = Object.entries(patternProperties as Record<string, Schema>).filter(([pattern]) =>
        this.#options.compile({ pattern } as never)(name),
      );
      const direct = [...(property === undefined ? [] : [property]), ...matching.map(([, schema]) => schema)];
      return direct.length > 0 || !isSchema(additionalProperties) ? direct : [additionalProperties];
    });
    return schemas.length > 0 ? schemas : list<Schema>(parts, 'unevaluatedProperties').filter(isSchema);
  }

  #inventNames(parts: SchemaObject[], count: number, { depth }: Place): string[] {
    const indexes = Array.from({ length: Math.min(count, LARGEST) }, (_, index) => index);
    const rules = list<Schema>(parts, 'propertyNames');
    if (rules.length > 0)
      return indexes.flatMap((nth) => {
        const name = this.sample([{ type: 'string' }, ...rules], { depth: depth + 1, nth });
        return typeof name === 'string' ? name : [];
      });
    const patterns = list<object>(parts, 'patternProperties').flatMap((one) => Object.keys(one));
    const matching = patterns.flatMap((pattern) =>
      [...new Set(textsOfPattern(pattern, 1, PATTERN_TEXTS))].slice(0, indexes.length),
    );
    const isMap = parts.some(({ additionalProperties }) => isRecord(additionalProperties));
    const plain = isMap || patterns.length === 0 ? indexes.map((nth) => `key${suffix(nth)}`) : [];
    return [...matching, ...plain];
  }
}

const NESTING = ['properties', 'items', 'prefixItems', 'additionalProperties', 'anyOf', 'oneOf', 'allOf'];

function isSchema(value: unknown): value is Schema {
  return typeof value === 'boolean' || isRecord(value);
}

function list<T = number>(parts: readonly SchemaObject[], keyword: string): T[] {
  return parts.flatMap((part) => (part[keyword] === undefined ? [] : [part[keyword] as T]));
}

function dependents(parts: SchemaObject[], name: string): string[] {
  return list<Record<string, string[]>>(parts, 'dependentRequired').flatMap(
    (map) => ownMember(map, name) ?? [],
  );
}

/** A member may be called `__proto__`. */
function setMember(object: JsonObject, name: string, value: Json): void {
  Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true });
}

function sortLast<T>(values: readonly T[], isLast: (value: T) => boolean): T[] {
  return values.toSorted((a, b) => Number(isLast(a)) - Number(isLast(b)));
}

function rotate<T>(values: readonly T[], nth: number): T[] {
  const start = values.length === 0 ? 0 : nth % values.length;
  return [...values.slice(start), ...values.slice(0, start)];
}

function listSuggested(parts: readonly SchemaObject[]): unknown[] {
  const defaults = parts.map((part) => part['default']).filter((value) => !isEmpty(value));
  return [...list<unknown[]>(parts, 'examples').filter(Array.isArray).flat(), ...defaults];
}

/** An empty default is not typical. */
function isEmpty(value: unknown): boolean {
  if (typeof value !== 'object' || value === null)
    return value === undefined || value === null || value === '';
  return Object.keys(value).length === 0;
}

/** Keywords that constrain one type only. */
const TYPICAL: readonly [type: string, keyword: RegExp][] = [
  ['object', /^(?:properties|required|(?:additional|pattern|min)Properties|dependentRequired)$/],
  ['array', /^(?:items|prefixItems|minItems|uniqueItems|contains)$/],
  ['string', /^(?:pattern|minLength|maxLength|contentEncoding|contentMediaType)$/],
  ['number', /^(?:minimum|maximum|exclusiveMinimum|exclusiveMaximum|multipleOf)$/],
];
const TYPES = ['string', 'object', 'array', 'integer', 'number', 'boolean', 'null'];

/** In the order in which they are tried. */
function listTypes(parts: readonly SchemaObject[]): string[] {
  const [first, ...others] = parts.flatMap(({ type }) => (type === undefined ? [] : [[type].flat()]));
  if (first !== undefined) {
    const allows = (types: readonly string[], type: string): boolean =>
      types.includes(type) || (type === 'integer' && types.includes('number'));
    return sortLast(
      first
        .flatMap((type) => (type === 'number' ? [type, 'integer'] : [type]))
        .filter((type) => others.every((types) => allows(types, type))),
      (type) => type === 'null',
    );
  }
  const implied = TYPICAL.filter(([, keyword]) =>
    parts.some((part) => Object.keys(part).some((name) => keyword.test(name))),
  ).map(([type]) => type);
  return [...new Set([...implied, ...TYPES])];
}

// Numbers: from 1 where that is allowed, else from the least, else from the greatest.

function listNumbers(parts: readonly SchemaObject[], isInteger: boolean, nth: number): number[] {
  const low = Math.max(-Infinity, ...list(parts, 'minimum'), ...list(parts, 'exclusiveMinimum'));
  const high = Math.min(Infinity, ...list(parts, 'maximum'), ...list(parts, 'exclusiveMaximum'));
  const divisors = [...list(parts, 'multipleOf').filter((one) => one > 0), ...(isInteger ? [1] : [])];
  const common = divisors.length === 0 ? undefined : divisors.reduce(commonMultiple);
  const step = common ?? 1;
  const first = common === undefined ? 1 : Math.max(1, Math.ceil(1 / step));
  const [bottom, top] = [Math.ceil(low / step), Math.floor(high / step)];
  const counts = [first + nth, bottom + nth, bottom + 1 + nth, top - nth, top - 1 - nth];
  const between = [low + ((high - low) * (nth + 1)) / (nth + 2), low + nth * 0.5, high - nth * 0.5];
  const numbers = [
    ...counts.map((count) => exact(count * step)),
    ...(common === undefined ? between : []),
    ...(nth === 0 ? [0] : []),
  ];
  return numbers.filter((value) => Number.isFinite(value) && (!isInteger || Number.isInteger(value)));
}

function commonMultiple(one: number, other: number): number {
  for (let factor = 1; factor <= 1_000; factor++)
    if (Number.isInteger(exact(exact(factor * one) / other))) return exact(factor * one);
  return one;
}

/** As decimal arithmetic would have it: 3 × 0.1 is 0.3. */
function exact(value: number): number {
  return Number.isInteger(value) ? value : Number(value.toPrecision(15));
}

// Texts.

const suffix = (nth: number): string => (nth === 0 ? '' : String(nth + 1));

/** Short texts are letters. */
function word(minLength: number, maxLength: number, nth: number): string {
  const plain = `sample${suffix(nth)}`;
  if (plain.length < minLength) return `sample${'x'.repeat(minLength - plain.length)}${suffix(nth)}`;
  if (plain.length <= maxLength) return plain;
  let text = '';
  for (let rest = nth; text.length < maxLength; rest = Math.floor(rest / 26))
    text = String.fromCharCode(97 + (rest % 26)) + text;
  return text;
}

const day = (nth: number): string => new Date(Date.UTC(2025, 0, 15 + nth)).toISOString().slice(0, 10);
const clock = (nth: number): string => `09:${String(30 + (nth % 30)).padStart(2, '0')}:00`;

/** `isShort`: 12 characters at most. */
type MakeText = (nth: number, padding: string, isShort: boolean) => string;
/** Formats of JSON Schema and of OpenAPI's registry. */
const FORMATS: readonly [name: RegExp, make: MakeText][] = [
  [/^date$/, day],
  [/^date-time$/, (nth) => `${day(nth)}T09:30:00Z`],
  [/^date-time-local$/, (nth) => `${day(nth)}T09:30:00`],
  [/^http-date$/, (nth) => new Date(Date.UTC(2025, 0, 15 + nth, 9, 30)).toUTCString()],
  [/^time$/, (nth) => `${clock(nth)}Z`],
  [/^time-local$/, clock],
  [/^duration$/, (nth) => `P${nth + 1}D`],
  [
    /^(?:idn-)?email$/,
    (nth, padding, isShort) => (isShort ? `a${nth}@b.co` : `sample${padding}${suffix(nth)}@example.com`),
  ],
  [
    /^(?:idn-)?hostname$/,
    (nth, padding, isShort) => {
      if (isShort) return `a${nth}.co`;
      return nth === 0 && padding === '' ? 'example.com' : `${padding.slice(0, 50)}${nth}.example.com`;
    },
  ],
  [/^ipv4$/, (nth) => `192.0.2.${(nth % 250) + 1}`],
  [/^ipv6$/, (nth) => `2001:db8::${((nth % 0xffff) + 1).toString(16)}`],
  [
    /^(?:uri|url|iri)$/,
    (nth, padding, isShort) =>
      isShort ? `urn:a:${nth}` : `https://example.com/${padding}${nth === 0 && padding === '' ? '' : nth}`,
  ],
  [/^[ui]ri-reference$/, (nth, padding) => `/sample${padding}${suffix(nth)}`],
  [/^uri-template$/, (nth) => `/samples/{id}${suffix(nth)}`],
  [/^uuid$/, (nth) => `123e4567-e89b-42d3-a456-${(0x4266_1417_4000 + nth).toString(16).padStart(12, '0')}`],
  [/^json-pointer$/, (nth) => `/sample${suffix(nth)}`],
  [/^relative-json-pointer$/, String],
  [/^regex$/, (nth) => `^sample${suffix(nth)}$`],
  [/^byte$/, (nth) => btoa(`sample${suffix(nth)}`)],
  [/^base64url$/, (nth) => btoa(`sample${suffix(nth)}`).replaceAll('=', '')],
  [/^u?int\d+$/, (nth) => String((nth % 120) + 1)],
  [/^(?:decimal(?:128)?|float|double)$/, (nth) => `${nth + 1}.5`],
  [/^char$/, (nth) => String.fromCharCode(97 + (nth % 26))],
];

function listFormatTexts(format: string, minLength: number, maxLength: number, nth: number): string[] {
  const make = FORMATS.find(([name]) => name.test(format))?.[1];
  if (make === undefined) return [];
  const text = make(nth, '', false);
  if (text.length > maxLength) return [make(nth, '', true)];
  return [text.length < minLength ? make(nth, 'x'.repeat(minLength - text.length), false) : text];
}
