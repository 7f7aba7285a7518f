/** What kinds of type parameters have, as far as the call depends on it. */
import { ts } from 'ts-morph';
import type { SourceProgram } from '../program/source-program.ts';
import { isAnything } from '../schema/object-form.ts';

/** Values of classes and of the platform, whoever declares them. */
const VALUES = new Set(
  'Date Map Set WeakMap WeakSet RegExp URL URLSearchParams Buffer Blob File ArrayBuffer SharedArrayBuffer DataView Promise ReadonlyMap ReadonlySet Error Function'.split(
    ' ',
  ),
);

/** Whether a parameter of this type, being the only one, is all arguments in one object (DESIGN section 8). */
export function isArgumentsObject(type: ts.Type, { checker, program }: SourceProgram): boolean {
  const closed = checker.getBaseConstraintOfType(type) ?? type;
  // What `unknown` is without null is `{}`.
  const plain = checker.getNonNullableType(closed);
  if (plain.isIntersection()) return plain.types.every((each) => (each.flags & ts.TypeFlags.Object) !== 0);
  if ((plain.flags & ts.TypeFlags.Object) === 0) return false;
  if (checker.isArrayType(plain) || checker.isTupleType(plain) || plain.isClass()) return false;
  if (isAnything(plain, checker)) return false;
  if (plain.getCallSignatures().length + plain.getConstructSignatures().length > 0) return false;
  const symbol = plain.getSymbol();
  if (symbol === undefined) return true;
  if ((symbol.flags & ts.SymbolFlags.Class) !== 0 || VALUES.has(symbol.name)) return false;
  // An interface of the standard library is a value, `Record` and its like are not: they have no declaration of their own.
  const isInterface = (symbol.flags & ts.SymbolFlags.Interface) !== 0;
  const isStandard = (symbol.declarations ?? []).some((each) =>
    program.isSourceFileDefaultLibrary(each.getSourceFile()),
  );
  return !(isInterface && isStandard);
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
