/** An argument is of one alternative of a union, or of several at once. */
import type { JsonSchema } from '../contract/json-schema.ts';
import { isRecord, setMember } from '../contract/json-value.ts';
import { acceptingBranches, objectSchema } from './accepting.ts';
import { fitsBranch } from './branch.ts';
import type { CodecBranch, UnionCodec } from '../contract/codec.ts';
import { memberSchemas, UnnamedMembers } from './unnamed-members.ts';

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
  const accepting = byUnnamed(value, acceptingBranches(value, fitting, schemas), schemas);
  const isMany = schemas !== undefined && typeof value === 'object';
  const readings: Reading[] = [];
  for (const branch of accepting) {
    const revived = revive(branch);
    if (revived !== undefined) readings.push({ value: revived.value, schema: branch.accepts });
    if (revived !== undefined && !isMany) break;
  }
  return readings.length === 0 ? undefined : { value: merged(readings, schemas) };
}

/** What names most of a value comes first; of equal ones the order stays. */
function byUnnamed(
  value: unknown,
  branches: readonly CodecBranch[],
  schemas: UnionCodec['schemas'],
): readonly CodecBranch[] {
  if (branches.length < 2 || schemas === undefined) return branches;
  const unnamed = new UnnamedMembers(schemas);
  const counts = new Map(branches.map((branch) => [branch, unnamed.count(value, branch.accepts)]));
  return branches.toSorted((a, b) => (counts.get(a) ?? 0) - (counts.get(b) ?? 0));
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

/** An object that is none of a class: what a codec has made of one may be a map. */
function isPlain(value: unknown): value is Record<string, unknown> {
  return isRecord(value) && Object.getPrototypeOf(value) === Object.prototype;
}
