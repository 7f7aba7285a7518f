import { ts } from 'ts-morph';

import type { Codec, CodecBranch, UnionCodec } from '../../../model/codec.ts';
import type { JsonSchemaObject, JsonType } from '../../../util/json-schema.ts';
import { omitUndefined } from '../../../util/collections.ts';
import { valueOfLiteralType, unionMembers } from '../program/checker-queries.ts';
import { originOf } from '../program/compiler-internals.ts';
import { addNull, unionSchemas } from './combine.ts';
import {
  type FormFault,
  type Form,
  type NoForm,
  type Place,
  type Reading,
  LIMITS,
  TypeTooLarge,
  hasForm,
  reportMemberLeftOut,
  type NotedUnion,
} from './form.ts';
import { libraryType } from './library-types.ts';
import { hasDefault, isBrand, isPublicMember, isSymbolName, mayBeAbsent } from './object-form.ts';
import { formOfAnything, makeEnumSchema } from './primitive-form.ts';

/** Values become an `enum`, objects with a discriminator a `oneOf`, everything else an `anyOf`. */
export function unionForm(type: ts.UnionType, place: Place, reading: Reading): Form | NoForm {
  const { parts, faults } = classifyMembers(listWrittenMembers(type, place, reading), place, reading);
  const isEmpty = parts.branches.length === 0 && parts.literals.length === 0;
  const hasValue = !isEmpty || parts.hasNull;
  if (faults.length > 0 && isEmpty) return { faults };
  if (faults.length > 0) reportMemberLeftOut({ faults }, place, reading);
  const optional = parts.isOptional ? { optional: true } : {};
  const objects = parts.branches.filter(isObjectBranch);
  const discriminator = findDiscriminator(
    objects.map(({ type }) => type),
    reading,
  );
  // A result may still be that alternative.
  if (reading.direction === 'output' && !faults.every((fault) => isDroppedByJson(fault, place))) {
    // Known alternatives are written by their types, other values by their class.
    if (parts.branches.every(({ form }) => form.codec === undefined))
      return { ...formOfAnything(), ...optional };
    const { branches } = makeUnionCodec(parts, discriminator, reading);
    // A value that does not match its type exactly is still written by it.
    for (const branch of branches) delete branch.accepts;
    const codec: Codec = { kind: 'union', branches: [...branches, { codec: { kind: 'any' } }] };
    return { schema: {}, codec, ...optional };
  }
  if (!hasValue) return { schema: { type: 'null' }, optional: true };
  const schema = makeUnionSchema(parts, discriminator);
  const [only, ...others] = parts.branches;
  if (parts.branches.every(({ form }) => form.codec === undefined)) return { schema, ...optional };
  // Codecs leave null unchanged.
  const isOne = only !== undefined && others.length === 0 && parts.literals.length === 0;
  const codec = isOne ? only.form.codec : makeUnionCodec(parts, discriminator, reading);
  return { schema, codec, ...optional };
}

/** Whether JSON drops the alternative: a function or symbol. An object that contains one still becomes an object. */
function isDroppedByJson({ problem, place: { path } }: FormFault, place: Place): boolean {
  if (path !== place.path) return false;
  return problem.name === 'type-without-json' && /^(?:a function|a symbol|`never`)$/.test(problem.what);
}

function classifyMembers(
  members: readonly UnionMember[],
  place: Place,
  reading: Reading,
): { parts: Parts; faults: FormFault[] } {
  const parts: Parts = { literals: [], branches: [], hasNull: false, isOptional: false };
  const faults: FormFault[] = [];
  const booleans = members.filter(({ type }) => type.flags & ts.TypeFlags.BooleanLiteral);
  for (const { type, node } of members) {
    const literal = valueOfLiteralType(type);
    if (literal !== undefined) parts.literals.push(literal);
    else if (type.flags & ts.TypeFlags.Null) parts.hasNull = true;
    else if (type.flags & (ts.TypeFlags.Undefined | ts.TypeFlags.Void)) parts.isOptional = true;
    else if (type.flags & ts.TypeFlags.BooleanLiteral && booleans.length < 2)
      parts.literals.push(reading.checker.typeToString(type) === 'true');
    else if (type.flags & ts.TypeFlags.BooleanLiteral) {
      const form: Form = { schema: { type: 'boolean' } };
      if (type === booleans[0]?.type)
        parts.branches.push({ type, form, types: new Set(['boolean'] as const) });
    } else {
      const read = reading.read(type, { ...place, node, depth: place.depth + 1 });
      if (!hasForm(read)) faults.push(...read.faults);
      else {
        parts.isOptional ||= read.optional === true;
        parts.branches.push({ type, form: read, types: reading.jsonTypesOf(read.schema) });
      }
    }
  }
  return { parts, faults };
}

