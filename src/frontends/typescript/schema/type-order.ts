/**
 * The checker's order depends on what it met first, anywhere in the program, so another file could change the output.
 */
import { ts } from 'ts-morph';

import { valueOfLiteralType, resolveAlias } from '../program/checker-queries.ts';
import { argumentForParameter } from './open-type.ts';

/** Depth to which arguments of two instances are compared. */
const deepest = 4;

/** Primitives come first, then literals by value, then declared types by place. */
export function sortByDeclaration<T extends ts.Type>(types: readonly T[], checker: ts.TypeChecker): T[] {
  return types.toSorted((a, b) => compareTypes(a, b, checker));
}

export function compareTypes(a: ts.Type, b: ts.Type, checker: ts.TypeChecker, depth = 0): number {
  if (a === b) return 0;
  const [first, second] = [rankOfKind(a), rankOfKind(b)];
  if (first !== second) return first - second;
  if (first === kinds.indexOf('literal')) return compareLiteralValues(readValue(a), readValue(b));
  if (first === kinds.indexOf('template'))
    return compareLiteralValues(checker.typeToString(a), checker.typeToString(b));
  return (
    compareDeclarations(findFirstDeclaration(a, checker), findFirstDeclaration(b, checker)) ||
    compareArguments(a, b, checker, depth + 1)
  );
}

const kinds = ['primitive', 'literal', 'template', 'declared'] as const;

function rankOfKind(type: ts.Type): number {
  return kinds.indexOf(nameOfKind(type));
}

function nameOfKind(type: ts.Type): (typeof kinds)[number] {
  if (type.isLiteral()) return 'literal';
  if (type.flags & (ts.TypeFlags.TemplateLiteral | ts.TypeFlags.StringMapping)) return 'template';
  const isOther =
    type.flags & (ts.TypeFlags.StructuredType | ts.TypeFlags.Instantiable | ts.TypeFlags.EnumLike);
  return isOther ? 'declared' : 'primitive';
}

function readValue(type: ts.Type): string | number | bigint {
  if (!type.isLiteral()) return '';
  const { value } = type;
  return typeof value === 'object' ? BigInt(`${value.negative ? '-' : ''}${value.base10Value}`) : value;
}

function findFirstDeclaration(type: ts.Type, checker: ts.TypeChecker): ts.Declaration | undefined {
  return (findDeclaringSymbol(type, checker) ?? type.getSymbol())?.declarations?.[0];
}

/** A library's path differs between machines, so its types sort by name, behind the user's own. */
function compareDeclarations(a: ts.Declaration | undefined, b: ts.Declaration | undefined): number {
  if (a === undefined || b === undefined) return Number(a === undefined) - Number(b === undefined);
  const [first, second] = [a.getSourceFile(), b.getSourceFile()];
  if (first.isDeclarationFile !== second.isDeclarationFile) return first.isDeclarationFile ? 1 : -1;
  const byName = first.isDeclarationFile ? compareLiteralValues(declaredText(a), declaredText(b)) : 0;
  return byName || compareLiteralValues(first.fileName, second.fileName) || a.pos - b.pos;
}

function declaredText(declaration: ts.Declaration): string {
  return ts.getNameOfDeclaration(declaration)?.getText() ?? '';
}

function compareArguments(a: ts.Type, b: ts.Type, checker: ts.TypeChecker, depth: number): number {
  if (depth > deepest) return 0;
  const [some, otherTypes] = [listComponentTypes(a, checker), listComponentTypes(b, checker)];
  for (const [index, part] of some.entries()) {
    const other = otherTypes[index];
    if (other === undefined) return 1;
    const difference = compareTypes(part, other, checker, depth);
    if (difference !== 0) return difference;
  }
  return some.length - otherTypes.length;
}

function listComponentTypes(type: ts.Type, checker: ts.TypeChecker): readonly ts.Type[] {
  const symbol = findDeclaringSymbol(type, checker);
  if (symbol !== undefined) return listTypeArguments(type, symbol, checker);
  if (type.isUnion()) return sortByDeclaration(type.types, checker);
  if (type.isIntersection()) return type.types;
  return checker.isTupleType(type) ? checker.getTypeArguments(type as ts.TypeReference) : [];
}

type Value = string | number;

/** Limit of nodes to visit, since aliases can lead far. */
const nodesLeft = 1_000;

interface WrittenOrder {
  /** Values written within the node come first, in their order; then numbers, then texts. */
  compare: (a: Value, b: Value) => number;
  isKnown: (value: Value) => boolean;
}

/** Literal values keep the order in which a node, its aliases and enums write them. */
export function makeWrittenOrder(node: ts.TypeNode | undefined, checker: ts.TypeChecker): WrittenOrder {
  let orderByValue: Map<Value, number> | undefined;
  // Most unions have at most one literal and need no order.
  const getOrder = (): Map<Value, number> => (orderByValue ??= mapWrittenOrder(node, checker));
  const rankValue = (value: Value): number => getOrder().get(value) ?? getOrder().size;
  return {
    compare: (a, b) => rankValue(a) - rankValue(b) || compareLiteralValues(a, b),
    isKnown: (value) => getOrder().has(value),
  };
}

function mapWrittenOrder(node: ts.TypeNode | undefined, checker: ts.TypeChecker): Map<Value, number> {
  const orderByValue = new Map<Value, number>();
  if (node !== undefined) collectWrittenOrder(node, checker, orderByValue, { count: 0 });
  return orderByValue;
}

