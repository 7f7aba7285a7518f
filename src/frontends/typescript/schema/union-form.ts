import { ts } from 'ts-morph';
import type { Codec } from '../../../../templates/runtime/contract/codec.ts';
import type { JsonSchemaObject, JsonType } from '../../../../templates/runtime/contract/json-schema.ts';
import { addNull, anyOf } from './combine.ts';
import { type Discriminator, findDiscriminator, isRequired } from './discriminator.ts';
import { valuesSchema } from './enum-form.ts';
import { type Fault, type Form, hasForm, type NoForm, type Place, type Reading } from './form.ts';
import { jsonTypesOf } from './json-types.ts';
import { anything } from './primitive-form.ts';
import { leaveOut } from './report-fault.ts';
import { type Branch, isObjectBranch, type Parts, unionCodec } from './union-codec.ts';
import { unionMembers, type UnionMember } from './union-members.ts';

/** Values become an `enum`, objects with a discriminator a `oneOf`, everything else an `anyOf`. */
export function unionForm(type: ts.UnionType, place: Place, reading: Reading): Form | NoForm {
  const { parts, faults } = sort(unionMembers(type, place, reading), place, reading);
  const isEmpty = parts.branches.length === 0 && parts.literals.length === 0;
  const hasValue = !isEmpty || parts.hasNull;
  if (faults.length > 0 && isEmpty) return { faults };
  if (faults.length > 0) leaveOut({ faults }, place, reading);
  const optional = parts.isOptional ? { optional: true } : {};
  // A result may still be that alternative.
  const isOpen = reading.direction === 'output' && !faults.every((fault) => isNoValue(fault, place));
  if (isOpen) return { ...openForm(parts, place, reading), ...optional };
  if (!hasValue) return { schema: { type: 'null' }, optional: true };
  const discriminator = findOwnDiscriminator(parts, reading);
  const schema = makeSchema(parts, discriminator);
  return { schema, codec: makeCodec(parts, discriminator, place, reading), ...optional };
}

/** Known alternatives are written by their types, other values by their class. */
function openForm(parts: Parts, place: Place, reading: Reading): Form {
  const isKnown = parts.branches.some(({ form }) => form.codec !== undefined);
  if (!isKnown) return anything();
  const { branches } = unionCodec(parts, findOwnDiscriminator(parts, reading), place, reading);
  // A value that does not match its type exactly is still written by it.
  for (const branch of branches) delete branch.accepts;
  return { schema: {}, codec: { kind: 'union', branches: [...branches, { codec: { kind: 'any' } }] } };
}

/** JSON drops functions and symbols, but an object that contains some still becomes an object. */
function isNoValue({ problem, place: { path } }: Fault, place: Place): boolean {
  if (path !== place.path) return false;
  return problem.name === 'type-without-json' && /^(?:a function|a symbol|`never`)$/.test(problem.what);
}

/** A single literal. Bigint literals have a form of their own. */
function readLiteral(type: ts.Type): string | number | undefined {
  return type.isStringLiteral() || type.isNumberLiteral() ? type.value : undefined;
}

function sort(
  members: readonly UnionMember[],
  place: Place,
  reading: Reading,
): { parts: Parts; faults: Fault[] } {
  const parts: Parts = { literals: [], branches: [], hasNull: false, isOptional: false };
  const faults: Fault[] = [];
  const booleans = members.filter(({ type }) => type.flags & ts.TypeFlags.BooleanLiteral);
  for (const { type, node } of members) {
    const literal = readLiteral(type);
    if (literal !== undefined) parts.literals.push(literal);
    else if (type.flags & ts.TypeFlags.Null) parts.hasNull = true;
    else if (type.flags & (ts.TypeFlags.Undefined | ts.TypeFlags.Void)) parts.isOptional = true;
    else if (type.flags & ts.TypeFlags.BooleanLiteral && booleans.length < 2)
      parts.literals.push(reading.checker.typeToString(type) === 'true');
    else if (type.flags & ts.TypeFlags.BooleanLiteral) {
      if (type === booleans[0]?.type) parts.branches.push(boolean(type));
    } else faults.push(...addBranch(parts, type, { ...place, node }, reading));
  }
  return { parts, faults };
}

function boolean(type: ts.Type): Branch {
  return { type, form: { schema: { type: 'boolean' } }, types: new Set<JsonType>(['boolean']) };
}

function addBranch(parts: Parts, type: ts.Type, place: Place, reading: Reading): Fault[] {
  const read = reading.read(type, { ...place, depth: place.depth + 1 });
  if (!hasForm(read)) return read.faults;
  parts.isOptional ||= read.optional === true;
  parts.branches.push({ type, form: read, types: jsonTypesOf(type, reading) });
  return [];
}

function findOwnDiscriminator({ branches }: Parts, reading: Reading): Discriminator | undefined {
  return findDiscriminator(
    branches.filter(isObjectBranch).map(({ type }) => type),
    reading,
  );
}

function makeSchema(parts: Parts, discriminator: Discriminator | undefined): JsonSchemaObject {
  const { branches, literals, hasNull } = parts;
  const objects = branches.filter(isObjectBranch);
  const isTold = discriminator !== undefined && isRequired(discriminator);
  const others = branches.filter((branch) => !isTold || !isObjectBranch(branch));
  const tagged: JsonSchemaObject[] = isTold ? [{ oneOf: objects.map(({ form }) => form.schema) }] : [];
  const values = literals.length === 0 ? [] : [valuesSchema(literals)];
  const whole = anyOf([...values, ...tagged, ...others.map(({ form }) => form.schema)]);
  if (!hasNull) return whole;
  return branches.length + literals.length === 0 ? { type: 'null' } : addNull(whole);
}

function makeCodec(
  parts: Parts,
  discriminator: Discriminator | undefined,
  place: Place,
  reading: Reading,
): Codec | undefined {
  const { branches, literals } = parts;
  if (branches.every(({ form }) => form.codec === undefined)) return undefined;
  const [only, ...rest] = branches;
  // Codecs leave null unchanged.
  if (only !== undefined && rest.length === 0 && literals.length === 0) return only.form.codec;
  return unionCodec(parts, discriminator, place, reading);
}
