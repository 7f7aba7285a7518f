/** Tagged methods of an exported class. */
import { ts } from 'ts-morph';
import type { SourceProgram } from '../program/source-program.ts';
import { isItemTag } from '../tags/known-tags.ts';
import { readBlock, tagNamed } from '../tags/read-block.ts';
import type { Exported } from './find-tagged.ts';
import type { Tagged } from './tagged.ts';

export function* findMethods(
  { file, name: exportName, target }: Exported,
  declaration: ts.ClassDeclaration,
  source: SourceProgram,
): Generator<Tagged> {
  const { checker } = source;
  const methods = [...taggedMembers(declaration)];
  const instance = instanceOf(declaration, source);
  if (methods.some((member) => !isStatic(member)) && !isConstructible(target, declaration, source)) return;
  const seen = new Set<ts.Symbol>();
  for (const member of methods) {
    const symbol = checker.getSymbolAtLocation(member.name);
    const signature = symbol && checker.getTypeOfSymbol(symbol).getCallSignatures()[0];
    if (symbol === undefined || signature === undefined || seen.has(symbol)) continue;
    seen.add(symbol);
    const name = symbol.name;
    yield {
      file,
      exportName,
      name,
      block: readBlock(member),
      at: member.name,
      symbol,
      isLibrary: false,
      signature,
      method: { name, ...(isStatic(member) ? {} : { instance }) },
    };
  }
}

type Member = (ts.MethodDeclaration | ts.PropertyDeclaration) & { name: ts.PropertyName };

/** Public ones; others are told of as not exported. */
function* taggedMembers(declaration: ts.ClassDeclaration): Generator<Member> {
  for (const member of declaration.members) {
    if (!ts.isMethodDeclaration(member) && !ts.isPropertyDeclaration(member)) continue;
    const hidden = ts.ModifierFlags.Private | ts.ModifierFlags.Protected | ts.ModifierFlags.Abstract;
    const isReachable = ts.isIdentifier(member.name) || ts.isStringLiteral(member.name);
    if (!isReachable || (ts.getCombinedModifierFlags(member) & hidden) !== 0) continue;
    if (readBlock(member).tags.some(({ name }) => isItemTag(name))) yield member;
  }
}

function isStatic(member: Member): boolean {
  return (ts.getCombinedModifierFlags(member) & ts.ModifierFlags.Static) !== 0;
}

/** `@instance session` of the class. */
function instanceOf(
  declaration: ts.ClassDeclaration,
  { diagnostics, originOfTag }: SourceProgram,
): 'process' | 'session' {
  const tag = tagNamed(readBlock(declaration), 'instance');
  if (tag === undefined || tag.text === 'process') return 'process';
  if (tag.text !== 'session') {
    const problem = 'must be `process` (one instance for the server) or `session` (one for each session)';
    diagnostics.report('bad-tag', { tag: 'instance', problem }, { at: originOfTag(tag) });
  }
  return 'session';
}

function isConstructible(
  target: ts.Symbol,
  declaration: ts.ClassDeclaration,
  { checker, diagnostics, originOf }: SourceProgram,
): boolean {
  const because = whyNot(target, declaration, checker);
  if (because === undefined) return true;
  const at = originOf(declaration.name ?? declaration);
  diagnostics.report(
    'class-not-constructible',
    { name: declaration.name?.text ?? 'the class', because },
    { at },
  );
  return false;
}

function whyNot(
  target: ts.Symbol,
  declaration: ts.ClassDeclaration,
  checker: ts.TypeChecker,
): string | undefined {
  if ((ts.getCombinedModifierFlags(declaration) & ts.ModifierFlags.Abstract) !== 0) return 'it is abstract';
  const constructors = checker.getTypeOfSymbol(target).getConstructSignatures();
  const isFree = constructors.some(({ declaration: constructor, parameters }) => {
    if (parameters.length === 0) return true;
    return (constructor?.parameters ?? []).every(
      (each) =>
        ts.isParameter(each) &&
        (each.initializer !== undefined ||
          each.questionToken !== undefined ||
          each.dotDotDotToken !== undefined),
    );
  });
  if (isFree || constructors.length === 0) return isFree ? undefined : 'its constructor is not public';
  return 'its constructor needs arguments';
}
