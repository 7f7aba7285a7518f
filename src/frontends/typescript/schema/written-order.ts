/**
 * Orders values as they are written. The checker sorts alternatives by first use, anywhere in the program, so another
 * file could change the output.
 */
import { ts } from 'ts-morph';

type Value = string | number;

/** Limit of nodes to visit, since aliases can lead far. */
const most = 1_000;

export interface WrittenOrder {
  /** Values written within the node come first, in their order; then numbers, then texts. */
  compare: (a: Value, b: Value) => number;
  isKnown: (value: Value) => boolean;
}

/** Lists the literal values within a node, also in its aliases and enums. */
export function orderOf(node: ts.TypeNode | undefined, checker: ts.TypeChecker): WrittenOrder {
  let known: Map<Value, number> | undefined;
  // Most unions have at most one literal and need no order.
  const found = (): Map<Value, number> => (known ??= valuesIn(node, checker));
  const rank = (value: Value): number => found().get(value) ?? found().size;
  return {
    compare: (a, b) => rank(a) - rank(b) || compareValues(a, b),
    isKnown: (value) => found().has(value),
  };
}

function valuesIn(node: ts.TypeNode | undefined, checker: ts.TypeChecker): Map<Value, number> {
  const found = new Map<Value, number>();
  if (node !== undefined) collect(node, checker, found, { count: 0 });
  return found;
}

/** Numbers, then texts, then bigints. */
export function compareValues(a: Value | bigint, b: Value | bigint): number {
  const kinds = ['number', 'string', 'bigint'];
  if (typeof a !== typeof b) return kinds.indexOf(typeof a) - kinds.indexOf(typeof b);
  return a < b ? -1 : a > b ? 1 : 0;
}

function collect(
  node: ts.Node,
  checker: ts.TypeChecker,
  found: Map<Value, number>,
  seen: { count: number },
): void {
  seen.count += 1;
  if (seen.count > most) return;
  const add = (value: Value): void => {
    if (!found.has(value)) found.set(value, found.size);
  };
  if (ts.isLiteralTypeNode(node) || ts.isTypeQueryNode(node) || ts.isTypeOperatorNode(node))
    addType(checker.getTypeAtLocation(node), node, checker, add);
  const inner = ts.isTypeReferenceNode(node) ? findAliasNode(node, checker, add) : undefined;
  if (inner !== undefined) collect(inner, checker, found, seen);
  ts.forEachChild(node, (child) => {
    collect(child, checker, found, seen);
  });
}

/** Handles a literal, the names and values of a queried type, and the names of `keyof`. */
function addType(type: ts.Type, node: ts.Node, checker: ts.TypeChecker, add: (value: Value) => void): void {
  if (type.isStringLiteral() || type.isNumberLiteral()) add(type.value);
  const holder = ts.isTypeOperatorNode(node) ? checker.getTypeFromTypeNode(node.type) : type;
  if (ts.isLiteralTypeNode(node)) return;
  for (const member of holder.getProperties()) {
    add(member.name);
    if (!ts.isTypeQueryNode(node)) continue;
    const value = checker.getTypeOfSymbol(member);
    if (value.isStringLiteral() || value.isNumberLiteral()) add(value.value);
  }
}

/** Returns the type node of an alias; the values of an enum are added in order of declaration. */
function findAliasNode(
  node: ts.TypeReferenceNode,
  checker: ts.TypeChecker,
  add: (value: Value) => void,
): ts.TypeNode | undefined {
  const symbol = checker.getSymbolAtLocation(node.typeName);
  const target = symbol && symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
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
