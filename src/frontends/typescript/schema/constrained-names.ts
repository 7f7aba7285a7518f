/** Finds names of aliases with constraints, of which the checker keeps only the types. */
import { ts } from 'ts-morph';

import { findSymbolDocs } from '../docs/read-docs.ts';
import { resolveAlias } from '../program/checker-queries.ts';
import { isConstraint } from '../tags/tag-registry.ts';
import { findDeclaringSymbol } from './type-order.ts';
import { type Written, isReference, nowhere, findCachedSymbol } from './written-node.ts';

export interface Name {
  /** The node that names the alias. */
  at: ts.Node;
  symbol: ts.Symbol | undefined;
}

/** Lists the names of aliases with constraints that a written type leads to, if the checker forgets them. */
export function listConstrained(written: Written, program: ts.Program): Name[] {
  const found: Name[] = [];
  const seen = new Set<ts.Symbol>();
  /** `at` is the name that led away from the written type. */
  const visitType = ({ node, scope }: Written, at: ts.Node | undefined): void => {
    const symbol = findNamedSymbol(node, program);
    const isLost =
      symbol !== undefined && isConstrainedAlias(symbol) && !isNameKeptByChecker(symbol, program);
    if (isLost) found.push({ at: at ?? node, symbol });
    if (symbol !== undefined && !seen.has(symbol)) {
      seen.add(symbol);
      const given = scope.get(symbol) ?? [];
      if (given !== 'unknown' && !('step' in given)) for (const each of given) visitType(each, undefined);
      const own = symbol.declarations?.filter((each) => !each.getSourceFile().isDeclarationFile) ?? [];
      for (const type of own.flatMap(listWrittenTypes)) visitType({ node: type, scope: nowhere }, at ?? node);
    }
    ts.forEachChild(node, (child) => {
      visitType({ node: child, scope }, at);
    });
  };
  visitType(written, undefined);
  return found;
}

function findNamedSymbol(node: ts.Node, program: ts.Program): ts.Symbol | undefined {
  if (isReference(node)) return findCachedSymbol(node, program);
  const checker = program.getTypeChecker();
  const symbol = ts.isTypeQueryNode(node) ? checker.getSymbolAtLocation(node.exprName) : undefined;
  return symbol && resolveAlias(symbol, checker);
}

function isConstrainedAlias(symbol: ts.Symbol): boolean {
  const isAlias = (symbol.flags & ts.SymbolFlags.TypeAlias) !== 0;
  return isAlias && findSymbolDocs(symbol).tags.some(({ name }) => isConstraint(name));
}

/** The types that a declaration writes. A function's own code is not read. */
function listWrittenTypes(node: ts.Node): readonly ts.Node[] {
  if (ts.isInterfaceDeclaration(node)) return [...node.members, ...(node.heritageClauses ?? [])];
  if (ts.isClassLike(node))
    return [...node.members.flatMap(listWrittenTypes), ...(node.heritageClauses ?? [])];
  const { type } = node as { type?: ts.Node };
  const parameters = ts.isFunctionLike(node) ? node.parameters.flatMap((each) => listWrittenTypes(each)) : [];
  return type === undefined ? parameters : [...parameters, type];
}

/** Whether the checker keeps the name, so that the type has a definition of its own. */
export function isNameKeptByChecker(symbol: ts.Symbol | undefined, program: ts.Program): boolean {
  if (symbol === undefined) return false;
  return (
    findDeclaringSymbol(
      program.getTypeChecker().getDeclaredTypeOfSymbol(symbol),
      program.getTypeChecker(),
    ) === symbol
  );
}
