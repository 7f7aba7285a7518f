import { ts } from 'ts-morph';
import { readSymbolDocs } from '../docs/read-docs.ts';
import type { Docs } from '../docs/doc-text.ts';
import { isBrand, isSymbolName } from './brand.ts';
import { type Reading } from './form.ts';
import { isInLibrary, isOfLibrary } from './library-kind.ts';

/** Whether a member is not private, protected or `#name`. */
export function isShown(member: ts.Symbol): boolean {
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
export function isBehaviour(member: ts.Symbol, reading: Reading): boolean {
  if (member.flags & ts.SymbolFlags.Method) return true;
  const [declaration] = member.declarations ?? [];
  if (declaration === undefined) return false;
  const isOthers = ts.isClassLike(declaration.parent) || isInLibrary(declaration, reading);
  return isOthers && reading.checker.getTypeOfSymbol(member).getCallSignatures().length > 0;
}

/** Clients should not see where the server's code is. */
export function isStack(member: ts.Symbol, { program }: Reading): boolean {
  return member.name === 'stack' && isOfLibrary(member, program);
}

export function isHidden(member: ts.Symbol, reading: Reading): boolean {
  return memberDocs(member, reading).tags.some(({ name }) => name === 'hidden');
}

export function isWrittenMember(member: ts.Symbol, holder: ts.Type, reading: Reading): boolean {
  if (isSymbolName(member.name) || !isShown(member) || isBrand(member, holder)) return false;
  return !isBehaviour(member, reading) && !isStack(member, reading) && !isHidden(member, reading);
}

export function hasDefault(member: ts.Symbol, reading: Reading): boolean {
  return (
    reading.direction === 'input' && memberDocs(member, reading).tags.some(({ name }) => name === 'default')
  );
}

/** Finds a member's docs, or those of the member that it overrides or implements. */
export function memberDocs(member: ts.Symbol, { checker }: Reading): Docs {
  const own = readSymbolDocs(member);
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
