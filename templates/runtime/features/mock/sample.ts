// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Makes a value that is valid against a JSON Schema 2020-12, for answers of `--mock` and for tests. */
import { isRecord, ownMember } from '../../json-rpc.ts';
import type { Json, JsonObject, Schema, SchemaObject } from '../../types.ts';
import { compileSchema, resolveReference } from '../../validate.ts';
import { textsOfPattern } from './pattern.ts';

export interface SampleOptions {
  /** With optional members, where the value stays valid. */
  full?: boolean;
  /** Values to try first for members of the outermost object, by name, best first; what is not valid is passed over. */
  examples?: Readonly<Record<string, readonly unknown[]>>;
  /** Says which values a schema accepts. */
  compile?: (schema: never) => (value: unknown) => boolean;
}

const MAX_DEPTH = 40;
/** Levels at which `full` still adds optional members, and how many it adds to all objects together. */
const [FULL_LEVELS, FULL_MEMBERS] = [4, 400];
/** How often a schema is entered from within itself. */
const REPEATS = 2;
/** Places and values that are tried. */
const MAX_WORK = 20_000;
const COMPILE_WORK = 20;
/** Items, and characters of a text, that a schema may demand; more has no sample. */
const LARGEST = 10_000;
const PATTERN_TEXTS = 60;

/**
 * Takes `examples`, `const`, `enum` or `default` where they are valid, else makes a value up; the same schema gives the same value.
 * Undefined if none was found: there may be none, or finding it takes more than a try at each branch.
 */
export function makeSample(root: object | boolean, options: SampleOptions = {}): Json | undefined {
  const all = { examples: {}, full: false, compile: compileTest, ...options };
  const value = new Sampler(root as Schema, all).sample([root as Schema]);
  // A value of required members alone may be valid where a full one could not be made.
  return value === undefined && all.full ? makeSample(root, { ...options, full: false }) : value;
}

function compileTest(schema: SchemaObject): (value: unknown) => boolean {
  const check = compileSchema(schema);
  return (value) => check(value).length === 0;
}

interface Place {
  depth: number;
  /** Chooses among several values, so that items of a set differ. */
  nth: number;
  examples?: readonly unknown[];
}

/** Keywords that only a check can judge. */
const UNSURE = [
  ...['oneOf', 'not', 'if', 'dependentSchemas', 'contains', 'propertyNames', 'patternProperties'],
  ...['unevaluatedItems', 'unevaluatedProperties'],
];

class Sampler {
  readonly #root: Schema;
  readonly #options: Required<SampleOptions>;
  readonly #checks = new WeakMap<SchemaObject, (value: unknown) => boolean>();
  /** The schemas of the values that are being made, each inside the one before. */
  readonly #open: SchemaObject[] = [];
  #work = 0;
  #added = 0;

  constructor(root: Schema, options: Required<SampleOptions>) {
    this.#root = root;
    this.#options = options;
  }

  sample(schemas: readonly Schema[], place: Place = { depth: 0, nth: 0 }): Json | undefined {
    return place.depth > MAX_DEPTH ? undefined : this.#choose(schemas, place, schemas, [], []);
  }

