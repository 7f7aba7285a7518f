/** Arguments that would change, by way of a function that merges them, what every object inherits. */
import { isRecord, member } from '../contract/json-value.ts';
import { NotRevivable } from './decode-arguments.ts';
import type { JsonSchema } from '../contract/json-schema.ts';
import { matchesPattern } from '../schema/run.ts';
import { isValid, objectSchema } from './arguments.ts';
import type { UnionCodec } from '../contract/codec.ts';

/** @throws {NotRevivable} for a member `__proto__` or `constructor.prototype` at any depth */
export function refuseInherited(args: Record<string, unknown>): void {
  const own = inheritedIn(args);
  if (own !== undefined) throw new NotRevivable({ path: [], words: `must have no member \`${own}\`` });
  for (const name of Object.keys(args)) {
    const found = findInherited(args[name]);
    if (found !== undefined)
      throw new NotRevivable({ path: [name], words: `must have no member \`${found}\`` });
  }
}

/** Keeps its own stack: the depth of a value is its sender's choice. */
function findInherited(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const open: unknown[] = [value];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next !== 'object' || next === null) continue;
    const found = inheritedIn(next);
    if (found !== undefined) return found;
    for (const part of Object.values(next)) if (typeof part === 'object' && part !== null) open.push(part);
  }
  return undefined;
}

/** Text and numbers under these names are data: to assign them changes nothing. */
function inheritedIn(value: object): string | undefined {
  if (Object.hasOwn(value, '__proto__') && isRecord(Reflect.get(value, '__proto__'))) return '__proto__';
  if (!Object.hasOwn(value, 'constructor')) return undefined;
  const constructor: unknown = Reflect.get(value, 'constructor');
  return isRecord(constructor) && Object.hasOwn(constructor, 'prototype')
    ? 'constructor.prototype'
    : undefined;
}

type Schemas = UnionCodec['schemas'];

/** What a schema says of the member of a name; undefined where it does not name it. */
export function memberSchemas(
  schema: JsonSchema | undefined,
  schemas: Schemas,
): (name: string) => JsonSchema | undefined {
  const said = objectSchema(schema, schemas) ?? {};
  const { properties = {}, patternProperties = {}, additionalProperties, anyOf, oneOf } = said;
  const alternatives = (anyOf ?? oneOf)?.map((each) => memberSchemas(each, schemas)) ?? [];
  return (name) =>
    (member(properties, name) as JsonSchema | undefined) ??
    Object.entries(patternProperties).find(([pattern]) => matchesPattern(pattern, name))?.[1] ??
    additionalProperties ??
    (alternatives.some((schemaOf) => schemaOf(name) !== undefined) ? true : undefined);
}

/** Counts the members of JSON values, at any depth, that a schema does not name. Each value is looked at once by a schema. */
export class UnnamedMembers {
  readonly #schemas: Schemas;
  readonly #known = new Map<object, Map<JsonSchema, number>>();

  constructor(schemas: Schemas) {
    this.#schemas = schemas;
  }

  count(value: unknown, schema: JsonSchema | undefined): number {
    if (typeof value !== 'object' || value === null || schema === undefined) return 0;
    const known = this.#known.get(value) ?? new Map<JsonSchema, number>();
    this.#known.set(value, known);
    const counted = known.get(schema) ?? this.#count(value, schema);
    known.set(schema, counted);
    return counted;
  }

  #count(value: object, schema: JsonSchema): number {
    const said = objectSchema(schema, this.#schemas) ?? {};
    const alternatives =
      (said.anyOf ?? said.oneOf)?.filter((each) => isValid(value, each, this.#schemas)) ?? [];
    if (alternatives.length > 0) return Math.min(...alternatives.map((each) => this.count(value, each)));
    if (Array.isArray(value)) {
      const { prefixItems = [], items } = said;
      return sum(value.map((item, index) => this.count(item, prefixItems[index] ?? items)));
    }
    if (said.type === undefined || !isRecord(value)) return 0;
    const schemaOf = memberSchemas(said, this.#schemas);
    return sum(
      Object.entries(value).map(([name, part]) => {
        const ofMember = schemaOf(name);
        return ofMember === undefined ? 1 : this.count(part, ofMember);
      }),
    );
  }
}

function sum(counts: readonly number[]): number {
  return counts.reduce((total, each) => total + each, 0);
}
