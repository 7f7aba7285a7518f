/** Recognises parameter types that decide how a function is called. */
import { ts } from 'ts-morph';
import type { SourceProgram } from '../program/source-program.ts';
import { libraryName } from '../schema/library-kind.ts';
import { isAnything } from '../schema/object-form.ts';
import { standardType } from '../schema/open-type.ts';

/** Whether a function's only parameter holds all arguments as one object. */
export function isArgumentsObject(type: ts.Type, { checker, program }: SourceProgram): boolean {
  const standard = standardType(type, checker);
  const closed = checker.getBaseConstraintOfType(standard) ?? standard;
  // `unknown` without null is `{}`.
  const plain = checker.getNonNullableType(closed);
  if (plain.isIntersection()) return plain.types.every((each) => (each.flags & ts.TypeFlags.Object) !== 0);
  if ((plain.flags & ts.TypeFlags.Object) === 0) return false;
  if (checker.isArrayType(plain) || checker.isTupleType(plain)) return false;
  if (isAnything(plain, checker)) return false;
  if (plain.getCallSignatures().length + plain.getConstructSignatures().length > 0) return false;
  // Types that the language or Node declares are values. `Record` and similar aliases have no declaration of their
  // own, so they pass.
  return libraryName(plain, program) === undefined && !isClass(plain);
}

function isClass(type: ts.Type): boolean {
  return ((type.getSymbol()?.flags ?? 0) & ts.SymbolFlags.Class) !== 0;
}

export function isContext(type: ts.Type, source: SourceProgram): boolean {
  return findContext(type, source) !== undefined;
}

/** Members that a type adds to `Context`; nothing would set them. */
export function beyondContext(type: ts.Type, source: SourceProgram): string[] {
  const { checker } = source;
  const context = findContext(type, source);
  if (context === undefined) return [];
  const isMissing = ({ name, flags }: ts.Symbol): boolean =>
    (flags & ts.SymbolFlags.Optional) === 0 && context.getProperty(name) === undefined;
  const members = checker.getPropertiesOfType(checker.getNonNullableType(type));
  return members.filter(isMissing).map(({ name }) => name);
}

function findContext(type: ts.Type, source: SourceProgram): ts.Type | undefined {
  const given = withoutAbsence(type);
  return given && findContextIn(given, source);
}

/** The type without null and undefined; undefined if several remain. */
function withoutAbsence(type: ts.Type): ts.Type | undefined {
  if (!type.isUnion()) return type;
  const absent = ts.TypeFlags.Null | ts.TypeFlags.Undefined | ts.TypeFlags.Void;
  const [only, ...others] = type.types.filter(({ flags }) => (flags & absent) === 0);
  return others.length === 0 ? only : undefined;
}

function findContextIn(type: ts.Type, source: SourceProgram): ts.Type | undefined {
  if (isRuntimeType(type, 'Context', source)) return type;
  const parts = type.isIntersection()
    ? type.types
    : type.isClassOrInterface()
      ? source.checker.getBaseTypes(type)
      : [];
  return parts.map((part) => findContextIn(part, source)).find((part) => part !== undefined);
}

export function isRuntimeType(type: ts.Type, name: string, { runtimeTypes }: SourceProgram): boolean {
  const symbol = withoutAbsence(type)?.getSymbol();
  if (symbol?.name !== name) return false;
  return (symbol.declarations ?? []).some((each) =>
    each.getSourceFile().fileName.startsWith(`${runtimeTypes}/`),
  );
}
