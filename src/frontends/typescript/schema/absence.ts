/** JSON has no `undefined`, so a member that may be undefined may be left out. */
import { ts } from 'ts-morph';

/** Whether a member may be left out: `a?: T`, or `a: T | undefined`. */
export function mayBeAbsent(member: ts.Symbol, checker: ts.TypeChecker): boolean {
  return (member.flags & ts.SymbolFlags.Optional) !== 0 || mayBeUndefined(checker.getTypeOfSymbol(member));
}

export function mayBeUndefined(type: ts.Type): boolean {
  return (type.isUnion() ? type.types : [type]).some(isUndefined);
}

export function isUndefined({ flags }: ts.Type): boolean {
  return (flags & (ts.TypeFlags.Undefined | ts.TypeFlags.Void)) !== 0;
}
