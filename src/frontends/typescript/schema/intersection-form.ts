import { ts } from 'ts-morph';
import { arrayForm } from './array-form.ts';
import type { Form, NoForm, Place, Reading } from './form.ts';
import { libraryForm } from './library-form.ts';
import { tellMembersBeside } from './members-beside.ts';
import { objectForm } from './object-form.ts';

/** A primitive with a brand is the primitive; objects become one object. */
export function intersectionForm(type: ts.IntersectionType, place: Place, reading: Reading): Form | NoForm {
  const primitive = type.types.find(
    ({ flags }) =>
      !(flags & (ts.TypeFlags.Object | ts.TypeFlags.NonPrimitive | ts.TypeFlags.Instantiable)) ||
      flags & text,
  );
  if (primitive !== undefined) return reading.read(primitive, place);
  for (const part of type.types) {
    const form = arrayForm(part, place, reading) ?? libraryForm(part, place, reading);
    if (form === undefined) continue;
    tellMembersBeside(type, part, place, reading);
    return form;
  }
  return objectForm(type, place, reading);
}

const text = ts.TypeFlags.TemplateLiteral | ts.TypeFlags.StringMapping;
