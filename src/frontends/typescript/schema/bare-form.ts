import { ts } from 'ts-morph';

import { readArrayForm, isArrayOrTuple } from './array-form.ts';
import { makeConstraintDocs } from './constraint-types.ts';
import { readFormAndApplyDocs } from './documented.ts';
import type { Form, NoForm, Place, Reading } from './form.ts';
import { libraryForm } from './library-form.ts';
import { readObjectForm } from './object-form.ts';
import { closeComposedType, hasUnknownMembers, makeUnresolvedGenericFault } from './open-type.ts';
import { enumForm, primitiveForm } from './primitive-form.ts';
import { unionForm } from './union-form.ts';

export function readFormWithoutDocs(given: ts.Type, place: Place, reading: Reading): Form | NoForm {
  const type = closeComposedType(given, reading.checker);
  if (hasUnknownMembers(type, reading.checker)) return makeUnresolvedGenericFault(given, place, reading);
  if (type.flags & ts.TypeFlags.EnumLike) {
    const symbol = type.getSymbol();
    if (symbol !== undefined && symbol.flags & ts.SymbolFlags.Enum) return enumForm(symbol, place, reading);
  }
  const primitive = primitiveForm(type, place, reading);
  if (primitive !== undefined) return primitive;
  if (type.isUnion()) return unionForm(type, place, reading);
  if (type.isIntersection()) return readIntersection(type, place, reading);
  return readBuiltInForm(type, place, reading) ?? readObjectForm(type, place, reading);
}

export function readBuiltInForm(type: ts.Type, place: Place, reading: Reading): Form | NoForm | undefined {
  return readArrayForm(type, place, reading) ?? libraryForm(type, place, reading);
}

/** Constraint types say what tags say. */
function readIntersection(type: ts.IntersectionType, place: Place, reading: Reading): Form | NoForm {
  const docs = makeConstraintDocs(type, place, reading);
  const readUnconstrained = (): Form | NoForm => intersectedForm(type, place, reading);
  return docs.tags.length === 0
    ? readUnconstrained()
    : readFormAndApplyDocs(type, docs, reading, readUnconstrained);
}

/** A primitive with a brand is the primitive; objects become one object. */
function intersectedForm(type: ts.IntersectionType, place: Place, reading: Reading): Form | NoForm {
  const primitive = type.types.find(
    ({ flags }) =>
      !(flags & (ts.TypeFlags.Object | ts.TypeFlags.NonPrimitive | ts.TypeFlags.Instantiable)) ||
      flags & text,
  );
  if (primitive !== undefined) return reading.read(primitive, place);
  for (const part of type.types) {
    const form = isArrayOrTuple(part, reading.checker)
      ? reading.read(part, place)
      : libraryForm(part, place, reading);
    if (form !== undefined) return form;
  }
  return readObjectForm(type, place, reading);
}

const text = ts.TypeFlags.TemplateLiteral | ts.TypeFlags.StringMapping;
