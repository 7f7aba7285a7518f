import { ts } from 'ts-morph';

import { unionMembers } from '../program/checker-queries.ts';
import { keysOfMapped } from '../program/compiler-internals.ts';
import { type NoForm, type Place, type Reading } from './form.ts';

export function isOpenType({ flags }: ts.Type): boolean {
  return (
    (flags & ts.TypeFlags.Instantiable) !== 0 &&
    !(flags & (ts.TypeFlags.TemplateLiteral | ts.TypeFlags.StringMapping))
  );
}

/**
 * A call without type arguments sees the default, else the constraint. A default of `undefined` only describes an
 * omitted argument, so the constraint wins.
 */
export function closeParameter(type: ts.Type, checker: ts.TypeChecker): ts.Type | undefined {
  const isParameter = (type.flags & ts.TypeFlags.TypeParameter) !== 0;
  const standard = isParameter ? checker.getDefaultFromTypeParameter(type) : undefined;
  const constraint = checker.getBaseConstraintOfType(type);
  const isAbsent = standard !== undefined && (standard.flags & ts.TypeFlags.Undefined) !== 0;
  const closed = isAbsent ? (constraint ?? standard) : (standard ?? constraint);
  if (closed === undefined || closed === type || closed.flags & ts.TypeFlags.Unknown) return undefined;
  return isOpenType(closed) ? closeParameter(closed, checker) : closed;
}

/** `keyof T`: the members of what `T` is closed to. */
export function listKeysOfOpenType(type: ts.Type, checker: ts.TypeChecker): string[] | undefined {
  if ((type.flags & ts.TypeFlags.Index) === 0) return undefined;
  const closed = closeParameter((type as ts.IndexType).type, checker);
  const isObject =
    closed !== undefined && (closed.flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection)) !== 0;
  const names = isObject ? checker.getPropertiesOfType(closed).map(({ name }) => name) : [];
  return names.length === 0 || checker.getIndexInfosOfType(closed ?? type).length > 0 ? undefined : names;
}

export function closeIfParameter(type: ts.Type, checker: ts.TypeChecker): ts.Type {
  const isParameter = (type.flags & ts.TypeFlags.TypeParameter) !== 0;
  return (isParameter ? closeParameter(type, checker) : undefined) ?? type;
}

export function makeUnresolvedGenericFault(type: ts.Type, place: Place, { checker }: Reading): NoForm {
  return { faults: [{ place, problem: { name: 'unresolved-generic', type: checker.typeToString(type) } }] };
}

/** Whether it is a mapped type of which no member is known (`Partial<T>`), or an intersection with an open type. */
export function hasUnknownMembers(type: ts.Type, checker: ts.TypeChecker): boolean {
  if (type.isIntersection()) return type.types.some(isOpenType);
  if (((type as ts.ObjectType).objectFlags & ts.ObjectFlags.Mapped) === 0) return false;
  const count = checker.getPropertiesOfType(type).length + checker.getIndexInfosOfType(type).length;
  const keys = keysOfMapped(type);
  return count === 0 && keys !== undefined && (keys.flags & ts.TypeFlags.Instantiable) !== 0;
}

const text =
  ts.TypeFlags.StringLike |
  ts.TypeFlags.NumberLike |
  ts.TypeFlags.TemplateLiteral |
  ts.TypeFlags.StringMapping;

export function keyTypes(type: ts.Type): ts.Type[] | undefined {
  const types = unionMembers(type).map((type) =>
    type.isIntersection() ? (type.types.find(({ flags }) => flags & text) ?? type) : type,
  );
  const isText = types.every(({ flags }) => flags & text && !(flags & ts.TypeFlags.NumberLike));
  const isNumber = types.every(({ flags }) => flags & ts.TypeFlags.NumberLike);
  return isText || isNumber ? types : undefined;
}
