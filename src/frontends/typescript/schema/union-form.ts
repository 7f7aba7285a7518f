import { ts } from 'ts-morph';

import type {
  Codec,
  JsonSchemaObject,
  JsonType,
} from '../../../../templates/runtime/contract/json-schema.ts';
import { valueOfLiteralType } from '../program/checker-queries.ts';
import { originOf } from '../program/compiler-internals.ts';
import { addNull, unionSchemas } from './combine.ts';
import { findJsonTypes } from './documented.ts';
import {
  type FormFault,
  type Form,
  type NoForm,
  type Place,
  type Reading,
  TypeTooLarge,
  hasForm,
  reportMemberLeftOut,
} from './form.ts';
import { formOfAnything, makeEnumSchema } from './primitive-form.ts';
import { compareTypes, makeWrittenOrder } from './type-order.ts';
import {
  type Branch,
  type UnionTag,
  type Parts,
  findDiscriminator,
  isObjectBranch,
  isRequired,
  makeUnionCodec,
} from './union-codec.ts';

/** Values become an `enum`, objects with a discriminator a `oneOf`, everything else an `anyOf`. */
export function unionForm(type: ts.UnionType, place: Place, reading: Reading): Form | NoForm {
  const { parts, faults } = classifyMembers(listWrittenMembers(type, place, reading), place, reading);
  const isEmpty = parts.branches.length === 0 && parts.literals.length === 0;
  const hasValue = !isEmpty || parts.hasNull;
  if (faults.length > 0 && isEmpty) return { faults };
  if (faults.length > 0) reportMemberLeftOut({ faults }, place, reading);
  const optional = parts.isOptional ? { optional: true } : {};
  // A result may still be that alternative.
  const isOpen = reading.direction === 'output' && !faults.every((fault) => isDroppedByJson(fault, place));
  if (isOpen) return { ...makeOpenForm(parts, reading), ...optional };
  if (!hasValue) return { schema: { type: 'null' }, optional: true };
  const discriminator = findOwnDiscriminator(parts, reading);
  const schema = makeUnionSchema(parts, discriminator);
  return { schema, codec: makeCodec(parts, discriminator, reading), ...optional };
}

/** Known alternatives are written by their types, other values by their class. */
function makeOpenForm(parts: Parts, reading: Reading): Form {
  const isKnown = parts.branches.some(({ form }) => form.codec !== undefined);
  if (!isKnown) return formOfAnything();
  const { branches } = makeUnionCodec(parts, findOwnDiscriminator(parts, reading), reading);
  // A value that does not match its type exactly is still written by it.
  for (const branch of branches) delete branch.accepts;
  return { schema: {}, codec: { kind: 'union', branches: [...branches, { codec: { kind: 'any' } }] } };
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
      if (type === booleans[0]?.type) parts.branches.push(booleanBranch(type));
    } else faults.push(...addBranch(parts, type, { ...place, node }, reading));
  }
  return { parts, faults };
}

function booleanBranch(type: ts.Type): Branch {
  return { type, form: { schema: { type: 'boolean' } }, types: new Set<JsonType>(['boolean']) };
}

function addBranch(parts: Parts, type: ts.Type, place: Place, reading: Reading): FormFault[] {
  const read = reading.read(type, { ...place, depth: place.depth + 1 });
  if (!hasForm(read)) return read.faults;
  parts.isOptional ||= read.optional === true;
  parts.branches.push({ type, form: read, types: findJsonTypes(type, reading) });
  return [];
}

function findOwnDiscriminator({ branches }: Parts, reading: Reading): UnionTag | undefined {
  return findDiscriminator(
    branches.filter(isObjectBranch).map(({ type }) => type),
    reading,
  );
}

function makeUnionSchema(parts: Parts, discriminator: UnionTag | undefined): JsonSchemaObject {
  const { branches, literals, hasNull } = parts;
  const objects = branches.filter(isObjectBranch);
  const isTold = discriminator !== undefined && isRequired(discriminator);
  const otherBranches = branches.filter((branch) => !isTold || !isObjectBranch(branch));
  const tagged: JsonSchemaObject[] = isTold ? [{ oneOf: objects.map(({ form }) => form.schema) }] : [];
  const values = literals.length === 0 ? [] : [makeEnumSchema(literals)];
  const whole = unionSchemas([...values, ...tagged, ...otherBranches.map(({ form }) => form.schema)]);
  if (!hasNull) return whole;
  return branches.length + literals.length === 0 ? { type: 'null' } : addNull(whole);
}

function makeCodec(parts: Parts, discriminator: UnionTag | undefined, reading: Reading): Codec | undefined {
  const { branches, literals } = parts;
  if (branches.every(({ form }) => form.codec === undefined)) return undefined;
  const [only, ...rest] = branches;
  // Codecs leave null unchanged.
  if (only !== undefined && rest.length === 0 && literals.length === 0) return only.form.codec;
  return makeUnionCodec(parts, discriminator, reading);
}

interface UnionMember {
  type: ts.Type;
  node?: ts.TypeNode | undefined;
}

/**
 * The checker sorts members by first use; here they keep the written order. A named union within another stays one
 * member, and so does an enum.
 */
function listWrittenMembers(type: ts.UnionType, place: Place, reading: Reading): UnionMember[] {
  if (type.types.length > reading.limits.members) throw new TypeTooLarge('members');
  const nodes = listUnionNodes(place.node ?? typeNodeOfAlias(type), reading.checker);
  const types = joinWholeEnums(listNamedParts(type), reading.checker);
  const order = new Map(nodes.map(({ type }, index) => [type, index]));
  const members = types.map((type) => ({ type, node: nodes[order.get(type) ?? -1]?.node }));
  const rankMember = ({ type }: UnionMember): number => order.get(type) ?? nodes.length;
  const { checker } = reading;
  const inOrder = members.sort(
    (a, b) => rankMember(a) - rankMember(b) || compareTypes(a.type, b.type, checker),
  );
  return inOrder.some((each) => rankMember(each) === nodes.length)
    ? sortLiterals(inOrder, place.node ?? typeNodeOfAlias(type), reading.checker)
    : inOrder;
}

/** Computed literals (`Exclude`) are sorted by their written place; other members stay in place. */
function sortLiterals(
  members: UnionMember[],
  node: ts.TypeNode | undefined,
  checker: ts.TypeChecker,
): UnionMember[] {
  const { compare } = makeWrittenOrder(node, checker);
  const isLiteralMember = ({ type }: UnionMember): boolean => valueOfLiteralType(type) !== undefined;
  const sorted = members
    .filter(isLiteralMember)
    .sort((a, b) => compare(valueOfLiteralType(a.type) ?? 0, valueOfLiteralType(b.type) ?? 0));
  return members.map((member) => (isLiteralMember(member) ? (sorted.shift() ?? member) : member));
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
    const parent = findEnum(type, checker);
    const isWhole = parent?.isUnion() === true && parent.types.every((member) => types.includes(member));
    if (!isWhole) kept.push(type);
    else if (!whole.has(parent)) {
      whole.add(parent);
      kept.push(parent);
    }
  }
  return kept;
}

function findEnum(type: ts.Type, checker: ts.TypeChecker): ts.Type | undefined {
  if (!(type.flags & ts.TypeFlags.EnumLiteral) || type.isUnion()) return undefined;
  const member = type.getSymbol()?.valueDeclaration;
  return member !== undefined && ts.isEnumMember(member)
    ? checker.getTypeAtLocation(member.parent)
    : undefined;
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
