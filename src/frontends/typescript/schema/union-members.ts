import { ts } from 'ts-morph';
import type { Place, Reading } from './form.ts';
import { TypeTooLarge } from './limits.ts';
import { compareTypes } from './declared-order.ts';
import { orderOf } from './written-order.ts';

/** A member of a union, and its type node if known. */
export interface UnionMember {
  type: ts.Type;
  node?: ts.TypeNode | undefined;
}

/** The checker's record of a union that was composed of named ones. */
interface WithOrigin {
  origin?: ts.Type;
}

/**
 * Lists the members of a union in the written order, while the checker sorts them by first use. A named union within
 * another stays one member, and so does an enum.
 */
export function unionMembers(type: ts.UnionType, place: Place, reading: Reading): UnionMember[] {
  if (type.types.length > reading.limits.members) throw new TypeTooLarge('members');
  const written = unionNodes(place.node ?? aliasNode(type), reading.checker);
  const types = wholeEnums(namedParts(type), reading.checker);
  const order = new Map(written.map(({ type }, index) => [type, index]));
  const found = types.map((each) => ({ type: each, node: written[order.get(each) ?? -1]?.node }));
  const rank = ({ type }: UnionMember): number => order.get(type) ?? written.length;
  const { checker } = reading;
  const inOrder = found.sort((a, b) => rank(a) - rank(b) || compareTypes(a.type, b.type, checker));
  return inOrder.some((each) => rank(each) === written.length)
    ? sortLiterals(inOrder, place.node ?? aliasNode(type), reading.checker)
    : inOrder;
}

/** Computed literals (`Exclude`) are sorted by their written place; other members stay in place. */
function sortLiterals(
  members: UnionMember[],
  node: ts.TypeNode | undefined,
  checker: ts.TypeChecker,
): UnionMember[] {
  const { compare } = orderOf(node, checker);
  const isValue = ({ type }: UnionMember): boolean => type.isStringLiteral() || type.isNumberLiteral();
  const readLiteralValue = ({ type }: UnionMember): string | number =>
    type.isStringLiteral() || type.isNumberLiteral() ? type.value : 0;
  const sorted = members.filter(isValue).sort((a, b) => compare(readLiteralValue(a), readLiteralValue(b)));
  return members.map((member) => (isValue(member) ? (sorted.shift() ?? member) : member));
}

function namedParts(type: ts.UnionType): ts.Type[] {
  const { origin } = type as ts.UnionType & WithOrigin;
  if (origin?.isUnion() !== true) return type.types;
  return origin.types.flatMap((part) =>
    part.isUnion() && part.aliasSymbol === undefined && !(part.flags & ts.TypeFlags.EnumLike)
      ? namedParts(part)
      : [part],
  );
}

/** Replaces all members of an enum by the enum. */
function wholeEnums(types: readonly ts.Type[], checker: ts.TypeChecker): ts.Type[] {
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

function aliasNode(type: ts.Type): ts.TypeNode | undefined {
  const [declaration] = type.aliasSymbol?.declarations ?? [];
  return declaration !== undefined && ts.isTypeAliasDeclaration(declaration) ? declaration.type : undefined;
}

interface Written {
  type: ts.Type;
  node: ts.TypeNode;
}

function unionNodes(node: ts.TypeNode | undefined, checker: ts.TypeChecker): Written[] {
  if (node === undefined) return [];
  if (ts.isParenthesizedTypeNode(node)) return unionNodes(node.type, checker);
  if (!ts.isUnionTypeNode(node)) return writtenAs(node, checker);
  return node.types.flatMap((part) => unionNodes(part, checker));
}

/** A name of a union that is not a member itself stands for its members. */
function writtenAs(node: ts.TypeNode, checker: ts.TypeChecker): Written[] {
  const type = checker.getTypeFromTypeNode(node);
  const own: Written = { type, node };
  if (!type.isUnion()) return [own];
  const inner = aliasNode(type);
  const parts = inner === undefined || inner === node ? [] : unionNodes(inner, checker);
  const values = type.flags & ts.TypeFlags.Boolean ? type.types.map((part) => ({ type: part, node })) : [];
  return [own, ...parts, ...values];
}
