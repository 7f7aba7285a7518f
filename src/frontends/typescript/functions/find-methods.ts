import { ts } from 'ts-morph';

import { resolveAlias } from '../program/checker-queries.ts';
import type { SourceProgram } from '../program/source-program.ts';
import { TAGS, TAG_NAMES, type TagName, isItemTag } from '../tags/tag-registry.ts';
import { type Docs, type DocTag, findDocs, findSymbolDocs } from '../docs/read-docs.ts';
import { reportBadTag, findTag } from '../tags/tag-values.ts';
import {
  type Holder,
  type Instance,
  type Member,
  type Tagged,
  type HandledTags,
  findMethodHolder,
  isAbstract,
  isStatic,
  listReachableMembers,
  listTaggedMembers,
  taggedSignature,
} from './tagged.ts';

interface Method {
  tagged: Member;
  symbol: ts.Symbol;
}

export function listOwnMethods(
  exported: Exported,
  holder: Holder,
  { handledTags, instantiated }: { handledTags: HandledTags; instantiated: ReadonlySet<ts.Node> },
  source: SourceProgram,
): Tagged[] {
  // Instance methods of an abstract class are served by the classes that extend it, or by an exported instance.
  const isBase = ts.isClassLike(holder) && (isAbstract(holder) || instantiated.has(holder));
  const methods = listTaggedMembers(holder).flatMap((tagged): Method[] => {
    const symbol = source.checker.getSymbolAtLocation(tagged.name);
    const isServed = symbol !== undefined && (!isBase || isStatic(tagged));
    return isServed ? [{ tagged, symbol }] : [];
  });
  return makeTaggedMethods(methods, exported, holder, handledTags, source);
}

/** The tagged methods of an exported instance, its class's own first. An override without tags keeps those of the base class. */
export function instanceMethods(
  exported: Exported,
  instance: Instance,
  handledTags: HandledTags,
  source: SourceProgram,
): Tagged[] {
  const { holder, type } = instance;
  const classes = ts.isClassLike(holder) ? [holder, ...listBaseClasses(holder, source)] : [holder];
  const seen = new Set<string>();
  const methods: Method[] = [];
  for (const tagged of classes.flatMap(listTaggedMembers).filter((member) => !isStatic(member))) {
    const symbol = type.getProperty(tagged.name.text);
    handledTags.addTags(findDocs(tagged).tags);
    if (symbol !== undefined && !seen.has(tagged.name.text)) methods.push({ tagged, symbol });
    seen.add(tagged.name.text);
  }
  if (methods.length === 0) return [];
  const prefix = readPrefix(exported, handledTags, source);
  const taggedMethods = makeTaggedMethods(methods, exported, instance, handledTags, source);
  return prefix === undefined ? taggedMethods : taggedMethods.map((method) => ({ ...method, prefix }));
}

function readPrefix(
  { place, target }: Exported,
  handledTags: HandledTags,
  source: SourceProgram,
): string | undefined {
  const docs = [...listExportNodes(place), ...listEnclosingPatterns(place)]
    .map(findDocs)
    .concat(findSymbolDocs(target));
  const tag = docs.map((doc) => findTag(doc, 'prefix')).find((candidate) => candidate !== undefined);
  if (tag === undefined) return undefined;
  handledTags.addTags([tag]);
  if (/^[\w.-]+$/.test(tag.text)) return tag.text;
  reportBadTag(tag, 'takes one word of letters, digits, "_", "-" and "."', source);
  return undefined;
}

/** Methods in `elsewhere` are served by themselves. An override without tags keeps the tags of the base class. */
export function inheritedMethods(
  exported: Exported,
  holder: Holder,
  {
    handledTags,
    elsewhere,
    instantiated,
  }: { handledTags: HandledTags; elsewhere: HandledTags; instantiated: ReadonlySet<ts.Node> },
  source: SourceProgram,
): Tagged[] {
  if (!ts.isClassLike(holder) || isAbstract(holder) || instantiated.has(holder)) return [];
  const taggedKeys = new Set(listTaggedMembers(holder).map(memberKey));
  const methods: Method[] = [];
  for (const tagged of listBaseClasses(holder, source).flatMap(listTaggedMembers)) {
    const { tags } = findDocs(tagged);
    const symbol = findMemberSymbol(exported.target, tagged, source.checker);
    if (taggedKeys.has(memberKey(tagged))) handledTags.addTags(tags);
    else if (symbol !== undefined && !elsewhere.hasAnyItemTag(tags)) methods.push({ tagged, symbol });
    taggedKeys.add(memberKey(tagged));
  }
  return makeTaggedMethods(methods, exported, holder, handledTags, source);
}

function listDeclarationsOfMember(member: Member, holder: Holder, source: SourceProgram): ts.Node[] {
  if (!ts.isClassLike(holder)) return [member];
  const all = [holder, ...listBaseClasses(holder, source)].flatMap(listReachableMembers);
  return all.filter((overload) => memberKey(overload) === memberKey(member));
}

