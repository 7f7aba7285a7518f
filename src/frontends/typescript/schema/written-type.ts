/** Reads facts from the written type that the checker drops: an alias of a primitive leaves no trace in it. */
import { ts } from 'ts-morph';
import { readSymbolDocs } from '../docs/read-docs.ts';
import type { Docs } from '../docs/doc-text.ts';

/** Lists the docs of the aliases in a written type, innermost first, without the type's own alias. */
export function aliasDocs(type: ts.Type, node: ts.TypeNode | undefined, checker: ts.TypeChecker): Docs[] {
  if (node === undefined || !ts.isTypeReferenceNode(node) || node.typeArguments !== undefined) return [];
  const own = type.aliasSymbol ?? type.getSymbol();
  if (ts.isIdentifier(node.typeName) && node.typeName.text === own?.name) return [];
  const symbol = resolved(checker.getSymbolAtLocation(node.typeName), checker);
  if (symbol === undefined || symbol === type.aliasSymbol) return [];
  const declaration = symbol.declarations?.find((each) => ts.isTypeAliasDeclaration(each));
  if (declaration === undefined || checker.getTypeFromTypeNode(node) !== type) return [];
  const docs = readSymbolDocs(symbol);
  const isSilent = docs.description === undefined && docs.tags.length === 0;
  return [...aliasDocs(type, declaration.type, checker), ...(isSilent ? [] : [docs])];
}

function resolved(symbol: ts.Symbol | undefined, checker: ts.TypeChecker): ts.Symbol | undefined {
  return symbol !== undefined && symbol.flags & ts.SymbolFlags.Alias
    ? checker.getAliasedSymbol(symbol)
    : symbol;
}

/** Whether null is written, which the checker drops without `strictNullChecks`. */
export function isWrittenNullable(
  type: ts.Type,
  node: ts.TypeNode | undefined,
  checker: ts.TypeChecker,
): boolean {
  if (node === undefined || !ts.isUnionTypeNode(node) || includesNull(type)) return false;
  return node.types.some(isNullNode) && checker.getTypeFromTypeNode(node) === type;
}

function isNullNode(node: ts.TypeNode): boolean {
  return ts.isLiteralTypeNode(node) && node.literal.kind === ts.SyntaxKind.NullKeyword;
}

function includesNull(type: ts.Type): boolean {
  return (type.isUnion() ? type.types : [type]).some(({ flags }) => flags & ts.TypeFlags.Null);
}

/** Whether undefined is written, likewise. */
export function isWrittenOptional(
  type: ts.Type,
  node: ts.TypeNode | undefined,
  checker: ts.TypeChecker,
): boolean {
  if (node === undefined || !ts.isUnionTypeNode(node)) return false;
  const isWritten = node.types.some(({ kind }) => kind === ts.SyntaxKind.UndefinedKeyword);
  return isWritten && checker.getTypeFromTypeNode(node) === type;
}
