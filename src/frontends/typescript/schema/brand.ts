/** Brands: members that exist for the checker alone, so that two types of equal form are not mixed up. */
import type { ts } from 'ts-morph';

const names = /^_*(?:brand|flavou?r|tag|opaque|nominal)_*$/i;

/** A member of a part of an intersection that has nothing but brands: a unique symbol, or `__brand` and its like. */
export function isBrand(member: ts.Symbol, holder: ts.Type): boolean {
  if (!holder.isIntersection() || !isBrandName(member)) return false;
  return holder.types.some(
    (part) =>
      part.getProperties().some(({ escapedName }) => escapedName === member.escapedName) &&
      part.getProperties().every(isBrandName),
  );
}

function isBrandName({ name }: ts.Symbol): boolean {
  return isSymbolName(name) || (name.startsWith('_') && names.test(name));
}

/** The checker's name for a member whose key is a symbol. */
export function isSymbolName(name: string): boolean {
  return name.startsWith('__@');
}
