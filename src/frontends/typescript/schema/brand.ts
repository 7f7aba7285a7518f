/** A brand is a member that exists for the checker only, to tell types of equal form apart. */
import type { ts } from 'ts-morph';

const names = /^_*(?:brand|flavou?r|tag|opaque|nominal)_*$/i;

/** A unique symbol, or `__brand` and similar names. */
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
