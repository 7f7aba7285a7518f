import { ts } from 'ts-morph';

import { resolveAlias } from '../program/checker-queries.ts';
import type { SourceProgram } from '../program/source-program.ts';
import { TAGS, TAG_NAMES, isItemTag } from '../tags/tag-registry.ts';
import { type Docs, findDocs, findSymbolDocs } from '../docs/read-docs.ts';
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

/** What the exports of all files say of classes. */
export interface ClassUses {
  handledTags: HandledTags;
  /** Classes with an exported instance, which is served in their place. */
  instantiated: ReadonlySet<ts.Node>;
  exported: ReadonlySet<ts.Node>;
}

/**
 * The tagged methods of an exported class, object or instance, its own first. An override without tags keeps those of the base
 * class; a base class that is exported serves its methods itself.
 */
export function listMethods(
  exported: Exported,
  of: Holder | Instance,
  { handledTags, instantiated, exported: exportedHolders }: ClassUses,
  source: SourceProgram,
): Tagged[] {
  const { checker } = source;
  const instance = 'holder' in of ? of : undefined;
  const holder = 'holder' in of ? of.holder : of;
  const isBase = (node: Holder): boolean =>
    ts.isClassLike(node) && (isAbstract(node) || instantiated.has(node));
  const isServed = (member: Member, node: Holder): boolean => {
    if (instance !== undefined) return true;
    if (node === holder) return isStatic(member) || !isBase(node);
    const servesItself = exportedHolders.has(node) && (isStatic(member) || !isBase(node));
    return !servesItself && !instantiated.has(node) && !isBase(holder);
  };
  const owners = new Map<string, Holder>();
  const methods: Method[] = [];
  for (const node of ts.isClassLike(holder) ? [holder, ...listBaseClasses(holder, source)] : [holder]) {
    for (const tagged of listTaggedMembers(node)) {
      if (instance !== undefined && isStatic(tagged)) continue;
      const key = memberKey(tagged);
      const owner = owners.get(key) ?? node;
      // Of an overridden method; of overloads the first that has tags is served.
      if (instance !== undefined || owner !== node) handledTags.addTags(findDocs(tagged).tags);
      if (owners.has(key)) continue;
      owners.set(key, node);
      const symbol =
        instance !== undefined
          ? instance.type.getProperty(tagged.name.text)
          : node === holder
            ? checker.getSymbolAtLocation(tagged.name)
            : findMemberSymbol(exported.target, tagged, checker);
      if (symbol !== undefined && isServed(tagged, node)) methods.push({ tagged, symbol });
    }
  }
  if (methods.length === 0) return [];
  const prefix = instance && readPrefix(exported, handledTags, source);
  const taggedMethods = makeTaggedMethods(methods, exported, of, handledTags, source);
  return prefix === undefined ? taggedMethods : taggedMethods.map((method) => ({ ...method, prefix }));
}

function readPrefix(
  { place, target }: Exported,
  handledTags: HandledTags,
  source: SourceProgram,
): string | undefined {
  const docs = [...listExportNodes(place).map(findDocs), findSymbolDocs(target)];
  const tag = docs.map((doc) => findTag(doc, 'prefix')).find((candidate) => candidate !== undefined);
  if (tag === undefined) return undefined;
  handledTags.addTags([tag]);
  if (/^[\w.-]+$/.test(tag.text)) return tag.text;
  reportBadTag(tag, 'takes one word of letters, digits, "_", "-" and "."', source);
  return undefined;
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
  const { name, target, file } = exported;
  const classes = ts.isClassLike(holder) ? [holder, ...listBaseClasses(holder, source)] : [];
  const members = classes.flatMap(listReachableMembers);
  return callable.map(({ tagged, symbol, signature }): Tagged => {
    const isOfInstance = instance !== undefined && !isStatic(tagged);
    return {
      file,
      exportName: name,
      name: tagged.name.text,
      block: mergeOverriddenDocs(
        findDocs(tagged),
        members.filter((member) => memberKey(member) === memberKey(tagged)),
      ),
      at: tagged.name,
      symbol,
      holder: target,
      isFromLibrary: false,
      signature,
      method: { name: tagged.name.text, ...(isOfInstance ? { instance } : {}) },
    };
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
  const hidden = ts.ModifierFlags.Private | ts.ModifierFlags.Protected;
  // TypeScript lists private constructors too.
  const constructors = checker
    .getTypeOfSymbol(target)
    .getConstructSignatures()
    .filter(
      ({ declaration }) =>
        !declaration || (ts.getCombinedModifierFlags(declaration as ts.Declaration) & hidden) === 0,
    );
  const isFree = constructors.some(({ parameters }) =>
    parameters.every(({ valueDeclaration: parameter }) => {
      if (parameter === undefined || !ts.isParameter(parameter)) return false;
      return checker.isOptionalParameter(parameter) || parameter.dotDotDotToken !== undefined;
    }),
  );
  const because = isAbstract(holder)
    ? 'it is abstract, and no exported class extends it'
    : constructors.length === 0
      ? 'its constructor is not public'
      : 'its constructor needs arguments';
  if (isFree && !isAbstract(holder)) return;
  const { text: type = 'TheClass' } = holder.name ?? {};
  const construction = constructors.length === 0 ? `${type}.create()` : `new ${type}(…)`;
  const at = originOf(holder.name ?? holder);
  diagnostics.report(
    'class-not-constructible',
    { name: holder.name?.text ?? 'the class', because, made: construction },
    { at },
  );
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
        checker.getSymbolAtLocation(ts.isIdentifier(place.initializer) ? place.initializer : place.name);
    const name = place.name !== undefined && ts.isIdentifier(place.name) ? place.name.text : undefined;
    const isKnown =
      findDocs(place).tags.length > 0 || otherExports.some((otherExport) => otherExport.name === name);
    if (!symbol || name === undefined || isKnown) return [];
    return [{ file: place.getSourceFile(), name, place, target: resolveAlias(symbol, checker) }];
  });
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
  const inherited = names.flatMap((name) => {
    const tagsByBlock = blocks.map(({ tags }) => tags.filter((tag) => tag.name === name));
    const nearest = tagsByBlock.find((tags) => tags.length > 0) ?? [];
    return TAGS[name].inherited === 'beside' ? tagsByBlock.flat() : nearest;
  });
  const ownTags = block.tags.filter((tag) => !names.some((name) => name === tag.name));
  return { ...block, tags: [...ownTags, ...inherited] };
}