  /** Collects all that schemas say of one value, and makes one for the first choice of alternatives that has one. */
  #choose(
    schemas: readonly Schema[],
    place: Place,
    added: readonly Schema[],
    parts: readonly SchemaObject[],
    choices: readonly Schema[][],
  ): Json | undefined {
    if (++this.#work > MAX_WORK) return undefined;
    const merged = this.#merge(added, parts, choices);
    if (merged === undefined) return undefined;
    const [branches, ...others] = merged.choices;
    if (branches === undefined) return this.#enter(schemas, merged.parts, place);
    for (const branch of branches) {
      const value = this.#choose(schemas, place, [branch], merged.parts, others);
      if (value !== undefined) return value;
    }
    return undefined;
  }

  /** Undefined if `false` is among the schemas. */
  #merge(added: readonly Schema[], before: readonly SchemaObject[], open: readonly Schema[][]) {
    const parts = new Set(before);
    const choices = [...open];
    const rest = [...added];
    for (let schema = rest.shift(); schema !== undefined; schema = rest.shift()) {
      if (schema === false || ++this.#work > MAX_WORK) return undefined;
      if (schema === true || parts.has(schema)) continue;
      parts.add(schema);
      const { $ref, allOf, anyOf, oneOf, if: condition, then = true, else: otherwise = true } = schema;
      const target = typeof $ref === 'string' ? resolveReference(this.#root, $ref) : undefined;
      rest.unshift(...([target ?? [], allOf ?? []].flat() as Schema[]));
      if (condition !== undefined) choices.push([{ allOf: [condition, then] }, otherwise] as Schema[]);
      for (const dependent of Object.values((schema['dependentSchemas'] ?? {}) as Record<string, Schema>))
        choices.push([true, dependent]);
      for (const branches of [oneOf, anyOf] as (Schema[] | undefined)[])
        if (Array.isArray(branches)) choices.push(nullLast(branches, (one) => isRecord(one) && one.type));
    }
    return { parts: [...parts], choices };
  }

  /** A schema that requires itself has no sample. */
  #enter(schemas: readonly Schema[], parts: SchemaObject[], place: Place): Json | undefined {
    const times = (part: SchemaObject): number => this.#open.filter((one) => one === part).length;
    if (parts.some((part) => times(part) > REPEATS)) return undefined;
    this.#open.push(...parts);
    const value = this.#make(schemas, parts, place);
    this.#open.length -= parts.length;
    return value;
  }

  /** Optional members and items are left out then. */
  #isBeingSampled(schemas: readonly Schema[]): boolean {
    return this.#merge(schemas, [], [])?.parts.some((part) => this.#open.includes(part)) === true;
  }

  #make(schemas: readonly Schema[], parts: SchemaObject[], place: Place): Json | undefined {
    const { nth, examples = [] } = place;
    const [literals] = parts.flatMap((part): unknown[][] => [
      ...('const' in part ? [[part['const']]] : []),
      ...(Array.isArray(part['enum']) ? [part['enum'] as unknown[]] : []),
    ]);
    const defaults = list<unknown>(parts, 'default').filter((value) => !isEmpty(value));
    const suggested = [...list<unknown[]>(parts, 'examples').filter(Array.isArray).flat(), ...defaults];
    const ordered = nullLast(literals ?? [], (value) => value === null && 'null');
    const candidates = [...examples, ...rotate(suggested, nth), ...rotate(ordered, nth)];
    const value = candidates.find((candidate) => this.#isValid(schemas, candidate));
    if (value !== undefined || literals !== undefined) return value as Json | undefined;
    const isUnsure = parts.some((part) => UNSURE.some((keyword) => part[keyword] !== undefined));
    for (const sample of this.#listMade(schemas, parts, place, isUnsure)) {
      if (++this.#work > MAX_WORK) return undefined;
      // What holds others was made of valid ones.
      const isTrusted = typeof sample === 'object' && sample !== null && !isUnsure;
      if (sample !== undefined && (isTrusted || this.#isValid(schemas, sample))) return sample as Json;
    }
    return undefined;
  }

  #isValid(schemas: readonly Schema[], value: unknown): boolean {
    return schemas.every((schema) => {
      if (typeof schema === 'boolean') return schema;
      const { $defs } = this.#root as SchemaObject;
      const rooted = schema === this.#root || $defs === undefined ? schema : { ...schema, $defs };
      let check = this.#checks.get(schema);
      this.#work += check === undefined ? COMPILE_WORK : 1;
      check ??= this.#options.compile(rooted as never);
      this.#checks.set(schema, check);
      return check(value);
    });
  }

  *#listMade(
    schemas: readonly Schema[],
    parts: SchemaObject[],
    place: Place,
    isUnsure: boolean,
  ): Generator<unknown> {
    for (const type of listTypes(parts)) {
      if (type === 'object') yield* this.#sampleObjects(schemas, parts, place);
      // A `not` may refuse one value and accept the next.
      else
        for (let nth = place.nth; nth < place.nth + (isUnsure ? 8 : 1); nth++) {
          if (type === 'array') yield this.#sampleArray(parts, { ...place, nth });
          else if (type === 'string') yield* this.#listTexts(parts, nth);
          else if (type === 'boolean') yield nth % 2 === 0;
          else if (type === 'null') yield null;
          else yield* listNumbers(parts, type === 'integer', nth);
        }
    }
  }

  *#listTexts(parts: SchemaObject[], nth: number): Generator<string> {
    const minLength = Math.max(0, ...list(parts, 'minLength'));
    const maxLength = Math.min(Infinity, ...list(parts, 'maxLength'));
    if (minLength > LARGEST) return;
    for (const format of list<string>(parts, 'format')) {
      const make = FORMATS.find(([name]) => name.test(format))?.[1];
      if (make !== undefined) yield make(nth);
    }
    if (parts.some(({ contentEncoding }) => contentEncoding === 'base64')) yield btoa(`sample${suffix(nth)}`);
    yield word(minLength, maxLength, nth);
    for (const pattern of list<string>(parts, 'pattern')) {
      const texts = new Set<string>();
      for (const text of textsOfPattern(pattern, minLength, PATTERN_TEXTS)) {
        if (texts.has(text) || !this.#isValid(parts, text)) continue;
        texts.add(text);
        if (texts.size > nth) yield text;
      }
    }
  }

  #sampleArray(parts: SchemaObject[], { depth, nth }: Place): Json[] | undefined {
    const kinds = parts.flatMap(({ contains, minContains = 1, maxContains = Infinity }) =>
      isSchema(contains)
        ? [{ schema: contains, least: Number(minContains), most: Number(maxContains), count: 0 }]
        : [],
    );
    const least = Math.max(0, ...list(parts, 'minItems'), ...kinds.map((kind) => kind.least));
    const most = Math.min(Infinity, ...list(parts, 'maxItems'));
    if (least > most || least > LARGEST) return undefined;
    const schemasAt = (index: number): Schema[] =>
      parts.flatMap(({ prefixItems, items, unevaluatedItems }) => {
        const schema = (prefixItems as Schema[] | undefined)?.[index] ?? items ?? unevaluatedItems;
        return isSchema(schema) ? [schema] : [];
      });
    const prefix = Math.max(0, ...list<unknown[]>(parts, 'prefixItems').map(({ length }) => length));
    const wanted = prefix || (this.#isBeingSampled(schemasAt(0)) ? 0 : 1);
    const isUnique = parts.some(({ uniqueItems }) => uniqueItems === true);
    const items: Json[] = [];
    const texts = new Set<string>();
    for (let at = nth, tries = 0; items.length < most; at++) {
      const lacking = kinds.filter((kind) => kind.count < kind.least);
      const isLongEnough = items.length >= Math.max(least, wanted);
      if (isLongEnough && lacking.length === 0) break;
      const refused = kinds.filter((kind) => kind.count >= kind.most).map(({ schema }) => ({ not: schema }));
      const schemas = [...schemasAt(items.length), ...refused];
      const open = kinds.filter((kind) => kind.count < kind.most);
      // An item is of all kinds if that is possible, else of one that lacks items.
      const attempts = [open, ...lacking.map((kind) => [kind]), ...(isLongEnough ? [] : [[]])];
      let item: Json | undefined;
      for (const attempt of attempts) {
        const all = [...schemas, ...attempt.map(({ schema }) => schema)];
        if ((item = this.sample(all, { depth: depth + 1, nth: at })) !== undefined) break;
      }
      if (item === undefined || ++tries > 20 * (items.length + 1)) break;
      const text = JSON.stringify(item);
      if (isUnique && texts.has(text)) continue;
      texts.add(text);
      items.push(item);
      for (const kind of kinds) if (this.#isValid([kind.schema], item)) kind.count++;
    }
    return items.length < least ? undefined : items;
  }

  /** Best first: optional members may be what makes one invalid. */
  *#sampleObjects(schemas: readonly Schema[], parts: SchemaObject[], place: Place): Generator<JsonObject> {
    const { examples, full } = this.#options;
    const most = Math.min(Infinity, ...list(parts, 'maxProperties'));
    const declared = [...new Set(parts.flatMap(({ properties = {} }) => Object.keys(properties)))];
    const least = this.#sampleRequired(parts, place, declared);
    if (least === undefined || Object.keys(least).length > most) return;
    const isExample = (name: string): boolean => place.depth === 0 && Object.hasOwn(examples, name);
    const optional = declared.length > 0 ? declared : this.#inventNames(parts, 1);
    const names = optional.filter(
      (name) => isExample(name) || (full && place.depth < FULL_LEVELS && ++this.#added <= FULL_MEMBERS),
    );
    const add = (object: JsonObject, name: string): JsonObject => {
      if (Object.hasOwn(object, name) || Object.keys(object).length >= most) return object;
      const grown = { ...object };
      return this.#addMember(grown, name, parts, place) ? grown : object;
    };
    yield names.reduce(add, least);
    // Together they are not valid: each is added alone, and kept if the object stays valid.
    yield names.reduce((object, name) => {
      const grown = add(object, name);
      return grown !== object && this.#isValid(schemas, grown) ? grown : object;
    }, least);
    yield least;
  }

  #sampleRequired(parts: SchemaObject[], place: Place, declared: string[]): JsonObject | undefined {
    const object: JsonObject = {};
    for (const name of new Set(parts.flatMap((part) => part.required ?? [])))
      if (!this.#addMember(object, name, parts, place, true)) return undefined;
    const wanted = Math.max(0, ...list(parts, 'minProperties'));
    if (wanted > LARGEST) return undefined;
    const others = wanted === 0 ? [] : [...declared, ...this.#inventNames(parts, wanted)];
    for (const name of others)
      if (Object.keys(object).length < wanted) this.#addMember(object, name, parts, place);
    return Object.keys(object).length < wanted ? undefined : object;
  }

  /** With the members that it requires. False if one of them can't be had. */
  #addMember(
    object: JsonObject,
    name: string,
    parts: SchemaObject[],
    { depth, nth }: Place,
    isRequired = false,
  ): boolean {
    if (Object.hasOwn(object, name)) return true;
    const schemas = this.#memberSchemas(parts, name);
    if (!isRequired && this.#isBeingSampled(schemas)) return false;
    const examples = depth === 0 ? ownMember(this.#options.examples, name) : undefined;
    const value = this.sample(schemas, { depth: depth + 1, nth, ...(examples && { examples }) });
    if (value === undefined) return false;
    // A member may be called `__proto__`.
    Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true });
    const dependents = list<Record<string, string[]>>(parts, 'dependentRequired').flatMap(
      (map) => ownMember(map, name) ?? [],
    );
    return dependents.every((other) => this.#addMember(object, other, parts, { depth, nth }, isRequired));
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

  #inventNames(parts: SchemaObject[], count: number): string[] {
    const rules = list<Schema>(parts, 'propertyNames');
    const patterns = list<object>(parts, 'patternProperties').flatMap((one) => Object.keys(one));
    const matching = patterns.flatMap((pattern) =>
      [...new Set(textsOfPattern(pattern, 1, PATTERN_TEXTS))].slice(0, count),
    );
    const plain = Array.from({ length: count }, (_, nth) =>
      rules.length === 0
        ? `key${suffix(nth)}`
        : this.sample([{ type: 'string' }, ...rules], { depth: 0, nth }),
    );
    return [...matching, ...plain.filter((name) => typeof name === 'string')];
  }
}

function isSchema(value: unknown): value is Schema {
  return typeof value === 'boolean' || isRecord(value);
}

function list<T = number>(parts: readonly SchemaObject[], keyword: string): T[] {
  return parts.flatMap((part) => (part[keyword] === undefined ? [] : [part[keyword] as T]));
}

function nullLast<T>(values: readonly T[], typeOf: (value: T) => unknown): T[] {
  return values.toSorted((a, b) => Number(typeOf(a) === 'null') - Number(typeOf(b) === 'null'));
}

function rotate<T>(values: readonly T[], nth: number): T[] {
  const start = values.length === 0 ? 0 : nth % values.length;
  return [...values.slice(start), ...values.slice(0, start)];
}

/** An empty default is not typical. */
function isEmpty(value: unknown): boolean {
  return value === null || value === '' || (typeof value === 'object' && Object.keys(value).length === 0);
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
  if (first === undefined) {
    const implied = TYPICAL.filter(([, keyword]) =>
      parts.some((part) => Object.keys(part).some((name) => keyword.test(name))),
    ).map(([type]) => type);
    return [...new Set([...implied, ...TYPES])];
  }
  const types = first
    .flatMap((type) => (type === 'number' ? [type, 'integer'] : [type]))
    .filter((type) =>
      others.every((list) => list.includes(type) || (type === 'integer' && list.includes('number'))),
    );
  return nullLast(types, (type) => type);
}

/** From 1 where that is allowed, else from the least, else from the greatest. */
function listNumbers(parts: readonly SchemaObject[], isInteger: boolean, nth: number): number[] {
  const low = Math.max(-Infinity, ...list(parts, 'minimum'), ...list(parts, 'exclusiveMinimum'));
  const high = Math.min(Infinity, ...list(parts, 'maximum'), ...list(parts, 'exclusiveMaximum'));
  const divisors = list(parts, 'multipleOf').filter((divisor) => divisor > 0);
  const step = divisors.reduce((one, other) => (Number.isInteger(exact(one / other)) ? one : one * other), 1);
  const unit = divisors.length === 1 && !isInteger ? (divisors[0] ?? 1) : step;
  const first = Math.max(1, Math.ceil(1 / unit));
  const [bottom, top] = [Math.ceil(low / unit), Math.floor(high / unit)];
  const counts = [first + nth, bottom + nth, bottom + 1 + nth, top - nth, top - 1 - nth];
  const between = [low + ((high - low) * (nth + 1)) / (nth + 2), low + nth * 0.5, high - nth * 0.5];
  const numbers = [...counts.map((count) => exact(count * unit)), ...between, ...(nth === 0 ? [0] : [])];
  return numbers.filter((value) => Number.isFinite(value) && (!isInteger || Number.isInteger(value)));
}

/** As decimal arithmetic would have it: 3 × 0.1 is 0.3. */
function exact(value: number): number {
  return Number.isInteger(value) ? value : Number(value.toPrecision(15));
}

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

/** Formats of JSON Schema and of OpenAPI's registry. */
const FORMATS: readonly [name: RegExp, make: (nth: number) => string][] = [
  [/^date$/, day],
  [/^date-time$/, (nth) => `${day(nth)}T09:30:00Z`],
  [/^date-time-local$/, (nth) => `${day(nth)}T09:30:00`],
  [/^http-date$/, (nth) => new Date(Date.UTC(2025, 0, 15 + nth, 9, 30)).toUTCString()],
  [/^time$/, (nth) => `09:${String(30 + (nth % 30))}:00Z`],
  [/^time-local$/, (nth) => `09:${String(30 + (nth % 30))}:00`],
  [/^duration$/, (nth) => `P${nth + 1}D`],
  [/^(?:idn-)?email$/, (nth) => `sample${suffix(nth)}@example.com`],
  [/^(?:idn-)?hostname$/, (nth) => (nth === 0 ? 'example.com' : `${nth}.example.com`)],
  [/^ipv4$/, (nth) => `192.0.2.${(nth % 250) + 1}`],
  [/^ipv6$/, (nth) => `2001:db8::${((nth % 0xffff) + 1).toString(16)}`],
  [/^(?:uri|url|iri)$/, (nth) => `https://example.com/${nth === 0 ? '' : nth}`],
  [/^(?:[ui]ri-reference|json-pointer)$/, (nth) => `/sample${suffix(nth)}`],
  [/^uri-template$/, (nth) => `/samples/{id}${suffix(nth)}`],
  [/^uuid$/, (nth) => `123e4567-e89b-42d3-a456-${(0x4266_1417_4000 + nth).toString(16).padStart(12, '0')}`],
  [/^relative-json-pointer$/, String],
  [/^regex$/, (nth) => `^sample${suffix(nth)}$`],
  [/^byte$/, (nth) => btoa(`sample${suffix(nth)}`)],
  [/^base64url$/, (nth) => btoa(`sample${suffix(nth)}`).replaceAll('=', '')],
  [/^u?int\d+$/, (nth) => String((nth % 120) + 1)],
  [/^(?:decimal(?:128)?|float|double)$/, (nth) => `${nth + 1}.5`],
  [/^char$/, (nth) => String.fromCharCode(97 + (nth % 26))],
];
