// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Words for a value that fits none of the branches of `anyOf` or `oneOf`, or too many: they name the branch that was meant. */
import type { Feature } from '../feature.ts';
import { isRecord, ownMember } from '../json-rpc.ts';
import type { SchemaObject } from '../types.ts';
import { type Compiler, countNoun, type Keyword, type Misfit } from '../validate.ts';
import { printList, printLiteral, printValue, type Run, type Test } from '../validate.ts';

export function alternatives(): Feature {
  const keywords: Record<string, Keyword> = {
    anyOf: (schemas, compiler) => compileBranches(schemas, compiler, false),
    oneOf: (schemas, compiler) => compileBranches(schemas, compiler, true),
  };
  return { name: 'alternatives', parts: { keywords } };
}

interface Refused {
  /** What the branch says of the value itself, also by reference. */
  schemas: SchemaObject[];
  misfits: Misfit[];
}

function compileBranches(schemas: unknown[], compiler: Compiler, isOne: boolean): Test<unknown> {
  const branches = schemas.map((schema) => ({ schema, check: compiler.compile(schema) }));
  return (value, run) => {
    const outcomes = branches.map(({ check }) => run.collect(check, value));
    const passing = outcomes.flatMap((misfits, index) => (misfits === undefined ? String(index + 1) : []));
    if (passing.length === 1 || (passing.length > 1 && !isOne)) return false;
    if (passing.length > 1)
      return `must match exactly one of ${countNoun(branches.length, 'alternative')} but matches ${printList(passing, 'and')}`;
    const refused = outcomes.map((misfits = [], index) => ({
      misfits,
      schemas: listSchemas(branches[index]?.schema, compiler),
    }));
    return describeRefusal(refused, value, run, compiler);
  };
}

/** Returns words, or tells the run what is wrong with the branch that is meant. */
function describeRefusal(refused: Refused[], value: unknown, run: Run, compiler: Compiler): string | false {
  const depth = run.path.length;
  const isOfOtherType = ({ misfits }: Refused): boolean =>
    misfits.length === 0 || misfits.some(({ path, keyword }) => path.length === depth && keyword === 'type');
  const rivals = refused.filter((branch) => !isOfOtherType(branch));
  const otherTypes = refused.filter(isOfOtherType).flatMap(({ schemas }) => schemas.flatMap(listTypes));
  const types = printList([...new Set(otherTypes)]);
  if (rivals.length === 0) {
    // Alternatives around these know by the keyword that the value has another type.
    run.fail(`must be of type ${types} but is ${printValue(value)}`, undefined, 'type');
    return false;
  }
  const tags = rivals.map((branch) => branch.misfits.find((misfit) => isTag(misfit, depth)));
  // A branch whose tag is another is ruled out if a branch without such a fault names the member too.
  const untagged = rivals.filter((_, index) => tags[index] === undefined);
  const chosen = rivals.filter((_, index) => {
    const name = tags[index]?.path[depth];
    return tags[index] === undefined || !untagged.some((branch) => name === undefined || names(branch, name));
  });
  const [only, second] = chosen;
  if (only !== undefined && second === undefined) return tellOnly(only, types, depth, run);
  const [tag] = tags;
  const place = tag?.path.slice(depth);
  if (
    place !== undefined &&
    untagged.length === 0 &&
    tags.every((one) => one?.path.at(-1) === tag?.path.at(-1))
  ) {
    const values = rivals.flatMap(({ schemas }) => schemas.flatMap((schema) => listLiterals(schema, place)));
    const words = printList([...new Set(values.map(printLiteral))]);
    const given = place.length === 0 ? value : (value as Record<string, unknown>)[String(place[0])];
    run.fail(`must be one of ${words} but is ${printValue(given)}`, place[0]);
    return false;
  }
  const { misfits } = findNearest(chosen, value, compiler, run);
  const problems = misfits.slice(0, 3).map(({ message }) => message);
  const what = typeof value === 'object' ? '' : ` (it is ${printValue(value)})`;
  return `matches none of ${countNoun(chosen.length, 'alternative')}${what}; for the nearest, ${problems.join('; ')}`;
}

