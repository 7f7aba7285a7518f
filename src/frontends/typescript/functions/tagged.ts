import { ts } from 'ts-morph';

import type { SourceProgram } from '../program/source-program.ts';
import { isItemTag } from '../tags/tag-registry.ts';
import { type Docs, type DocTag, findDocs } from '../docs/read-docs.ts';

/** An exported function, or method of an exported class, with an item tag. */
export interface Tagged {
  file: ts.SourceFile;
  /** The export's name, or the class's for a method. */
  exportName: string;
  name: string;
  block: Docs;
  at: ts.Node;
  symbol: ts.Symbol;
  /** Whether the function is re-exported from a package, whose types cannot be changed. */
  isFromLibrary: boolean;
  signature: ts.Signature;
  holder?: ts.Symbol;
  /** The called method. */
  method?: { name: string; instance?: 'process' | 'session' };
  /** `@prefix` of an exported instance: its tools and prompts begin with it. */
  prefix?: string;
}

/** Tags that are served, or that a diagnostic explains. */
export class HandledTags {
  readonly #places = new Set<string>();

  addTags(tags: readonly DocTag[]): void {
    for (const tag of tags) this.#places.add(tagKey(tag));
  }

  hasAnyItemTag(tags: readonly DocTag[]): boolean {
    return tags.some((tag) => isItemTag(tag.name) && this.hasTag(tag));
  }

  hasTag(tag: DocTag): boolean {
    return this.#places.has(tagKey(tag));
  }
}

function tagKey({ file, offset }: DocTag): string {
  return `${file.fileName}:${offset}`;
}

export type Holder = ts.ClassLikeDeclaration | ts.ObjectLiteralExpression;

type Named =
  ts.MethodDeclaration | ts.PropertyDeclaration | ts.PropertyAssignment | ts.ShorthandPropertyAssignment;

export type Member = Named & { name: ts.Identifier | ts.StringLiteral };

export function findMethodHolder(declaration: ts.Declaration | undefined): Holder | undefined {
  if (declaration === undefined) return undefined;
  const value = unwrapInitializer(declaration);
  return ts.isClassLike(value) || ts.isObjectLiteralExpression(value) ? value : undefined;
}

/** The instance that an exported value is or promises: `new Repo(db)`, `await openRepo()`. */
export interface Instance {
  /** The class, or the object that a factory returns. */
  holder: Holder;
  type: ts.Type;
}

export function findExportedInstance(
  declaration: ts.Declaration | undefined,
  { checker, userFiles }: SourceProgram,
): Instance | undefined {
  if (declaration === undefined || !mayHoldInstance(declaration)) return undefined;
  const value = unwrapInitializer(declaration);
  // Types are read in the order of their use, so those of functions and literals are left alone.
  if (
    findMethodHolder(declaration) !== undefined ||
    ts.isFunctionLike(value) ||
    ts.isLiteralExpression(value)
  )
    return undefined;
  const named = ts.isExportAssignment(declaration) ? declaration.expression : declaration;
  // An interface in the annotation has no tags, but the class of the value does.
  for (const node of [named, value]) {
    const type = unwrapInstanceType(checker.getTypeAtLocation(node), checker);
    const holder = type.getSymbol()?.valueDeclaration;
    const isHolder = holder !== undefined && (ts.isClassLike(holder) || ts.isObjectLiteralExpression(holder));
    // The constructor of a class has the same symbol, and is no instance.
    const isMade = isHolder && type.getConstructSignatures().length === 0;
    if (isMade && userFiles.includes(holder.getSourceFile())) return { holder, type };
  }
  return undefined;
}

function mayHoldInstance(node: ts.Declaration): node is ts.Declaration | ts.ExportAssignment {
  return (
    ts.isVariableDeclaration(node) ||
    ts.isBindingElement(node) ||
    ts.isPropertyAssignment(node) ||
    ts.isExportAssignment(node) ||
    // `exports.repo = …`, `module.exports = …`
    ts.isBinaryExpression(node) ||
    ts.isPropertyAccessExpression(node)
  );
}

/** `Promise<Repo>`, `Repo | undefined` and what `Object.freeze` returns are about `Repo`. */
function unwrapInstanceType(instanceType: ts.Type, checker: ts.TypeChecker): ts.Type {
  const type = checker.getNonNullableType(checker.getAwaitedType(instanceType) ?? instanceType);
  const [frozen] = type.aliasSymbol?.name === 'Readonly' ? (type.aliasTypeArguments ?? []) : [];
  return frozen ?? type;
}

function unwrapInitializer(node: ts.Node): ts.Node {
  if (ts.isVariableDeclaration(node) || ts.isPropertyAssignment(node))
    return node.initializer === undefined ? node : unwrapInitializer(node.initializer);
  // `module.exports = {…}`
  if (ts.isBinaryExpression(node)) return unwrapInitializer(node.right);
  if (ts.isPropertyAccessExpression(node) && ts.isBinaryExpression(node.parent) && node.parent.left === node)
    return unwrapInitializer(node.parent.right);
  const isWrapped =
    ts.isExportAssignment(node) ||
    ts.isParenthesizedExpression(node) ||
    ts.isAsExpression(node) ||
    ts.isSatisfiesExpression(node);
  return isWrapped ? unwrapInitializer(node.expression) : node;
}

export function listTaggedMembers(holder: Holder): Member[] {
  return listReachableMembers(holder).filter((member) =>
    findDocs(member).tags.some(({ name }) => isItemTag(name)),
  );
}

export function listReachableMembers(holder: Holder): Member[] {
  const members: readonly ts.Node[] = ts.isClassLike(holder) ? holder.members : holder.properties;
  return members.filter(isReachable);
}

function isReachable(node: ts.Node): node is Member {
  const isMember =
    ts.isMethodDeclaration(node) ||
    ts.isPropertyDeclaration(node) ||
    ts.isPropertyAssignment(node) ||
    ts.isShorthandPropertyAssignment(node);
  if (!isMember || !(ts.isIdentifier(node.name) || ts.isStringLiteral(node.name))) return false;
  return !hasModifier(node, ts.ModifierFlags.Private | ts.ModifierFlags.Protected);
}

export function isAbstract(node: ts.Declaration): boolean {
  return hasModifier(node, ts.ModifierFlags.Abstract);
}

export function isStatic(node: ts.Declaration): boolean {
  return hasModifier(node, ts.ModifierFlags.Static);
}

function hasModifier(node: ts.Declaration, flags: ts.ModifierFlags): boolean {
  return (ts.getCombinedModifierFlags(node) & flags) !== 0;
}

/** Overloads come before the implementation. */
export function taggedSignature(type: ts.Type, block: Docs): ts.Signature | undefined {
  const signatures = type.getCallSignatures();
  return (
    signatures.find(({ declaration }) => declaration && findDocs(declaration) === block) ?? signatures[0]
  );
}
