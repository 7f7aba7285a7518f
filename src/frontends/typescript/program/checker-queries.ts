/** Questions about types, symbols and nodes that several readers have. */
import { ts } from 'ts-morph';

export function unionMembers(type: ts.Type): readonly ts.Type[] {
  return type.isUnion() ? type.types : [type];
}

/** Bigint literals have a form of their own. */
export function valueOfLiteralType(type: ts.Type): string | number | undefined {
  return type.isStringLiteral() || type.isNumberLiteral() ? type.value : undefined;
}

/** Follows imports and exports to the declared symbol. */
export function resolveAlias(symbol: ts.Symbol, checker: ts.TypeChecker): ts.Symbol {
  return symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
}

export function hasMatchingDescendant(node: ts.Node, test: (node: ts.Node) => boolean): boolean {
  return (
    test(node) || ts.forEachChild(node, (child) => hasMatchingDescendant(child, test) || undefined) === true
  );
}

/** The expression within parentheses, `as` and `satisfies`. */
export function unwrapExpression(node: ts.Expression): ts.Expression {
  const isWrapped =
    ts.isParenthesizedExpression(node) || ts.isAsExpression(node) || ts.isSatisfiesExpression(node);
  return isWrapped ? unwrapExpression(node.expression) : node;
}