function makeUnionSchema(parts: Parts, discriminator: UnionTag | undefined): JsonSchemaObject {
  const { branches, literals, hasNull } = parts;
  const objects = branches.filter(isObjectBranch);
  const otherBranches = branches.filter((branch) => discriminator === undefined || !isObjectBranch(branch));
  const tagged: JsonSchemaObject[] =
    discriminator !== undefined ? [{ oneOf: objects.map(({ form }) => form.schema) }] : [];
  const values = literals.length === 0 ? [] : [makeEnumSchema(literals)];
  const whole = unionSchemas([...values, ...tagged, ...otherBranches.map(({ form }) => form.schema)]);
  if (!hasNull) return whole;
  return branches.length + literals.length === 0 ? { type: 'null' } : addNull(whole);
}

interface UnionMember {
  type: ts.Type;
  node?: ts.TypeNode | undefined;
}

/** The checker sorts members by first use; here those that are written keep their order. A named union within another, or an enum, stays one member. */
function listWrittenMembers(type: ts.UnionType, place: Place, reading: Reading): UnionMember[] {
  if (type.types.length > LIMITS.members.most) throw new TypeTooLarge('members');
  const nodes = listUnionNodes(place.node ?? typeNodeOfAlias(type), reading.checker);
  const types = joinWholeEnums(listNamedParts(type), reading.checker);
  const order = new Map(nodes.map(({ type }, index) => [type, index]));
  const members = types.map((type) => ({ type, node: nodes[order.get(type) ?? -1]?.node }));
  const rankMember = ({ type }: UnionMember): number => order.get(type) ?? nodes.length;
  return members.sort((a, b) => rankMember(a) - rankMember(b));
}

function listNamedParts(type: ts.UnionType): ts.Type[] {
  const origin = originOf(type);
  if (origin?.isUnion() !== true) return type.types;
  return origin.types.flatMap((part) =>
    part.isUnion() && part.aliasSymbol === undefined && !(part.flags & ts.TypeFlags.EnumLike)
      ? listNamedParts(part)
      : [part],
  );
}

function joinWholeEnums(types: readonly ts.Type[], checker: ts.TypeChecker): ts.Type[] {
  const whole = new Set<ts.Type>();
  const kept: ts.Type[] = [];
  for (const type of types) {
    const member = type.isUnion() ? undefined : type.getSymbol()?.valueDeclaration;
    const parent = member && ts.isEnumMember(member) ? checker.getTypeAtLocation(member.parent) : undefined;
    const isWhole = parent?.isUnion() === true && parent.types.every((member) => types.includes(member));
    if (!isWhole) kept.push(type);
    else if (!whole.has(parent)) {
      whole.add(parent);
      kept.push(parent);
    }
  }
  return kept;
}

function typeNodeOfAlias(type: ts.Type): ts.TypeNode | undefined {
  const [declaration] = type.aliasSymbol?.declarations ?? [];
  return declaration !== undefined && ts.isTypeAliasDeclaration(declaration) ? declaration.type : undefined;
}

interface Written {
  type: ts.Type;
  node: ts.TypeNode;
}

function listUnionNodes(node: ts.TypeNode | undefined, checker: ts.TypeChecker): Written[] {
  if (node === undefined) return [];
  if (ts.isParenthesizedTypeNode(node)) return listUnionNodes(node.type, checker);
  if (!ts.isUnionTypeNode(node)) return membersOfNode(node, checker);
  return node.types.flatMap((part) => listUnionNodes(part, checker));
}

/** A name contributes its own type, or the members of the union that it names. */
function membersOfNode(node: ts.TypeNode, checker: ts.TypeChecker): Written[] {
  const type = checker.getTypeFromTypeNode(node);
  const entry: Written = { type, node };
  if (!type.isUnion()) return [entry];
  const inner = typeNodeOfAlias(type);
  const parts = inner === undefined || inner === node ? [] : listUnionNodes(inner, checker);
  const values = type.flags & ts.TypeFlags.Boolean ? type.types.map((part) => ({ type: part, node })) : [];
  return [entry, ...parts, ...values];
}