/** Adds the other types if the only branch of this type allows a few values. */
function tellOnly({ misfits }: Refused, types: string, depth: number, run: Run): false {
  const withTypes = misfits.map((misfit) => {
    const isLiteral = misfit.path.length === depth && /^(?:const|enum)$/.test(misfit.keyword ?? '');
    if (!isLiteral || types === '') return misfit;
    return {
      ...misfit,
      message: misfit.message.replace(/ but is (?!.* but is )/s, `, or of type ${types}, but is `),
    };
  });
  run.misfits.push(...withTypes);
  return false;
}

/** A `const` or `enum` of the value itself, or of a direct member. */
function isTag({ path, keyword = '' }: Misfit, depth: number): boolean {
  return path.length - depth <= 1 && /^(?:const|enum)$/.test(keyword);
}

/** The branch that names most members of the value, at any depth; of several, the one with the fewest faults. */
function findNearest(rivals: Refused[], value: unknown, compiler: Compiler, run: Run): Refused {
  const counts = new Map(rivals.map((branch) => [branch, countNamed(branch.schemas, value, compiler, run)]));
  const count = (branch: Refused): number => counts.get(branch) ?? 0;
  const [nearest] = rivals.toSorted((a, b) => count(b) - count(a) || a.misfits.length - b.misfits.length);
  return nearest ?? { schemas: [], misfits: [] };
}

const MAX_NAMED_DEPTH = 5;
const MAX_NAMED = 100;

function countNamed(
  schemas: SchemaObject[],
  value: unknown,
  compiler: Compiler,
  run: Run,
  depth = 0,
): number {
  if (typeof value !== 'object' || value === null || depth > MAX_NAMED_DEPTH) return 0;
  const entries: [string, unknown][] = Object.entries(value).slice(0, MAX_NAMED);
  run.spend(entries.length * schemas.length);
  return entries.reduce((sum, [name, member]) => {
    const members = schemas.flatMap((schema) =>
      listSchemas(schemaOf(schema, name, Array.isArray(value)), compiler),
    );
    if (members.length === 0) return sum;
    return sum + (Array.isArray(value) ? 0 : 1) + countNamed(members, member, compiler, run, depth + 1);
  }, 0);
}

function names({ schemas }: Refused, name: string | number): boolean {
  return schemas.some((schema) => schemaOf(schema, String(name), typeof name === 'number') !== undefined);
}

/** Undefined if the member is not named, or must not be there. */
function schemaOf(
  { properties, items, additionalProperties }: SchemaObject,
  name: string,
  isItem: boolean,
): unknown {
  const schema = isItem ? items : (ownMember(properties, name) ?? additionalProperties);
  const isForbidden = isRecord(schema) && isRecord(schema['not']) && Object.keys(schema['not']).length === 0;
  return isForbidden || schema === false ? undefined : schema === true ? {} : schema;
}

function listSchemas(schema: unknown, compiler: Compiler, depth = 0): SchemaObject[] {
  if (!isRecord(schema) || depth > 10) return [];
  const { $ref: reference, allOf, anyOf, oneOf } = schema;
  const target = typeof reference === 'string' ? compiler.resolve(reference) : undefined;
  const parts = [target, allOf, anyOf, oneOf].flat();
  return [schema, ...parts.flatMap((part) => listSchemas(part, compiler, depth + 1))];
}

function listTypes({ type }: SchemaObject): string[] {
  return type === undefined ? [] : [type].flat();
}

function listLiterals(schema: SchemaObject, [name]: (string | number)[]): unknown[] {
  const target = name === undefined ? schema : ownMember(schema.properties, String(name));
  if (!isRecord(target)) return [];
  return Array.isArray(target['enum'])
    ? target['enum']
    : target['const'] === undefined
      ? []
      : [target['const']];
}
