/** Composed types that contain type parameters depend on them, at keys and at holes. */
import { ts } from 'ts-morph';
import { type Form, hasForm, type NoForm } from './form.ts';
import { keyTypes } from './key-types.ts';
import { closedType, isOpen, keysOf } from './open-type.ts';
import { substitute } from './substitute.ts';

/** Derives the type that a call without type arguments sees. */
export interface ClosedParts {
  type: ts.Type;
  /** Members depend on the keys that the parameters stand for: `Pick<User, K>` may have none. */
  unsure: ReadonlySet<string>;
}

/** Limit of references from defaults and constraints to other parameters. */
const ROUNDS = 10;

/** Undefined for a type without type parameters. */
export function closedParts(type: ts.Type, checker: ts.TypeChecker): ClosedParts | undefined {
  if (!isComposed(type)) return undefined;
  const whole = close(type, checker, (parameter) => closeToWhole(parameter, checker));
  if (whole === undefined) return undefined;
  const least = close(type, checker, (parameter) => closeToLeast(parameter, checker)) ?? whole;
  if (whole.isUnion() || least.flags & ts.TypeFlags.Never) return { type: whole, unsure: new Set() };
  // `Omit<User, K>` has more members with fewer keys.
  const [most, fewest] =
    countMembers(least, checker) > countMembers(whole, checker) ? [least, whole] : [whole, least];
  const names = checker.getPropertiesOfType(most).map(({ name }) => name);
  const unsure = names.filter((name) => checker.getPropertyOfType(fewest, name) === undefined);
  return { type: most, unsure: new Set(unsure) };
}

/** Whether all members of an object depend on unconstrained parameters. */
export function isUnknownObject(type: ts.Type, checker: ts.TypeChecker): boolean {
  return (type.flags & ts.TypeFlags.Object) !== 0 && countMembers(type, checker) === 0;
}

export function withUnsure(form: Form | NoForm, unsure: ReadonlySet<string>): Form | NoForm {
  if (!hasForm(form) || unsure.size === 0 || form.schema.required === undefined) return form;
  const { required, ...schema } = form.schema;
  const sure = required.filter((name) => !unsure.has(name));
  return { ...form, schema: sure.length === 0 ? schema : { ...schema, required: sure } };
}

function isComposed(type: ts.Type): boolean {
  if (type.flags & (ts.TypeFlags.TemplateLiteral | ts.TypeFlags.StringMapping)) return true;
  if (type.isIntersection()) return true;
  return (
    (type.flags & ts.TypeFlags.Object) !== 0 &&
    ((type as ts.ObjectType).objectFlags & ts.ObjectFlags.Mapped) !== 0
  );
}

/** Undefined if no parameter was found. A parameter that stays is unknown. */
function close(
  type: ts.Type,
  checker: ts.TypeChecker,
  standard: (parameter: ts.Type) => ts.Type | undefined,
): ts.Type | undefined {
  let isMet = false;
  let closed = type;
  for (let round = 0; round < ROUNDS; round += 1) {
    const before = closed;
    closed = substitute(
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

/** The keys of an unknown type are unknown, rather than any. */
function closeToWhole(parameter: ts.Type, checker: ts.TypeChecker): ts.Type | undefined {
  const keys = keysOf(parameter, checker);
  return keys !== undefined && isOpen(keys) ? undefined : closedType(parameter, checker);
}

/** Parameters for keys may stand for no key, unless their default names some. */
function closeToLeast(parameter: ts.Type, checker: ts.TypeChecker): ts.Type | undefined {
  const closed = closeToWhole(parameter, checker);
  if (closed === undefined || checker.getDefaultFromTypeParameter(parameter) !== undefined) return closed;
  return isKeys(closed) ? checker.getNeverType() : closed;
}

function isKeys(type: ts.Type): boolean {
  const types = type.isUnion() ? type.types : [type];
  return types.every((each) => keyTypes(each) !== undefined || each.flags & ts.TypeFlags.ESSymbolLike);
}

function countMembers(type: ts.Type, checker: ts.TypeChecker): number {
  return checker.getPropertiesOfType(type).length + checker.getIndexInfosOfType(type).length;
}
