import { ts } from 'ts-morph';

import { unionMembers } from '../program/checker-queries.ts';
import { instantiate, mapperFrom, mapperOf } from '../program/compiler-internals.ts';
import { type Form, type NoForm, type Place, type Reading, hasForm } from './form.ts';

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
  const constraint = resolveKeyofConstraint(type, checker) ?? checker.getBaseConstraintOfType(type);
  const isAbsent = standard !== undefined && (standard.flags & ts.TypeFlags.Undefined) !== 0;
  const closed = isAbsent ? (constraint ?? standard) : (standard ?? constraint);
  if (closed === undefined || closed === type || closed.flags & ts.TypeFlags.Unknown) return undefined;
  return isOpenType(closed) ? closeParameter(closed, checker) : closed;
}

/** Resolves the keys of `K extends keyof T`; open if `T` is unknown, undefined for any other type. */
function resolveKeyofConstraint(type: ts.Type, checker: ts.TypeChecker): ts.Type | undefined {
  const [declaration] = type.flags & ts.TypeFlags.TypeParameter ? (type.symbol.declarations ?? []) : [];
  if (declaration === undefined || !ts.isTypeParameterDeclaration(declaration)) return undefined;
  const { constraint } = declaration;
  if (constraint === undefined || !ts.isTypeOperatorNode(constraint)) return undefined;
  const keys = checker.getTypeFromTypeNode(constraint);
  return keys.flags & ts.TypeFlags.Index
    ? substituteParameters(keys, (parameter) => closeParameter(parameter, checker) ?? parameter, checker)
    : undefined;
}

export function closeIfParameter(type: ts.Type, checker: ts.TypeChecker): ts.Type {
  const isParameter = (type.flags & ts.TypeFlags.TypeParameter) !== 0;
  return (isParameter ? closeParameter(type, checker) : undefined) ?? type;
}

export function makeUnresolvedGenericFault(type: ts.Type, place: Place, { checker }: Reading): NoForm {
  return { faults: [{ place, problem: { name: 'unresolved-generic', type: checker.typeToString(type) } }] };
}

interface ClosedParts {
  type: ts.Type;
  /** Members that may be missing, since the keys of a type parameter are unknown: `Pick<User, K>` may have none. */
  unsure: ReadonlySet<string>;
}

/** Defaults and constraints may refer to other parameters. */
const ROUNDS = 10;

export function closeComposedType(type: ts.Type, checker: ts.TypeChecker): ClosedParts | undefined {
  if (!isComposed(type)) return undefined;
  const whole = closeType(type, checker, (parameter) => closeUnlessUnknownKeys(parameter, checker));
  if (whole === undefined) return undefined;
  const least = closeType(type, checker, (parameter) => closeToFewestKeys(parameter, checker)) ?? whole;
  if (whole.isUnion() || least.flags & ts.TypeFlags.Never) return { type: whole, unsure: new Set() };
  // `Omit<User, K>` has more members with fewer keys.
  const [most, fewest] =
    countMembers(least, checker) > countMembers(whole, checker) ? [least, whole] : [whole, least];
  const names = checker.getPropertiesOfType(most).map(({ name }) => name);
  const unsure = names.filter((name) => checker.getPropertyOfType(fewest, name) === undefined);
  return { type: most, unsure: new Set(unsure) };
}

export function hasNoKnownMembers(type: ts.Type, checker: ts.TypeChecker): boolean {
  return (type.flags & ts.TypeFlags.Object) !== 0 && countMembers(type, checker) === 0;
}

export function dropUnsureRequired(form: Form | NoForm, unsure: ReadonlySet<string>): Form | NoForm {
  if (!hasForm(form) || unsure.size === 0 || form.schema.required === undefined) return form;
  const { required, ...schema } = form.schema;
  const sure = required.filter((name) => !unsure.has(name));
  return { ...form, schema: sure.length === 0 ? schema : { ...schema, required: sure } };
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

/** Replaces type parameters by what `standard` gives, and keeps the rest. Undefined if there are none. */
function closeType(
  type: ts.Type,
  checker: ts.TypeChecker,
  standard: (parameter: ts.Type) => ts.Type | undefined,
): ts.Type | undefined {
  let isMet = false;
  let closed = type;
  for (let round = 0; round < ROUNDS; round += 1) {
    const before = closed;
    closed = substituteParameters(
      before,
      (parameter) => {
        isMet = true;
        return standard(parameter) ?? parameter;
      },
      checker,
    );
    if (closed === before) break;
  }
  return isMet ? closed : undefined;
}

/** Closes a type parameter. Undefined for `K extends keyof T` if `T` is unknown, since its keys are unknown too. */
function closeUnlessUnknownKeys(parameter: ts.Type, checker: ts.TypeChecker): ts.Type | undefined {
  const keys = resolveKeyofConstraint(parameter, checker);
  return keys !== undefined && isOpenType(keys) ? undefined : closeParameter(parameter, checker);
}

/** A type parameter for keys may be given no key, unless its default names some. */
function closeToFewestKeys(parameter: ts.Type, checker: ts.TypeChecker): ts.Type | undefined {
  const closed = closeUnlessUnknownKeys(parameter, checker);
  if (closed === undefined || checker.getDefaultFromTypeParameter(parameter) !== undefined) return closed;
  return isKeyType(closed) ? checker.getNeverType() : closed;
}

function isKeyType(type: ts.Type): boolean {
  return unionMembers(type).every(
    (each) => keyTypes(each) !== undefined || each.flags & ts.TypeFlags.ESSymbolLike,
  );
}

function countMembers(type: ts.Type, checker: ts.TypeChecker): number {
  return checker.getPropertiesOfType(type).length + checker.getIndexInfosOfType(type).length;
}

function substituteParameters(
  type: ts.Type,
  replace: (parameter: ts.Type) => ts.Type,
  checker: ts.TypeChecker,
): ts.Type {
  const mapper = mapperFrom((parameter) => (isDeclaredOpen(parameter) ? replace(parameter) : parameter));
  return instantiate(type, mapper, checker);
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
