// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Makes valid objects and arrays. */
import { getOwnMember, omitUndefined, isEqual, setOwnMember } from '../contract/json-value.ts';
import { type Json, type JsonObject, type JsonSchema, isSchema } from '../contract/json-schema.ts';
import { matchesPattern } from '../schema/run.ts';
import {
  type MergedConstraints,
  listKeywordSchemas,
  strictestLimit,
  sampleLimits,
} from './merged-constraints.ts';
import { sampleFromPattern } from './pattern.ts';
import type { Place, Sampler } from './sample-of.ts';

/** Yields candidates, best first: optional members may be what makes one invalid. */
export function* sampleObjects(
  facts: MergedConstraints,
  place: Place,
  members: Sampler,
): Generator<JsonObject> {
  const object = new ObjectSample(facts, place, members);
  const least = object.least();
  if (least === undefined) return;
  const grown = object.addOptionalMembers(least);
  yield grown;
  if (grown !== least) yield least;
}

class ObjectSample {
  readonly #facts: MergedConstraints;
  readonly #place: Place;
  readonly #members: Sampler;
  readonly #most: number;

  constructor(facts: MergedConstraints, place: Place, members: Sampler) {
    this.#facts = facts;
    this.#place = place;
    this.#members = members;
    this.#most = strictestLimit(facts, 'maxProperties', Math.min) ?? Infinity;
  }

  /** Returns undefined if a required member, or as many members as `minProperties` wants, can't be had. */
  least(): JsonObject | undefined {
    const object: JsonObject = {};
    for (const name of this.#requiredNames()) {
      const value = this.#sampleMember(name);
      if (value === undefined) return undefined;
      setOwnMember(object, name, value);
    }
    const wanted = strictestLimit(this.#facts, 'minProperties', Math.max) ?? 0;
    if (wanted > sampleLimits.size) return undefined;
    const others = wanted === 0 ? [] : [...this.#declaredNames(), ...this.#inventedNames(wanted)];
    for (const name of others) {
      if (Object.keys(object).length >= wanted) break;
      this.#addMember(object, name);
    }
    const { length } = Object.keys(object);
    return length < wanted || length > this.#most ? undefined : object;
  }

  addOptionalMembers(least: JsonObject): JsonObject {
    const names = this.#wantedNames().filter(
      (name) => this.#hasExample(name) || this.#members.claimOptionalMember(this.#place.depth),
    );
    const whole = names.reduce((object, name) => this.#withMember(object, name), least);
    if (whole === least || this.#isValid(whole)) return whole;
    // Together they are invalid: each is added alone, and kept only if the object stays valid.
    return names.reduce((object, name) => {
      const grown = this.#withMember(object, name);
      return grown !== object && this.#isValid(grown) ? grown : object;
    }, least);
  }

  #isValid(object: JsonObject): boolean {
    return !this.#facts.unsure || this.#members.judge.acceptsValue(this.#facts.given, object);
  }

  /** Returns the same object if the member is present already, or can't be added. */
  #withMember(object: JsonObject, name: string): JsonObject {
    if (Object.hasOwn(object, name) || Object.keys(object).length >= this.#most) return object;
    const grown = { ...object };
    return this.#addMember(grown, name) ? grown : object;
  }

  #requiredNames(): Set<string> {
    const names = new Set(
      this.#facts.parts.flatMap(({ required }) => (Array.isArray(required) ? required : [])),
    );
    // This list grows while it is iterated.
    for (const name of names) for (const dependent of this.#dependentNames(name)) names.add(dependent);
    return names;
  }

  #dependentNames(name: string): string[] {
    return this.#facts.parts.flatMap(({ dependentRequired: map }) =>
      map !== undefined && Object.hasOwn(map, name) ? (map[name] ?? []) : [],
    );
  }

  /** Adds a member and the members that it requires. Returns false if one of them is left out. */
  #addMember(object: JsonObject, name: string): boolean {
    if (Object.hasOwn(object, name)) return true;
    if (this.#members.isBeingSampled(this.#memberSchemas(name))) return false;
    const value = this.#sampleMember(name);
    if (value === undefined) return false;
    setOwnMember(object, name, value);
    return this.#dependentNames(name).every((dependent) => this.#addMember(object, dependent));
  }