interface Branch {
  type: ts.Type;
  form: Form;
  types: ReadonlySet<JsonType>;
}

export interface Parts {
  literals: (string | number | boolean)[];
  branches: Branch[];
  hasNull: boolean;
  isOptional: boolean;
}

function isObjectBranch({ types }: Branch): boolean {
  return types.size === 1 && types.has('object');
}

function makeUnionCodec(
  { branches, literals }: Parts,
  discriminator: UnionTag | undefined,
  reading: Reading,
): UnionCodec {
  const union: NotedUnion = { alternatives: [], definitions: {} };
  const objects = branches.filter(isObjectBranch);
  const accepts = (schema: JsonSchemaObject): JsonSchemaObject => {
    const copy = {};
    union.alternatives.push({ schema, copy });
    return copy;
  };
  const tests = branches.map((branch): CodecBranch => {
    const { type, form, types } = branch;
    const { schema, codec } = form;
    const values = discriminator?.values[objects.indexOf(branch)];
    const tag = discriminator && values && { name: discriminator.name, values };
    const required = isObjectBranch(branch) ? listRequired(type, reading) : undefined;
    // Members hidden by other alternatives are hidden here too, unless this type has them.
    const without: string[] = [];
    reading.postponedWork.push(() => {
      const parts = objects.flatMap((object) => unionMembers(object.type));
      const hidden = new Set(parts.flatMap((part) => reading.inside.get(part) ?? []));
      without.push(
        ...[...hidden].filter((name) => unionMembers(type).every((part) => !part.getProperty(name))),
      );
    });
    return {
      ...(types.size === 0 ? {} : { types: [...types] }),
      ...(required && { required, without }),
      accepts: accepts(schema),
      ...omitUndefined({ tag, codec }),
    };
  });
  reading.notes.unions.push(union);
  const literalTypes = [...new Set(literals.map((value) => typeof value as JsonType))];
  const ofLiterals = { types: literalTypes, accepts: accepts(makeEnumSchema(literals)) };
  return {
    kind: 'union',
    branches: [...(literals.length === 0 ? [] : [ofLiterals]), ...tests],
    schemas: union.definitions,
  };
}

/** Members of a Map's class are not in its JSON form. */
function listRequired(type: ts.Type, reading: Reading): string[] {
  if (libraryType(type, reading.program)?.as === 'map') return [];
  return reading.checker
    .getPropertiesOfType(type)
    .filter((member) => !(member.flags & ts.SymbolFlags.Method) && !isBrand(member, type))
    .filter((member) => isPublicMember(member) && !isSymbolName(member.name))
    .filter((member) => !mayBeAbsent(member, reading.checker) && !hasDefault(member, reading))
    .map(({ name }) => name);
}

type TagValue = string | number | boolean | null;

/** A member that tells the objects of a union apart. */
interface UnionTag {
  name: string;
  values: TagValue[][];
}

/** Finds a member that all objects require, whose literal values tell them apart. */
function findDiscriminator(
  objects: readonly ts.Type[],
  { checker }: Pick<Reading, 'checker'>,
): UnionTag | undefined {
  const [first] = objects;
  if (first === undefined || objects.length < 2) return undefined;
  for (const member of checker.getPropertiesOfType(first)) {
    if (isBrand(member, first)) continue;
    const { name } = member;
    const values = objects.map((object) => listTagValues(object, name, checker));
    const definedValues = values.filter((value) => value !== undefined);
    if (
      definedValues.length < values.length ||
      new Set(definedValues.flat()).size !== definedValues.flat().length
    )
      continue;
    return { name, values: definedValues };
  }
  return undefined;
}

function listTagValues(object: ts.Type, name: string, checker: ts.TypeChecker): TagValue[] | undefined {
  const member = checker.getPropertyOfType(object, name);
  if (member === undefined || mayBeAbsent(member, checker)) return undefined;
  const values = unionMembers(checker.getTypeOfSymbol(member)).map((type): TagValue | undefined => {
    if (type.flags & ts.TypeFlags.Null) return null;
    const isBoolean = type.flags & ts.TypeFlags.BooleanLiteral;
    return isBoolean ? checker.typeToString(type) === 'true' : valueOfLiteralType(type);
  });
  const definedValues = values.filter((value) => value !== undefined);
  return definedValues.length === values.length ? definedValues : undefined;
}
