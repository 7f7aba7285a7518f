/** What kinds of type parameters have, as far as the call depends on it. */
import { ts } from 'ts-morph';
import type { SourceProgram } from '../program/source-program.ts';
import { libraryName } from '../schema/library-kind.ts';
import { isAnything } from '../schema/object-form.ts';
import { closedType } from '../schema/open-type.ts';

/** Whether a parameter of this type, being the only one, is all arguments in one object (DESIGN section 8). */
export function isArgumentsObject(type: ts.Type, { checker, program }: SourceProgram): boolean {
  const standard = standardType(type, checker);
  const closed = checker.getBaseConstraintOfType(standard) ?? standard;
  // What `unknown` is without null is `{}`.
  const plain = checker.getNonNullableType(closed);
  if (plain.isIntersection()) return plain.types.every((each) => (each.flags & ts.TypeFlags.Object) !== 0);
  if ((plain.flags & ts.TypeFlags.Object) === 0) return false;
  if (checker.isArrayType(plain) || checker.isTupleType(plain)) return false;
  if (isAnything(plain, checker)) return false;
  if (plain.getCallSignatures().length + plain.getConstructSignatures().length > 0) return false;
  // What the language or Node declares is a value; `Record` and its like are not: they have no declaration of their own.
  return libraryName(plain, program) === undefined && !isClass(plain);
}

/** What a type parameter is for a caller who passes no type arguments; any other type is itself. */
export function standardType(type: ts.Type, checker: ts.TypeChecker): ts.Type {
  const isParameter = (type.flags & ts.TypeFlags.TypeParameter) !== 0;
  return (isParameter ? closedType(type, checker) : undefined) ?? type;
}

function isClass(type: ts.Type): boolean {
  return ((type.getSymbol()?.flags ?? 0) & ts.SymbolFlags.Class) !== 0;
}

/** Whether it is the `Context` of `mcpgen/runtime`. */
export function isContext(type: ts.Type, source: SourceProgram): boolean {
  return isRuntimeType(type, 'Context', source);
}

/** Whether it is the type of that name of `mcpgen/runtime`. */
export function isRuntimeType(
  type: ts.Type,
  name: string,
  { checker, runtimeTypes }: SourceProgram,
): boolean {
  const symbol = checker.getNonNullableType(type).getSymbol();
  if (symbol?.name !== name) return false;
  return (symbol.declarations ?? []).some((each) =>
    each.getSourceFile().fileName.startsWith(`${runtimeTypes}/`),
  );
}
