import { ts } from 'ts-morph';
import type { Place, Reading, NoForm } from './form.ts';
import { substitute } from './substitute.ts';

export function isOpen({ flags }: ts.Type): boolean {
  return (
    (flags & ts.TypeFlags.Instantiable) !== 0 &&
    !(flags & (ts.TypeFlags.TemplateLiteral | ts.TypeFlags.StringMapping))
  );
}

/**
 * Replaces an open type by what a call without type arguments sees: its default, else its constraint. A default of
 * `undefined` only describes an omitted argument, so the constraint wins.
 */
export function closedType(type: ts.Type, checker: ts.TypeChecker): ts.Type | undefined {
  const isParameter = (type.flags & ts.TypeFlags.TypeParameter) !== 0;
  const standard = isParameter ? checker.getDefaultFromTypeParameter(type) : undefined;
  const constraint = keysOf(type, checker) ?? checker.getBaseConstraintOfType(type);
  const isAbsent = standard !== undefined && (standard.flags & ts.TypeFlags.Undefined) !== 0;
  const closed = isAbsent ? (constraint ?? standard) : (standard ?? constraint);
  if (closed === undefined || closed === type || closed.flags & ts.TypeFlags.Unknown) return undefined;
  return isOpen(closed) ? closedType(closed, checker) : closed;
}

/** Resolves the keys of `K extends keyof T`; open if `T` is unknown, undefined for any other type. */
export function keysOf(type: ts.Type, checker: ts.TypeChecker): ts.Type | undefined {
  const [declaration] = type.flags & ts.TypeFlags.TypeParameter ? (type.symbol.declarations ?? []) : [];
  if (declaration === undefined || !ts.isTypeParameterDeclaration(declaration)) return undefined;
  const { constraint } = declaration;
  if (constraint === undefined || !ts.isTypeOperatorNode(constraint)) return undefined;
  const keys = checker.getTypeFromTypeNode(constraint);
  return keys.flags & ts.TypeFlags.Index
    ? substitute(keys, (parameter) => closedType(parameter, checker) ?? parameter, checker)
    : undefined;
}

/** Replaces a type parameter by what a call without type arguments sees; returns other types unchanged. */
export function standardType(type: ts.Type, checker: ts.TypeChecker): ts.Type {
  const isParameter = (type.flags & ts.TypeFlags.TypeParameter) !== 0;
  return (isParameter ? closedType(type, checker) : undefined) ?? type;
}

export function unresolved(type: ts.Type, place: Place, { checker }: Reading): NoForm {
  return { faults: [{ place, problem: { name: 'unresolved-generic', type: checker.typeToString(type) } }] };
}
