import { ts } from 'ts-morph';
import { isUndefined, mayBeAbsent } from './absence.ts';
import { isBrand } from './brand.ts';
import { inDeclaredOrder } from './declared-order.ts';
import type { Reading } from './form.ts';

type TagValue = string | number | boolean | null;

/** A member that tells the objects of a union apart, with the values of each object, in their order. */
export interface Discriminator {
  name: string;
  values: TagValue[][];
  /** Whether each object may lack the member, in order. */
  optional: boolean[];
}

/** Finds a member with distinct values in all objects, if possible one that all require. */
export function findDiscriminator(
  objects: readonly ts.Type[],
  { checker }: Pick<Reading, 'checker'>,
): Discriminator | undefined {
  const [first] = objects;
  if (first === undefined || objects.length < 2) return undefined;
  const found: Discriminator[] = [];
  for (const member of checker.getPropertiesOfType(first)) {
    if (isBrand(member, first)) continue;
    const { name } = member;
    const values = objects.map((object) => readTagValues(object, name, checker));
    const known = values.filter((each) => each !== undefined);
    if (known.length < values.length || new Set(known.flat()).size !== known.flat().length) continue;
    found.push({ name, values: known, optional: objects.map((object) => isOptional(object, name, checker)) });
  }
  return found.find(isRequired) ?? found[0];
}

/** An object without the member cannot be told apart. */
export function isRequired({ optional }: Discriminator): boolean {
  return !optional.includes(true);
}

function isOptional(object: ts.Type, name: string, checker: ts.TypeChecker): boolean {
  const member = checker.getPropertyOfType(object, name);
  return member !== undefined && mayBeAbsent(member, checker);
}

function readTagValues(object: ts.Type, name: string, checker: ts.TypeChecker): TagValue[] | undefined {
  const member = checker.getPropertyOfType(object, name);
  if (member === undefined) return undefined;
  const type = checker.getTypeOfSymbol(member);
  const types = (type.isUnion() ? inDeclaredOrder(type.types, checker) : [type]).filter(
    (each) => !isUndefined(each),
  );
  const values = types.map((each) => readTagValue(each, checker));
  const known = values.filter((value) => value !== undefined);
  return known.length === values.length ? known : undefined;
}

function readTagValue(type: ts.Type, checker: ts.TypeChecker): TagValue | undefined {
  if (type.isStringLiteral() || type.isNumberLiteral()) return type.value;
  if (type.flags & ts.TypeFlags.Null) return null;
  return type.flags & ts.TypeFlags.BooleanLiteral ? checker.typeToString(type) === 'true' : undefined;
}
