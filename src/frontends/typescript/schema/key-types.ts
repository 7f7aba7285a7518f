import { ts } from 'ts-morph';

const text =
  ts.TypeFlags.StringLike |
  ts.TypeFlags.NumberLike |
  ts.TypeFlags.TemplateLiteral |
  ts.TypeFlags.StringMapping;

/** Undefined unless the type has number or text alternatives only. */
export function keyTypes(type: ts.Type): ts.Type[] | undefined {
  const types = (type.isUnion() ? type.types : [type]).map(unbranded);
  const isText = types.every(({ flags }) => flags & text && !(flags & ts.TypeFlags.NumberLike));
  const isNumber = types.every(({ flags }) => flags & ts.TypeFlags.NumberLike);
  return isText || isNumber ? types : undefined;
}

function unbranded(type: ts.Type): ts.Type {
  return type.isIntersection() ? (type.types.find(({ flags }) => flags & text) ?? type) : type;
}