  #sampleMember(name: string): Json | undefined {
    const { depth, nth } = this.#place;
    const examples = this.#hasExample(name) ? getOwnMember(this.#members.examples, name) : undefined;
    return this.#members.sampleSchemas(this.#memberSchemas(name), {
      depth: depth + 1,
      nth,
      ...omitUndefined({ examples }),
    });
  }

  #hasExample(name: string): boolean {
    return this.#place.depth === 0 && Object.hasOwn(this.#members.examples, name);
  }

  #memberSchemas(name: string): JsonSchema[] {
    const known = this.#facts.parts.flatMap((part) => {
      const { properties = {}, patternProperties = {}, additionalProperties } = part;
      const matching = Object.entries(patternProperties).filter(([pattern]) => matchesPattern(pattern, name));
      const own = [
        ...(Object.hasOwn(properties, name) ? [properties[name] ?? true] : []),
        ...matching.map(([, schema]) => schema),
      ];
      return own.length > 0 || additionalProperties === undefined ? own : [additionalProperties];
    });
    return known.length > 0 ? known : listKeywordSchemas(this.#facts, 'unevaluatedProperties');
  }

  #wantedNames(): string[] {
    const { full, examples } = this.#members;
    const declared = this.#declaredNames();
    if (!full)
      return this.#place.depth > 0 ? [] : Object.keys(examples).filter((name) => declared.includes(name));
    return declared.length > 0 ? declared : this.#inventedNames(1);
  }

  #declaredNames(): string[] {
    return [...new Set(this.#facts.parts.flatMap(({ properties = {} }) => Object.keys(properties)))];
  }

  #inventedNames(count: number): string[] {
    const indexes = Array.from({ length: Math.min(count, sampleLimits.size) }, (_, index) => index);
    const schemas = listKeywordSchemas(this.#facts, 'propertyNames');
    if (schemas.length > 0) {
      return indexes
        .map((nth) =>
          this.#members.sampleSchemas([{ type: 'string' }, ...schemas], {
            depth: this.#place.depth + 1,
            nth,
          }),
        )
        .filter((name) => typeof name === 'string');
    }
    const patterns = this.#facts.parts.flatMap(({ patternProperties = {} }) =>
      Object.keys(patternProperties),
    );
    const matching = patterns.flatMap((pattern) =>
      indexes.map((nth) =>
        sampleFromPattern(pattern, { minLength: 1, maxLength: Infinity, nth, fits: () => true }),
      ),
    );
    const isMap = this.#facts.parts.some(
      ({ additionalProperties }) => typeof additionalProperties === 'object',
    );
    const plain =
      isMap || patterns.length === 0 ? indexes.map((nth) => `key${nth === 0 ? '' : nth + 1}`) : [];
    return [...matching.filter((name) => name !== undefined), ...plain];
  }
}

export function sampleArray(facts: MergedConstraints, place: Place, members: Sampler): Json[] | undefined {
  const least = leastItemCount(facts);
  const most = strictestLimit(facts, 'maxItems', Math.min) ?? Infinity;
  if (least > most || least > sampleLimits.size) return undefined;
  const items: Json[] = [];
  const count = Math.min(Math.max(least, chooseItemCount(facts, members)), most);
  for (let nth = place.nth; items.length < count; nth++) {
    const item = sampleNextItem(facts, items, { depth: place.depth + 1, nth }, members);
    if (item === undefined) break;
    items.push(item);
  }
  return items.length < least ? undefined : items;
}

function leastItemCount(facts: MergedConstraints): number {
  const minItems = strictestLimit(facts, 'minItems', Math.max) ?? 0;
  const contained = facts.parts.map(({ contains, minContains = 1 }) =>
    contains === undefined ? 0 : minContains,
  );
  return Math.max(minItems, ...contained);
}

/** Wants all of a tuple; one item of a list, or none if its schema is being sampled already. */
function chooseItemCount(facts: MergedConstraints, members: Sampler): number {
  const prefix = Math.max(0, ...facts.parts.map(({ prefixItems }) => prefixItems?.length ?? 0));
  const schemas = schemasOfItem(facts, 0);
  if (prefix > 0) return prefix;
  return members.isBeingSampled(schemas) ? 0 : 1;
}

function schemasOfItem({ parts }: MergedConstraints, index: number): JsonSchema[] {
  return parts.flatMap(({ prefixItems = [], items, unevaluatedItems }) => {
    const schema = prefixItems[index] ?? items ?? unevaluatedItems;
    return isSchema(schema) ? [schema] : [];
  });
}

/** Tries the next values where items must differ. */
function sampleNextItem(
  facts: MergedConstraints,
  items: readonly Json[],
  place: Place,
  members: Sampler,
): Json | undefined {
  const contains = listKeywordSchemas(facts, 'contains');
  const own = schemasOfItem(facts, items.length);
  const unique = facts.parts.some(({ uniqueItems }) => uniqueItems === true);
  for (let more = 0; more < 20; more++) {
    const at = { ...place, nth: place.nth + more };
    const item = members.sampleSchemas([...own, ...contains], at) ?? members.sampleSchemas(own, at);
    if (item === undefined) return undefined;
    if (!unique || !items.some((one) => isEqual(one, item))) return item;
  }
  return undefined;
}
