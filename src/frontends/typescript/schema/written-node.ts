/** Nodes by which types are written, and what the type parameters in them stand for. */
import { ts } from 'ts-morph';

import { resolveAlias } from '../program/checker-queries.ts';

/** A type node or the declaration of a type. */
export interface Written {
  node: ts.Node;
  scope: Scope;
}

/**
 * Arguments by type parameter. The `K` of a mapped type is the step to one member. `unknown` are the parameters of a
 * definition, which all instances share.
 */
export type Scope = ReadonlyMap<ts.Symbol, Bound>;

export type Bound = readonly Written[] | { step: string } | 'unknown';

export const nowhere: Scope = new Map();

export type Reference = ts.TypeReferenceNode | ts.ExpressionWithTypeArguments | ts.ImportTypeNode;

export function isReference(node: ts.Node): node is Reference {
  return ts.isTypeReferenceNode(node) || ts.isExpressionWithTypeArguments(node) || ts.isImportTypeNode(node);
}

export function findCachedSymbol(node: Reference, program: ts.Program): ts.Symbol | undefined {
  const found = symbols.get(program) ?? new WeakMap<Reference, { symbol: ts.Symbol | undefined }>();
  symbols.set(program, found);
  const known = found.get(node) ?? { symbol: findReferenced(node, program) };
  found.set(node, known);
  return known.symbol;
}

/** The same nodes are asked for often: by both directions, and by each type that has a member of theirs. */
const symbols = new WeakMap<ts.Program, WeakMap<Reference, { symbol: ts.Symbol | undefined }>>();

function findReferenced(node: Reference, program: ts.Program): ts.Symbol | undefined {
  const name = ts.isTypeReferenceNode(node)
    ? node.typeName
    : ts.isImportTypeNode(node)
      ? node.qualifier
      : node.expression;
  const symbol = name && program.getTypeChecker().getSymbolAtLocation(name);
  return symbol && resolveAlias(symbol, program.getTypeChecker());
}
