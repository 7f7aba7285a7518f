/**
 * The checker forgets the alias of a primitive or a list (`type Port = number`), so the docs of such an alias are found by the
 * written type. A type has them if it names the alias directly or as the argument of a utility type.
 */
import { ts } from 'ts-morph';

import { type Docs, findSymbolDocs } from '../docs/read-docs.ts';
import { resolveAlias } from '../program/checker-queries.ts';
import { isOfStandardLibrary } from './library-types.ts';
import { findDeclaringSymbol } from './type-name.ts';

type Reference = ts.TypeReferenceNode | ts.ExpressionWithTypeArguments | ts.ImportTypeNode;

function isReference(node: ts.Node): node is Reference {
  return ts.isTypeReferenceNode(node) || ts.isExpressionWithTypeArguments(node) || ts.isImportTypeNode(node);
}

function findReferencedSymbol(node: Reference, checker: ts.TypeChecker): ts.Symbol | undefined {
  const name = ts.isTypeReferenceNode(node)
    ? node.typeName
    : ts.isImportTypeNode(node)
      ? node.qualifier
      : node.expression;
  const symbol = name && checker.getSymbolAtLocation(name);
  return symbol && resolveAlias(symbol, checker);
}

/** Utility types whose result may be their first argument. */
const TRANSPARENT: ReadonlySet<string> = new Set(
  'Partial Required Readonly Pick Omit NonNullable Exclude Extract Awaited NoInfer'.split(' '),
);

/** Lists the docs of the aliases that name the type, the outermost first. */
export function listAliasDocs(
  type: ts.Type,
  writtenType: ts.TypeNode | undefined,
  program: ts.Program,
): Docs[] {
  const checker = program.getTypeChecker();
  const declaringSymbol = findDeclaringSymbol(type);
  const docs: Docs[] = [];
  let node = writtenType;
  while (node !== undefined) {
    const symbol = isReference(node) ? findReferencedSymbol(node, checker) : undefined;
    const isOther = symbol !== undefined && checker.getTypeFromTypeNode(node) !== type;
    if (isOther || (symbol !== undefined && symbol === declaringSymbol)) break;
    const alias = symbol && findPlainAlias(symbol);
    if (symbol !== undefined && alias !== undefined) docs.push(findSymbolDocs(symbol));
    node = alias?.type ?? findNamedType(node, symbol, type, program);
  }
  return docs.filter(({ description, tags }) => description !== undefined || tags.length > 0);
}

/** `(Port)`, `Port | null`, `NonNullable<Port>` */
function findNamedType(
  node: ts.TypeNode,
  symbol: ts.Symbol | undefined,
  type: ts.Type,
  program: ts.Program,
): ts.TypeNode | undefined {
  if (ts.isParenthesizedTypeNode(node)) return node.type;
  if (ts.isUnionTypeNode(node)) {
    const checker = program.getTypeChecker();
    const [only, ...moreNodes] = node.types.filter((each) => checker.getTypeFromTypeNode(each) === type);
    return moreNodes.length === 0 ? only : undefined;
  }
  const isTransparent =
    symbol !== undefined && TRANSPARENT.has(symbol.name) && isOfStandardLibrary(symbol, program);
  return isTransparent && isReference(node) ? node.typeArguments?.[0] : undefined;
}

function findPlainAlias({ declarations }: ts.Symbol): ts.TypeAliasDeclaration | undefined {
  return declarations?.find(
    (declaration) =>
      ts.isTypeAliasDeclaration(declaration) && (declaration.typeParameters ?? []).length === 0,
  ) as ts.TypeAliasDeclaration | undefined;
}

/** Returns the type behind parentheses, `readonly` and aliases: `Port[]` for `Ports`. */
export function findWrittenType(
  node: ts.TypeNode | undefined,
  checker: ts.TypeChecker,
): ts.TypeNode | undefined {
  if (node === undefined) return undefined;
  if (ts.isParenthesizedTypeNode(node) || ts.isTypeOperatorNode(node))
    return findWrittenType(node.type, checker);
  const symbol = isReference(node) ? findReferencedSymbol(node, checker) : undefined;
  const alias = symbol && findPlainAlias(symbol);
  return alias === undefined ? node : findWrittenType(alias.type, checker);
}
