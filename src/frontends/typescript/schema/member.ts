import { ts } from 'ts-morph';
import { readSymbolDocs } from '../docs/read-docs.ts';
import type { Docs } from '../docs/doc-text.ts';
import { isBrand, isSymbolName } from './brand.ts';
import { type Reading } from './form.ts';
import { isInLibrary, isOfLibrary } from './library-kind.ts';

/** Whether others can see a member: not private, protected or `#name`. */
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

/** Behaviour, which is no part of a result: a method, or a function that a class or a library's object has as a member. */
export function isBehaviour(member: ts.Symbol, reading: Reading): boolean {
  if (member.flags & ts.SymbolFlags.Method) return true;
  const [declaration] = member.declarations ?? [];
  if (declaration === undefined) return false;
  const isOthers = ts.isClassLike(declaration.parent) || isInLibrary(declaration, reading);
  return isOthers && reading.checker.getTypeOfSymbol(member).getCallSignatures().length > 0;
}

/** Where the code of an error stands is nothing that clients should know. */
export function isStack(member: ts.Symbol, { program }: Reading): boolean {
  return member.name === 'stack' && isOfLibrary(member, program);
}

/** A member of a result that stays inside. */
export function isHidden(member: ts.Symbol, reading: Reading): boolean {
  return memberDocs(member, reading).tags.some(({ name }) => name === 'hidden');
}

/** Whether a member is part of what is written of a result. */
export function isWrittenMember(member: ts.Symbol, holder: ts.Type, reading: Reading): boolean {
  if (isSymbolName(member.name) || !isShown(member) || isBrand(member, holder)) return false;
  return !isBehaviour(member, reading) && !isStack(member, reading) && !isHidden(member, reading);
}

/** Whether an argument need not give the member. */
export function hasDefault(member: ts.Symbol, reading: Reading): boolean {
  return (
    reading.direction === 'input' && memberDocs(member, reading).tags.some(({ name }) => name === 'default')
  );
}

/** Its own docs, else those of the member that it overrides or implements. */
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