function memberKey(member: Member): string {
  return `${isStatic(member) ? 'static ' : ''}${member.name.text}`;
}

function findMemberSymbol(target: ts.Symbol, member: Member, checker: ts.TypeChecker): ts.Symbol | undefined {
  const type = checker.getTypeOfSymbol(target);
  const [constructor] = type.getConstructSignatures();
  const owner = isStatic(member) ? type : constructor?.getReturnType();
  return owner?.getProperty(member.name.text);
}

function makeTaggedMethods(
  methods: readonly Method[],
  exported: Exported,
  of: Holder | Instance,
  handledTags: HandledTags,
  source: SourceProgram,
): Tagged[] {
  const isMade = 'holder' in of;
  const holder = isMade ? of.holder : of;
  const callable = methods.flatMap(({ tagged, symbol }) => {
    const signature = taggedSignature(source.checker.getTypeOfSymbol(symbol), findDocs(tagged));
    return signature === undefined ? [] : [{ tagged, symbol, signature }];
  });
  if (callable.length === 0) return [];
  const isHidden = ts.isClassLike(holder) && readClassDocs(holder).tags.some(({ name }) => name === 'hidden');
  if (isHidden) {
    for (const { tagged } of callable) handledTags.addTags(findDocs(tagged).tags);
    return [];
  }
  if (!isMade) reportIfNotConstructible(callable, exported, holder, source);
  const instance = !isMade && ts.isClassLike(holder) ? readInstanceTag(holder, source) : undefined;
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
        block: mergeOverriddenDocs(findDocs(tagged), listDeclarationsOfMember(tagged, holder, source)),
        at: tagged.name,
        symbol,
        holder: target,
        isFromLibrary: false,
        signature,
        method: { name: tagged.name.text, ...(isOfInstance ? { instance } : {}) },
      },
    ];
  });
}

/** The methods of a class that can't be made are read too, for their own faults. */
function reportIfNotConstructible(
  methods: readonly Method[],
  { target }: Exported,
  holder: Holder,
  { checker, diagnostics, originOf }: SourceProgram,
): void {
  if (!ts.isClassLike(holder) || methods.every(({ tagged }) => isStatic(tagged))) return;
  const because = explainNotConstructible(target, holder, checker);
  if (because === undefined) return;
  const name = holder.name?.text ?? 'the class';
  const type = holder.name?.text ?? 'TheClass';
  const construction = because === NOT_PUBLIC ? `${type}.create()` : `new ${type}(…)`;
  const at = originOf(holder.name ?? holder);
  diagnostics.report('class-not-constructible', { name, because, made: construction }, { at });
}

export interface Exported {
  file: ts.SourceFile;
  name: string;
  place: ts.Declaration | undefined;
  target: ts.Symbol;
}

/** Lists the places of an export: its entry in an export list, and the whole list. */
export function listExportNodes(place: ts.Declaration | undefined): ts.Node[] {
  if (place === undefined) return [];
  return ts.isExportSpecifier(place) ? [place, place.parent.parent] : [place];
}

/** `a` of `export const { of: { a } } = make()`: lists `of: …` and the whole declaration. */
function listEnclosingPatterns(place: ts.Node | undefined): ts.Node[] {
  if (place === undefined || !ts.isBindingElement(place)) return [];
  const around = place.parent.parent;
  return [around, ...listEnclosingPatterns(around)];
}

/** Lists exports by position, since TypeScript lists functions first. */
export function listExports(file: ts.SourceFile, { checker }: SourceProgram): Exported[] {
  const module = checker.getSymbolAtLocation(file);
  if (module === undefined) return [];
  const whole = module.exports?.get(ts.InternalSymbolName.ExportEquals);
  const all = [...(whole ? [whole] : []), ...checker.getExportsOfModule(module)];
  const found = all.map((symbol): Exported => ({
    file,
    // `export =` is the default export for ES modules.
    name: symbol === whole ? 'default' : symbol.name,
    place: symbol.declarations?.find((declaration) => declaration.getSourceFile() === file),
    target: resolveAlias(symbol, checker),
  }));
  if (whole !== undefined) found.push(...listCommonJsExports(whole, found, checker));
  return found.sort((a, b) => (a.place?.pos ?? Infinity) - (b.place?.pos ?? Infinity) || 0);
}

