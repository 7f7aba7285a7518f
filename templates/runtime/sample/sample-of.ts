// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Makes a value that is valid against a JSON Schema 2020-12, for mock answers and tests. Real calls never use it. */
import type { Json, JsonSchema, JsonSchemaObject, JsonType } from '../contract/json-schema.ts';
import { isEqual, getJsonType } from '../contract/json-value.ts';
import { sampleArray, sampleObjects } from './collections.ts';
import {
  type MergedConstraints,
  SubschemaValidator,
  allowsType,
  addConstraints,
  mergeConstraints,
  sampleLimits,
  suggestedValues,
  listTypes,
  listEnumValues,
} from './merged-constraints.ts';
import { isNumberAllowed, isTextAllowed, sampleNumber, sampleText } from './scalars.ts';

export interface SampleOptions {
  /** Includes optional members, as many as are valid together. */
  full?: boolean;
  /** Values to try first for members of the outermost object, by name, best first; what is not valid is passed over. */
  examples?: Readonly<Record<string, readonly unknown[]>>;
}

/**
 * Takes `examples`, `const`, `enum` or `default` where they are valid, else makes a value up; the same schema gives
 * the same value. Undefined when none was found: there may be none, or finding it takes more than a try at each
 * branch (`not`, a pattern with assertions).
 * @throws SchemaDefect as `compileSchema` does
 */
export function makeSample(
  schema: JsonSchema,
  { full = false, examples = {} }: SampleOptions = {},
): Json | undefined {
  const first = new Sampler(schema, { full, examples }).sampleSchemas();
  // A value with required members alone may be valid where a full one could not be made.
  return first === undefined && full ? new Sampler(schema, { full: false, examples }).sampleSchemas() : first;
}

export interface Place {
  depth: number;
  /** Chooses among several values, so that items of a set differ. */
  nth: number;
  examples?: readonly unknown[];
}

/** Values of schemas that need no others: tools share those of their arguments. */
const knownScalars = new WeakMap<JsonSchemaObject, Json>();

export class Sampler {
  readonly full: boolean;
  readonly examples: Readonly<Record<string, readonly unknown[]>>;
  readonly judge: SubschemaValidator;
  readonly #root: JsonSchema;
  readonly #entered = new Map<JsonSchemaObject, number>();
  #work = 0;
  #added = 0;

  constructor(root: JsonSchema, { full, examples }: Required<SampleOptions>) {
    this.#root = root;
    this.full = full;
    this.examples = examples;
    this.judge = new SubschemaValidator(root);
  }

