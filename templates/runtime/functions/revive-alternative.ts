/** An argument is of one alternative of a union, or of several at once. */
import type { JsonSchema } from '../schema/json-schema.ts';
import { isObject, setMember } from '../schema/json-value.ts';
import { matchesPattern } from '../schema/matches-pattern.ts';
import { acceptingBranches, objectSchema } from './accepting.ts';
import { fitsBranch } from './branch.ts';
import type { CodecBranch, UnionCodec } from './codec.ts';

/** A value as one alternative revives it, and what that says of it. */
interface Reading {
  value: unknown;
  schema: JsonSchema | undefined;
}

/**
 * Revives a value as the first alternative that takes it; members that this one does not name, as the next that does. `revive`
 * returns undefined for an alternative that refuses the value, and so does this when all do.
 */
export function reviveAlternative(
  value: unknown,
  { branches, schemas }: UnionCodec,
  revive: (branch: CodecBranch) => { value: unknown } | undefined,
): { value: unknown } | undefined {
  const fitting = branches.filter((branch) => fitsBranch(value, branch));
  if (fitting.length === 0) return { value };
  const accepting = acceptingBranches(value, fitting, schemas);
  const isMany = schemas !== undefined && typeof value === 'object';
  const readings: Reading[] = [];
  for (const branch of accepting) {
    const revived = revive(branch);
    if (revived !== undefined) readings.push({ value: revived.value, schema: branch.accepts });
    if (revived !== undefined && !isMany) break;
  }
  return readings.length === 0 ? undefined : { value: merged(readings, schemas) };
}

/** The first reading, with what only others say. */
function merged(readings: readonly Reading[], schemas: UnionCodec['schemas']): unknown {
  const [first, ...others] = readings;
  if (first === undefined || others.length === 0) return first?.value;
  if (Array.isArray(first.value)) return mergedLists(readings, schemas);
  return isPlain(first.value) ? mergedMembers(readings, schemas) : first.value;
}

function mergedLists(readings: readonly Reading[], schemas: UnionCodec['schemas']): unknown[] {
  const lists = readings.flatMap(({ value, schema }) =>
    Array.isArray(value) ? [{ items: value as unknown[], of: objectSchema(schema, schemas)?.items }] : [],
  );
  const [first] = lists;
  return (first?.items ?? []).map((_, index) =>
    merged(
      lists.map(({ items, of }) => ({ value: items[index], schema: of })),
      schemas,
    ),
  );
}

function mergedMembers(
  readings: readonly Reading[],
  schemas: UnionCodec['schemas'],
): Record<string, unknown> {
  const objects = readings.flatMap(({ value, schema }) =>
    isPlain(value) ? [{ members: value, schemaOf: memberSchemas(schema, schemas) }] : [],
  );
  const whole: Record<string, unknown> = {};
  for (const name of new Set(objects.flatMap(({ members }) => Object.keys(members)))) {
    const given = objects.filter(({ members }) => Object.hasOwn(members, name));
    const naming = given.filter(({ schemaOf }) => schemaOf(name) !== undefined);
    const parts = (naming.length === 0 ? given.slice(0, 1) : naming).map(({ members, schemaOf }) => ({
      value: members[name],
      schema: schemaOf(name),
    }));
    setMember(whole, name, merged(parts, schemas));
  }
  return whole;
}

/** What a schema says of the member of a name; undefined where it does not name it. */
function memberSchemas(
  schema: JsonSchema | undefined,
  schemas: UnionCodec['schemas'],
): (name: string) => JsonSchema | undefined {
  const said = objectSchema(schema, schemas) ?? {};
  const { properties = {}, patternProperties = {}, additionalProperties, anyOf, oneOf } = said;
  const alternatives = (anyOf ?? oneOf)?.map((each) => memberSchemas(each, schemas)) ?? [];
  return (name) =>
    (Object.hasOwn(properties, name) ? properties[name] : undefined) ??
    Object.entries(patternProperties).find(([pattern]) => matchesPattern(pattern, name))?.[1] ??
    additionalProperties ??
    (alternatives.some((schemaOf) => schemaOf(name) !== undefined) ? true : undefined);
}

/** An object that is none of a class: what a codec has made of one may be a map. */
function isPlain(value: unknown): value is Record<string, unknown> {
  return isObject(value) && Object.getPrototypeOf(value) === Object.prototype;
}
