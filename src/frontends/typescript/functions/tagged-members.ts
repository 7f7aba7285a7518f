import { ts } from 'ts-morph';
import { isItemTag } from '../tags/tag-registry.ts';
import { readBlock } from '../tags/read-block.ts';

/** An exported value that has methods. */
export type Holder = ts.ClassLikeDeclaration | ts.ObjectLiteralExpression;

type Named =
  ts.MethodDeclaration | ts.PropertyDeclaration | ts.PropertyAssignment | ts.ShorthandPropertyAssignment;

export type Member = Named & { name: ts.Identifier | ts.StringLiteral };

export function holderOf(declaration: ts.Declaration | undefined): Holder | undefined {
  if (declaration === undefined) return undefined;
  const value = unwrapValue(declaration);
  return ts.isClassLike(value) || ts.isObjectLiteralExpression(value) ? value : undefined;
}

function unwrapValue(node: ts.Node): ts.Node {
  if (ts.isVariableDeclaration(node))
    return node.initializer === undefined ? node : unwrapValue(node.initializer);
  const isWrapped =
    ts.isExportAssignment(node) ||
    ts.isParenthesizedExpression(node) ||
    ts.isAsExpression(node) ||
    ts.isSatisfiesExpression(node);
  return isWrapped ? unwrapValue(node.expression) : node;
}

export function taggedMembers(holder: Holder): Member[] {
  return membersOf(holder).filter((member) => readBlock(member).tags.some(({ name }) => isItemTag(name)));
}

/** Lists public members with literal names. */
export function membersOf(holder: Holder): Member[] {
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
  return !has(node, ts.ModifierFlags.Private | ts.ModifierFlags.Protected);
}

export function isAbstract(node: ts.Declaration): boolean {
  return has(node, ts.ModifierFlags.Abstract);
}

export function isStatic(node: ts.Declaration): boolean {
  return has(node, ts.ModifierFlags.Static);
}

function has(node: ts.Declaration, flags: ts.ModifierFlags): boolean {
  return (ts.getCombinedModifierFlags(node) & flags) !== 0;
}