function compareLiteralValues(a: Value | bigint, b: Value | bigint): number {
  const kinds = ['number', 'string', 'bigint'];
  if (typeof a !== typeof b) return kinds.indexOf(typeof a) - kinds.indexOf(typeof b);
  return a < b ? -1 : a > b ? 1 : 0;
}

function collectWrittenOrder(
  node: ts.Node,
  checker: ts.TypeChecker,
  orderByValue: Map<Value, number>,
  seen: { count: number },
): void {
  seen.count += 1;
  if (seen.count > nodesLeft) return;
  const addValue = (value: Value): void => {
    if (!orderByValue.has(value)) orderByValue.set(value, orderByValue.size);
  };
  if (ts.isLiteralTypeNode(node) || ts.isTypeQueryNode(node) || ts.isTypeOperatorNode(node))
    addTypeValues(checker.getTypeAtLocation(node), node, checker, addValue);
  const inner = ts.isTypeReferenceNode(node) ? findAliasNode(node, checker, addValue) : undefined;
  if (inner !== undefined) collectWrittenOrder(inner, checker, orderByValue, seen);
  ts.forEachChild(node, (child) => {
    collectWrittenOrder(child, checker, orderByValue, seen);
  });
}

function addTypeValues(
  type: ts.Type,
  node: ts.Node,
  checker: ts.TypeChecker,
  add: (value: Value) => void,
): void {
  const literal = valueOfLiteralType(type);
  if (literal !== undefined) add(literal);
  const holder = ts.isTypeOperatorNode(node) ? checker.getTypeFromTypeNode(node.type) : type;
  if (ts.isLiteralTypeNode(node)) return;
  for (const member of holder.getProperties()) {
    add(member.name);
    if (!ts.isTypeQueryNode(node)) continue;
    const value = valueOfLiteralType(checker.getTypeOfSymbol(member));
    if (value !== undefined) add(value);
  }
}

function findAliasNode(
  node: ts.TypeReferenceNode,
  checker: ts.TypeChecker,
  add: (value: Value) => void,
): ts.TypeNode | undefined {
  const symbol = checker.getSymbolAtLocation(node.typeName);
  const target = symbol && resolveAlias(symbol, checker);
  for (const declaration of target?.declarations ?? []) {
    if (ts.isEnumDeclaration(declaration)) {
      for (const member of declaration.members) {
        const value = checker.getConstantValue(member);
        if (value !== undefined) add(value);
      }
    }
    if (ts.isTypeAliasDeclaration(declaration) && !declaration.getSourceFile().isDeclarationFile)
      return declaration.type;
  }
  return undefined;
}

/** Returns the alias, interface, class or enum of a type or of its instance. */
export function findDeclaringSymbol(type: ts.Type, checker: ts.TypeChecker): ts.Symbol | undefined {
  if (type.aliasSymbol !== undefined) return type.aliasSymbol;
  const symbol = type.getSymbol();
  if (symbol === undefined) return undefined;
  const alias = findConditionalAlias(symbol);
  if (alias !== undefined) return checker.getSymbolAtLocation(alias.name);
  const { objectFlags } = type as ts.ObjectType;
  const isNamed =
    type.flags & ts.TypeFlags.Object &&
    objectFlags & (ts.ObjectFlags.ClassOrInterface | ts.ObjectFlags.Reference) &&
    symbol.flags & (ts.SymbolFlags.Interface | ts.SymbolFlags.Class);
  if (isNamed) return symbol;
  return symbol.flags & ts.SymbolFlags.Enum && type.flags & ts.TypeFlags.EnumLike ? symbol : undefined;
}

/** The checker does not keep the alias of an object that a conditional type chose. */
function findConditionalAlias({ flags, declarations }: ts.Symbol): ts.TypeAliasDeclaration | undefined {
  if (!(flags & ts.SymbolFlags.TypeLiteral)) return undefined;
  let node: ts.Node | undefined = declarations?.[0]?.parent;
  const isChosen = node !== undefined && ts.isConditionalTypeNode(node);
  while (node !== undefined && (ts.isConditionalTypeNode(node) || ts.isParenthesizedTypeNode(node)))
    node = node.parent;
  return isChosen && node !== undefined && ts.isTypeAliasDeclaration(node) ? node : undefined;
}

/** Excludes a class's own `this` and the parameters of enclosing declarations. */
export function listTypeArguments(
  type: ts.Type,
  symbol: ts.Symbol,
  checker: ts.TypeChecker,
): readonly ts.Type[] {
  if (symbol === type.aliasSymbol) return type.aliasTypeArguments ?? [];
  const alias = symbol.flags & ts.SymbolFlags.TypeAlias ? symbol.declarations?.[0] : undefined;
  if (alias !== undefined && ts.isTypeAliasDeclaration(alias))
    return (alias.typeParameters ?? []).map((parameter) =>
      argumentForParameter(checker.getTypeAtLocation(parameter), type, checker),
    );
  const { target } = type as ts.TypeReference;
  if (!((type as ts.ObjectType).objectFlags & ts.ObjectFlags.Reference)) return [];
  const count = target.localTypeParameters?.length ?? 0;
  const outer = target.outerTypeParameters?.length ?? 0;
  return checker.getTypeArguments(type as ts.TypeReference).slice(outer, outer + count);
}
