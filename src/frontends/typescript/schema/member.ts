import { ts } from 'ts-morph';

import type { Docs } from '../docs/doc-text.ts';
import { findSymbolDocs } from '../docs/read-docs.ts';
import { unionMembers } from '../program/checker-queries.ts';
import { type Reading } from './form.ts';
import { isInLibrary, isOfStandardLibrary } from './library-types.ts';

export function isPublicMember(member: ts.Symbol): boolean {
  if (member.flags & ts.SymbolFlags.Prototype || member.name.startsWith('#')) return false;
  if (member.name.startsWith('__#')) return false;
  const [declaration] = member.declarations ?? [];
  if (declaration === undefined) return true;
  return !(
    ts.getCombinedModifierFlags(declaration) &
    (ts.ModifierFlags.Private | ts.ModifierFlags.Protected)
  );
}

/** Methods, and function members of a class or a library's object, are no part of a result. */
export function isMethodOfResult(member: ts.Symbol, reading: Reading): boolean {
  if (member.flags & ts.SymbolFlags.Method) return true;
  const [declaration] = member.declarations ?? [];
  if (declaration === undefined) return false;
  const isOthers = ts.isClassLike(declaration.parent) || isInLibrary(declaration, reading);
  return isOthers && reading.checker.getTypeOfSymbol(member).getCallSignatures().length > 0;
}

/** Whether a member is the stack: clients should not see where the server's code is. */
export function isStack(member: ts.Symbol, { program }: Reading): boolean {
  return member.name === 'stack' && isOfStandardLibrary(member, program);
}

export function hasDefault(member: ts.Symbol, reading: Reading): boolean {
  return (
    reading.direction === 'input' && memberDocs(member, reading).tags.some(({ name }) => name === 'default')
  );
}

/** A member without docs takes those of the member that it overrides or implements. */
export function memberDocs(member: ts.Symbol, { checker }: Reading): Docs {
  const own = findSymbolDocs(member);
  if (own.description !== undefined || own.tags.length > 0) return own;
  const holder = member.declarations?.[0]?.parent;
  if (holder === undefined || !(ts.isClassLike(holder) || ts.isInterfaceDeclaration(holder))) return own;
  for (const { types } of holder.heritageClauses ?? []) {
    for (const base of types) {
      const inherited = checker.getTypeAtLocation(base).getProperty(member.name);
      const docs = inherited && memberDocs(inherited, { checker } as Reading);
      if (docs !== undefined && (docs.description !== undefined || docs.tags.length > 0)) return docs;
    }
  }
  return own;
}

/** Whether a member may be left out: `a?: T`, or `a: T | undefined`, since JSON has no `undefined`. */
export function mayBeAbsent(member: ts.Symbol, checker: ts.TypeChecker): boolean {
  return (member.flags & ts.SymbolFlags.Optional) !== 0 || mayBeUndefined(checker.getTypeOfSymbol(member));
}

export function mayBeUndefined(type: ts.Type): boolean {
  return unionMembers(type).some(isUndefined);
}

export function isUndefined({ flags }: ts.Type): boolean {
  return (flags & (ts.TypeFlags.Undefined | ts.TypeFlags.Void)) !== 0;
}

const names = /^_*(?:brand|flavou?r|tag|opaque|nominal)_*$/i;

/**
 * A brand exists for the checker only, to tell types of equal form apart: a unique symbol, or `__brand` and similar
 * names.
 */
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

/** Whether the checker made the name for a member whose key is a symbol. */
export function isSymbolName(name: string): boolean {
  return name.startsWith('__@');
}