/** `module.exports = { greet, twice: double, one: new Counter(1) }` exports each by its name. */
function listCommonJsExports(
  whole: ts.Symbol,
  otherExports: readonly Exported[],
  checker: ts.TypeChecker,
): Exported[] {
  const holder = findMethodHolder(whole.declarations?.[0]);
  if (holder === undefined || !ts.isObjectLiteralExpression(holder)) return [];
  return holder.properties.flatMap((place): Exported[] => {
    const symbol = ts.isShorthandPropertyAssignment(place)
      ? checker.getShorthandAssignmentValueSymbol(place)
      : ts.isPropertyAssignment(place) &&
        checker.getSymbolAtLocation(asIdentifier(place.initializer) ?? place.name);
    const name = place.name !== undefined && ts.isIdentifier(place.name) ? place.name.text : undefined;
    const isKnown =
      findDocs(place).tags.length > 0 || otherExports.some((otherExport) => otherExport.name === name);
    if (!symbol || name === undefined || isKnown) return [];
    return [{ file: place.getSourceFile(), name, place, target: resolveAlias(symbol, checker) }];
  });
}

function asIdentifier(value: ts.Expression): ts.Identifier | undefined {
  return ts.isIdentifier(value) ? value : undefined;
}

export function findDeclaration({ target }: Exported): ts.Declaration | undefined {
  return target.valueDeclaration ?? target.declarations?.[0];
}

function listBaseClasses(
  declaration: ts.ClassLikeDeclaration,
  source: SourceProgram,
): ts.ClassLikeDeclaration[] {
  const { checker, userFiles } = source;
  const extended = declaration.heritageClauses?.find(({ token }) => token === ts.SyntaxKind.ExtendsKeyword);
  const [base] = extended?.types ?? [];
  const above = base && checker.getTypeAtLocation(base).getSymbol()?.valueDeclaration;
  if (above === undefined || !ts.isClassLike(above) || !userFiles.includes(above.getSourceFile())) return [];
  return [above, ...listBaseClasses(above, source)];
}

function readInstanceTag(declaration: ts.ClassLikeDeclaration, source: SourceProgram): 'process' | 'session' {
  const classes = [declaration, ...listBaseClasses(declaration, source)];
  const [tag] = classes.flatMap((classNode) => findTag(readClassDocs(classNode), 'instance') ?? []);
  if (tag === undefined || tag.text === 'process') return 'process';
  if (tag.text !== 'session')
    reportBadTag(
      tag,
      'must be `process` (one instance for the server) or `session` (one for each session)',
      source,
    );
  return 'session';
}

/** The block of a class expression stands before the variable it is assigned to. */
function readClassDocs(declaration: ts.ClassLikeDeclaration): Docs {
  const { parent } = declaration;
  const isValue = ts.isVariableDeclaration(parent) || ts.isExportAssignment(parent);
  return findDocs(ts.isClassExpression(declaration) && isValue ? parent : declaration);
}

const NOT_PUBLIC = 'its constructor is not public';

/** Explains why a class can't be made, in words that follow a colon. */
function explainNotConstructible(
  target: ts.Symbol,
  declaration: ts.ClassLikeDeclaration,
  checker: ts.TypeChecker,
): string | undefined {
  if (isAbstract(declaration)) return 'it is abstract, and no exported class extends it';
  const constructors = checker.getTypeOfSymbol(target).getConstructSignatures().filter(isPublic);
  if (constructors.length === 0) return NOT_PUBLIC;
  return constructors.some(hasNoRequiredParameters) ? undefined : 'its constructor needs arguments';
}

/** TypeScript lists private constructors too. */
function isPublic({ declaration }: ts.Signature): boolean {
  const hidden = ts.ModifierFlags.Private | ts.ModifierFlags.Protected;
  if (declaration === undefined || ts.isJSDocSignature(declaration)) return true;
  return (ts.getCombinedModifierFlags(declaration) & hidden) === 0;
}

function hasNoRequiredParameters({ declaration, parameters }: ts.Signature): boolean {
  if (parameters.length === 0) return true;
  return (declaration?.parameters ?? []).every(
    (parameter) =>
      ts.isParameter(parameter) &&
      (parameter.initializer !== undefined ||
        parameter.questionToken !== undefined ||
        parameter.dotDotDotToken !== undefined),
  );
}

/**
 * Scopes of overridden methods are joined, so that none is lost; for hints the nearest method counts. `declared` has
 * the nearest class first.
 */
function mergeOverriddenDocs(block: Docs, declared: readonly ts.Node[]): Docs {
  if (declared.length < 2) return block;
  const blocks = declared.map(findDocs);
  const items = block.tags.map(({ name }) => name).filter(isItemTag);
  const names = TAG_NAMES.filter((name) => {
    const { inherited, about = [] } = TAGS[name];
    return inherited !== undefined && items.some((item) => about.includes(item));
  });
  const inherited = names.flatMap((name) => effectiveTags(name, blocks));
  const ownTags = block.tags.filter((tag) => !names.some((name) => name === tag.name));
  return { ...block, tags: [...ownTags, ...inherited] };
}

function effectiveTags(name: TagName, blocks: readonly Docs[]): DocTag[] {
  const tagsByBlock = blocks.map(({ tags }) => tags.filter((tag) => tag.name === name));
  return TAGS[name].inherited === 'beside'
    ? tagsByBlock.flat()
    : (tagsByBlock.find((tags) => tags.length > 0) ?? []);
}