  sampleSchemas(
    schemas: readonly JsonSchema[] = [this.#root],
    place: Place = { depth: 0, nth: 0 },
  ): Json | undefined {
    if (place.depth > sampleLimits.depth || ++this.#work > sampleLimits.work) return undefined;
    const [only, ...others] = schemas;
    const isFirst = others.length === 0 && place.nth === 0 && place.examples === undefined;
    const shared = isFirst && typeof only === 'object' ? only : undefined;
    const known = shared && knownScalars.get(shared);
    if (known !== undefined) return known;
    const facts = mergeConstraints(schemas, this.judge.resolveReference);
    const value =
      facts && this.#guardRecursion(facts.parts, () => this.#sampleFirstValidBranch(facts, place));
    const isOwn = facts?.parts.length === 1 && facts.choices.length === 0 && !facts.unsure;
    if (shared && isOwn && value !== undefined && isScalar(value)) knownScalars.set(shared, value);
    return value;
  }

  /** Whether one of the schemas is being sampled already: optional members and items are left out then. */
  isBeingSampled(schemas: readonly JsonSchema[]): boolean {
    const facts = mergeConstraints(schemas, this.judge.resolveReference);
    return facts?.parts.some((part) => this.#entered.has(part)) ?? false;
  }

  /** Takes one of the members that `full` may add; false when none is left. */
  claimOptionalMember(depth: number): boolean {
    return this.full && depth < sampleLimits.fullDepth && ++this.#added <= sampleLimits.fullMembers;
  }

  /** Counts the schemas that are being sampled: a schema that requires itself has no sample. */
  #guardRecursion(parts: readonly JsonSchemaObject[], work: () => Json | undefined): Json | undefined {
    const entered = parts.filter(hasNestedSchemas);
    if (entered.some((part) => (this.#entered.get(part) ?? 0) > sampleLimits.repeats)) return undefined;
    for (const part of entered) this.#entered.set(part, (this.#entered.get(part) ?? 0) + 1);
    const value = work();
    for (const part of entered) {
      const left = (this.#entered.get(part) ?? 1) - 1;
      if (left === 0) this.#entered.delete(part);
      else this.#entered.set(part, left);
    }
    return value;
  }

  #sampleFirstValidBranch(facts: MergedConstraints, place: Place): Json | undefined {
    const [choice, ...choices] = facts.choices;
    if (choice === undefined) return this.#findFirstAccepted(facts, place);
    for (const branch of choice) {
      if (++this.#work > sampleLimits.work) return undefined;
      const decided = addConstraints({ ...facts, choices }, [branch], this.judge.resolveReference);
      const value =
        decided &&
        this.#guardRecursion(
          decided.parts.filter((part) => !facts.parts.includes(part)),
          () => this.#sampleFirstValidBranch(decided, place),
        );
      if (value !== undefined) return value;
    }
    return undefined;
  }

  #findFirstAccepted(facts: MergedConstraints, place: Place): Json | undefined {
    for (const { value, made } of this.#listCandidates(facts, place)) {
      if (++this.#work > sampleLimits.work) return undefined;
      if (made ? this.#acceptsMade(facts, value) : this.#acceptsGiven(facts, value)) return value as Json;
    }
    return undefined;
  }

  #acceptsMade(facts: MergedConstraints, value: unknown): boolean {
    return !facts.unsure || this.judge.acceptsValue(facts.given, value);
  }

  #acceptsGiven(facts: MergedConstraints, value: unknown): boolean {
    if (!isScalar(value)) return this.judge.acceptsValue(facts.given, value);
    return isScalarAllowed(facts, value) && this.#acceptsMade(facts, value);
  }

  *#listCandidates(facts: MergedConstraints, place: Place): Generator<{ value: unknown; made: boolean }> {
    for (const value of place.examples ?? []) yield { value, made: false };
    const values = listEnumValues(facts);
    for (const value of rotateTo(suggestedValues(facts), place.nth)) yield { value, made: false };
    if (values !== undefined) {
      for (const value of rotateTo(sortNullLast(values), place.nth)) yield { value, made: false };
      return;
    }
    for (const type of listTypes(facts)) yield* this.#candidatesOfType(type, facts, place);
  }

  *#candidatesOfType(
    type: JsonType,
    facts: MergedConstraints,
    place: Place,
  ): Generator<{ value: unknown; made: boolean }> {
    if (type === 'object') {
      for (const value of sampleObjects(facts, place, this)) yield { value, made: true };
      return;
    }
    // A `not` may refuse one value and accept the next.
    for (let more = 0; more < (facts.unsure ? 8 : 1); more++) {
      const value = this.#sampleOfType(type, facts, { ...place, nth: place.nth + more });
      if (value === undefined) return;
      yield { value, made: true };
    }
  }

  #sampleOfType(type: Exclude<JsonType, 'object'>, facts: MergedConstraints, place: Place): Json | undefined {
    switch (type) {
      case 'array':
        return sampleArray(facts, place, this);
      case 'string':
        return sampleText(facts, place.nth);
      case 'integer':
      case 'number':
        return sampleNumber(facts, type === 'integer', place.nth);
      case 'boolean':
        return place.nth % 2 === 0;
      case 'null':
        return null;
    }
  }
}

const nesting = ['properties', 'items', 'prefixItems', 'additionalProperties', 'anyOf', 'oneOf', 'allOf'];

function hasNestedSchemas(schema: JsonSchemaObject): boolean {
  return nesting.some((keyword) => typeof schema[keyword] === 'object');
}

function isScalar(value: unknown): boolean {
  return typeof value !== 'object' || value === null;
}

function isScalarAllowed(facts: MergedConstraints, value: unknown): boolean {
  const type = getJsonType(value);
  const values = listEnumValues(facts);
  if (type === undefined || (values !== undefined && !values.some((one) => isEqual(one, value))))
    return false;
  if (!allowsType(listTypes(facts), type)) return false;
  if (typeof value === 'string') return isTextAllowed(facts, value);
  return typeof value !== 'number' || isNumberAllowed(facts, value);
}

function sortNullLast(values: readonly unknown[]): unknown[] {
  return values.toSorted((a, b) => Number(a === null) - Number(b === null));
}

function rotateTo(values: readonly unknown[], nth: number): readonly unknown[] {
  const start = values.length === 0 ? 0 : nth % values.length;
  return start === 0 ? values : [...values.slice(start), ...values.slice(0, start)];
}
