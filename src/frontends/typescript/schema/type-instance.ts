import { ts } from 'ts-morph';
import { madeWith } from './substitute.ts';

/** Finds the alias, interface, class or enum of a type or of its instance; undefined for a type without a name. */
export function ownSymbol(type: ts.Type, checker: ts.TypeChecker): ts.Symbol | undefined {
  if (type.aliasSymbol !== undefined) return type.aliasSymbol;
  const symbol = type.getSymbol();
  if (symbol === undefined) return undefined;
  const alias = choosingAlias(symbol);
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
function choosingAlias({ flags, declarations }: ts.Symbol): ts.TypeAliasDeclaration | undefined {
  if (!(flags & ts.SymbolFlags.TypeLiteral)) return undefined;
  let node: ts.Node | undefined = declarations?.[0]?.parent;
  const isChosen = node !== undefined && ts.isConditionalTypeNode(node);
  while (node !== undefined && (ts.isConditionalTypeNode(node) || ts.isParenthesizedTypeNode(node)))
    node = node.parent;
  return isChosen && node !== undefined && ts.isTypeAliasDeclaration(node) ? node : undefined;
}

/** Excludes a class's own `this` and the parameters of enclosing declarations. */
export function argumentsOf(type: ts.Type, symbol: ts.Symbol, checker: ts.TypeChecker): readonly ts.Type[] {
  if (symbol === type.aliasSymbol) return type.aliasTypeArguments ?? [];
  const alias = symbol.flags & ts.SymbolFlags.TypeAlias ? symbol.declarations?.[0] : undefined;
  if (alias !== undefined && ts.isTypeAliasDeclaration(alias))
    return (alias.typeParameters ?? []).map((parameter) =>
      madeWith(checker.getTypeAtLocation(parameter), type, checker),
    );
  const { target } = type as ts.TypeReference;
  if (!((type as ts.ObjectType).objectFlags & ts.ObjectFlags.Reference)) return [];
  const count = target.localTypeParameters?.length ?? 0;
  const outer = target.outerTypeParameters?.length ?? 0;
  return checker.getTypeArguments(type as ts.TypeReference).slice(outer, outer + count);
}
