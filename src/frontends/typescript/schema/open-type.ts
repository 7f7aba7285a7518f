import { ts } from 'ts-morph';

import { unionMembers } from '../program/checker-queries.ts';
import { instantiate, keysOfMapped, mapperFrom, mapperOf } from '../program/compiler-internals.ts';
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

export function closeIfParameter(type: ts.Type, checker: ts.TypeChecker): ts.Type {
  const isParameter = (type.flags & ts.TypeFlags.TypeParameter) !== 0;
  return (isParameter ? closeParameter(type, checker) : undefined) ?? type;
}

export function makeUnresolvedGenericFault(type: ts.Type, place: Place, { checker }: Reading): NoForm {
  return { faults: [{ place, problem: { name: 'unresolved-generic', type: checker.typeToString(type) } }] };
}

/** Defaults and constraints may refer to other parameters. */
const ROUNDS = 10;

/**
 * Replaces the type parameters within a type by their defaults or constraints. Keys without a default stay open, since each call may
 * have others: `Pick<User, K>`.
 */
export function closeComposedType(type: ts.Type, checker: ts.TypeChecker): ts.Type {
  if (!isComposed(type)) return type;
  const isText = (type.flags & (ts.TypeFlags.TemplateLiteral | ts.TypeFlags.StringMapping)) !== 0;
  const close = (parameter: ts.Type): ts.Type => {
    const closed = isDeclaredOpen(parameter) ? closeParameter(parameter, checker) : undefined;
    const hasDefault = checker.getDefaultFromTypeParameter(parameter) !== undefined;
    return closed === undefined || (!isText && !hasDefault && isKeyType(closed)) ? parameter : closed;
  };
  let closed = type;
  for (let round = 0; round < ROUNDS; round += 1) closed = instantiate(closed, mapperFrom(close), checker);
  return closed;
}

/** Whether it is a mapped type of which no member is known (`Partial<T>`), or an intersection with an open type. */
export function hasUnknownMembers(type: ts.Type, checker: ts.TypeChecker): boolean {
  if (type.isIntersection()) return type.types.some(isOpenType);
  if (((type as ts.ObjectType).objectFlags & ts.ObjectFlags.Mapped) === 0) return false;
  const count = checker.getPropertiesOfType(type).length + checker.getIndexInfosOfType(type).length;
  const keys = keysOfMapped(type);
  return count === 0 && keys !== undefined && (keys.flags & ts.TypeFlags.Instantiable) !== 0;
}

function isComposed(type: ts.Type): boolean {
  if (type.flags & (ts.TypeFlags.TemplateLiteral | ts.TypeFlags.StringMapping)) return true;
  if (type.isIntersection()) return true;
  if (!(type.flags & ts.TypeFlags.Object)) return false;
  const { objectFlags, target } = type as ts.TupleTypeReference;
  // The elements of `[...A, number]` are those of `A`.
  const isTuple = (objectFlags & ts.ObjectFlags.Reference && target.objectFlags & ts.ObjectFlags.Tuple) !== 0;
  if (isTuple) return (target.combinedFlags & ts.ElementFlags.Variadic) !== 0;
  return (objectFlags & ts.ObjectFlags.Mapped) !== 0;
}

function isKeyType(type: ts.Type): boolean {
  return unionMembers(type).every(
    (keyType) => keyTypes(keyType) !== undefined || keyType.flags & ts.TypeFlags.ESSymbolLike,
  );
}

export function argumentForParameter(parameter: ts.Type, type: ts.Type, checker: ts.TypeChecker): ts.Type {
  const mapper = mapperOf(type);
  return mapper === undefined ? parameter : instantiate(parameter, mapper, checker);
}

/** A parameter of a function, a class or an alias. `P in K` and `infer P` are resolved by their own type. */
function isDeclaredOpen({ flags, symbol }: ts.Type): boolean {
  if ((flags & ts.TypeFlags.TypeParameter) === 0) return false;
  const [declaration] = symbol.declarations ?? [];
  return (
    declaration === undefined ||
    !(ts.isMappedTypeNode(declaration.parent) || ts.isInferTypeNode(declaration.parent))
  );
}

const text =
  ts.TypeFlags.StringLike |
  ts.TypeFlags.NumberLike |
  ts.TypeFlags.TemplateLiteral |
  ts.TypeFlags.StringMapping;

export function keyTypes(type: ts.Type): ts.Type[] | undefined {
  const types = unionMembers(type).map(stripBrand);
  const isText = types.every(({ flags }) => flags & text && !(flags & ts.TypeFlags.NumberLike));
  const isNumber = types.every(({ flags }) => flags & ts.TypeFlags.NumberLike);
  return isText || isNumber ? types : undefined;
}

function stripBrand(type: ts.Type): ts.Type {
  return type.isIntersection() ? (type.types.find(({ flags }) => flags & text) ?? type) : type;
}
