/** Finds tagged methods of exported objects and classes, including inherited ones. */
import { ts } from 'ts-morph';
import type { SourceProgram } from '../program/source-program.ts';
import { readBlock } from '../tags/read-block.ts';
import { ancestorsOf, classBlock, instanceOf, whyNotConstructible } from './class-instances.ts';
import type { Exported } from './exported.ts';
import {
  type Holder,
  isAbstract,
  isStatic,
  type Member,
  membersOf,
  taggedMembers,
} from './tagged-members.ts';
import type { Tagged } from './tagged.ts';
import { taggedSignature } from './overloads.ts';
import { withOverridden } from './overridden-tags.ts';
import type { ToldTags } from './told-tags.ts';

interface Method {
  tagged: Member;
  symbol: ts.Symbol;
}

/** Finds the methods that the class or object tags itself. */
export function ownMethods(
  exported: Exported,
  holder: Holder,
  told: ToldTags,
  source: SourceProgram,
): Tagged[] {
  // Instance methods of an abstract class are served by the classes that extend it.
  const isBase = ts.isClassLike(holder) && isAbstract(holder);
  const methods = taggedMembers(holder).flatMap((tagged): Method[] => {
    const symbol = source.checker.getSymbolAtLocation(tagged.name);
    const isServed = symbol !== undefined && (!isBase || isStatic(tagged));
    return isServed ? [{ tagged, symbol }] : [];
  });
  return makeTagged(methods, exported, holder, told, source);
}

/**
 * Finds methods of base classes that are not in `elsewhere`, that is, served by themselves. An override without tags
 * keeps the tags of the base class.
 */
export function inheritedMethods(
  exported: Exported,
  holder: Holder,
  { told, elsewhere }: { told: ToldTags; elsewhere: ToldTags },
  source: SourceProgram,
): Tagged[] {
  if (!ts.isClassLike(holder) || isAbstract(holder)) return [];
  const known = new Set(taggedMembers(holder).map(memberKey));
  const methods: Method[] = [];
  for (const tagged of ancestorsOf(holder, source).flatMap(taggedMembers)) {
    const { tags } = readBlock(tagged);
    const symbol = findProperty(exported.target, tagged, source.checker);
    if (known.has(memberKey(tagged))) told.add(tags);
    else if (symbol !== undefined && !elsewhere.has(tags)) methods.push({ tagged, symbol });
    known.add(memberKey(tagged));
  }
  return makeTagged(methods, exported, holder, told, source);
}

/** Lists the declarations in the class and its base classes, the nearest first. */
function listDeclarations(member: Member, holder: Holder, source: SourceProgram): ts.Node[] {
  if (!ts.isClassLike(holder)) return [member];
  const all = [holder, ...ancestorsOf(holder, source)].flatMap(membersOf);
  return all.filter((each) => memberKey(each) === memberKey(member));
}

function memberKey(member: Member): string {
  return `${isStatic(member) ? 'static ' : ''}${member.name.text}`;
}

/** The member with its type parameters resolved. */
function findProperty(target: ts.Symbol, member: Member, checker: ts.TypeChecker): ts.Symbol | undefined {
  const type = checker.getTypeOfSymbol(target);
  const [constructor] = type.getConstructSignatures();
  const owner = isStatic(member) ? type : constructor?.getReturnType();
  return owner?.getProperty(member.name.text);
}

function makeTagged(
  methods: readonly Method[],
  exported: Exported,
  holder: Holder,
  told: ToldTags,
  source: SourceProgram,
): Tagged[] {
  const callable = methods.flatMap(({ tagged, symbol }) => {
    const signature = taggedSignature(source.checker.getTypeOfSymbol(symbol), readBlock(tagged));
    return signature === undefined ? [] : [{ tagged, symbol, signature }];
  });
  if (callable.length === 0) return [];
  const isHidden = ts.isClassLike(holder) && classBlock(holder).tags.some(({ name }) => name === 'hidden');
  if (isHidden || !isUsable(callable, exported, holder, source)) {
    for (const { tagged } of callable) told.add(readBlock(tagged).tags);
    return [];
  }
  const instance = ts.isClassLike(holder) ? instanceOf(holder, source) : undefined;
  const seen = new Set<string>();
  return callable.flatMap(({ tagged, symbol, signature }): Tagged[] => {
    if (seen.has(memberKey(tagged))) return [];
    seen.add(memberKey(tagged));
    const { name, target, file } = exported;
    const isOfInstance = instance !== undefined && !isStatic(tagged);
    return [
      {
        file,
        exportName: name,
        name: tagged.name.text,
        block: withOverridden(readBlock(tagged), listDeclarations(tagged, holder, source)),
        at: tagged.name,
        symbol,
        holder: target,
        isLibrary: false,
        signature,
        method: { name: tagged.name.text, ...(isOfInstance ? { instance } : {}) },
      },
    ];
  });
}

/** Reports a class that cannot be instantiated. */
function isUsable(
  methods: readonly Method[],
  { target }: Exported,
  holder: Holder,
  { checker, diagnostics, originOf }: SourceProgram,
): boolean {
  if (!ts.isClassLike(holder) || methods.every(({ tagged }) => isStatic(tagged))) return true;
  const because = whyNotConstructible(target, holder, checker);
  if (because === undefined) return true;
  const name = holder.name?.text ?? 'the class';
  diagnostics.report('class-not-constructible', { name, because }, { at: originOf(holder.name ?? holder) });
  return false;
}
