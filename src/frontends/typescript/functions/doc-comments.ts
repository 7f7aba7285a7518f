import { ts } from 'ts-morph';

import { omitUndefined } from '../../../util/collections.ts';
import { type Docs, linesOfBlock, parseDocs } from '../docs/doc-text.ts';

export interface DocComment {
  docs: Docs;
  text: string;
  start: number;
  /** The largest node after the comment. */
  node: ts.Node | undefined;
  parent: ts.Node;
  isBehindAnother: boolean;
}

export function findDocComments(file: ts.SourceFile): readonly DocComment[] {
  const found = known.get(file) ?? [...scanDocComments(file)];
  known.set(file, found);
  return found;
}

const known = new WeakMap<ts.SourceFile, readonly DocComment[]>();

function* scanDocComments(file: ts.SourceFile): Generator<DocComment> {
  const { text } = file;
  for (let start = text.indexOf('/*'); start !== -1;) {
    const end = findEnd(start, text);
    const { node, parent } = findNodeBehind(file, start, end);
    const isComment = !isInLineComment(start, text) && (node !== undefined || !isText(parent));
    if (isComment && text.startsWith('/**', start) && text.slice(start, end).includes('@'))
      yield makeDocComment(file, start, end, { node, parent });
    start = text.indexOf('/*', isComment ? end : start + 2);
  }
}

function findEnd(start: number, text: string): number {
  const end = text.indexOf('*/', start + 2);
  return end === -1 ? text.length : end + 2;
}

function isInLineComment(start: number, text: string): boolean {
  return /(?:^|\s)\/\//.test(text.slice(text.lastIndexOf('\n', start) + 1, start));
}

function makeDocComment(
  file: ts.SourceFile,
  start: number,
  end: number,
  { node, parent }: Pick<DocComment, 'node' | 'parent'>,
): DocComment {
  const between = node === undefined ? '' : file.text.slice(end, node.getStart(file));
  return {
    docs: parseDocs(linesOfBlock(file, start, end), file),
    text: file.text.slice(start, end),
    start,
    node,
    parent,
    isBehindAnother: /\/\*\*(?!\/)/.test(between),
  };
}

function findNodeBehind(
  file: ts.SourceFile,
  start: number,
  end: number,
): { node: ts.Node | undefined; parent: ts.Node } {
  let parent: ts.Node = file;
  for (;;) {
    const around = findChildAround(parent, start);
    if (around === undefined || around.kind === ts.SyntaxKind.EndOfFileToken)
      return { node: undefined, parent };
    if (end <= around.getStart(file)) return { node: around, parent };
    parent = around;
  }
}

function findChildAround(parent: ts.Node, position: number): ts.Node | undefined {
  return ts.forEachChild(parent, (child) =>
    child.pos <= position && position < child.end ? child : undefined,
  );
}

/** The text of a literal only looks like a comment. */
function isText(node: ts.Node): boolean {
  return ts.isLiteralExpression(node) || ts.isTemplateLiteralToken(node) || ts.isJsxText(node);
}

interface Reason {
  what: string;
  /** Why no item is served; absent if only an export is missing. */
  because?: string;
}

export function explainNotServed(comment: DocComment): Reason {
  const { node } = comment;
  const because = findReasonNotServed(comment);
  return {
    what: node === undefined ? '' : findNodeName(node),
    ...omitUndefined({ because }),
  };
}

function findReasonNotServed({ node, parent, start, isBehindAnother }: DocComment): string | undefined {
  const inHead = explainPlaceInDeclaration(parent, start);
  if (inHead !== undefined) return inHead;
  if (node === undefined) return 'nothing follows it';
  if (isBehindAnother) return 'another block is between it and its declaration';
  return explainUncallableKind(node) ?? explainUnreachablePlace(parent) ?? explainUnservedDeclaration(node);
}

function findNodeName(node: ts.Node): string {
  const [first] = ts.isVariableStatement(node) ? node.declarationList.declarations : [node];
  const name = first && ts.getNameOfDeclaration(first as ts.Declaration);
  return name !== undefined && (ts.isIdentifier(name) || ts.isPrivateIdentifier(name)) ? name.text : 'This';
}

function explainUncallableKind(node: ts.Node): string | undefined {
  if (ts.isAccessor(node)) return 'a getter or setter is no function that can be called';
  if (ts.isConstructorDeclaration(node)) return 'a constructor is no function that can be called';
  if (ts.isParameter(node)) return 'a parameter is no function';
  if (ts.isModuleDeclaration(node)) return 'a namespace is no function';
  if (ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node) || ts.isTypeElement(node))
    return ts.isObjectLiteralElement(node) ? undefined : 'a type is nothing that can be called';
  const name = ts.getNameOfDeclaration(node as ts.Declaration);
  return name !== undefined && ts.isComputedPropertyName(name) ? 'its name is computed' : undefined;
}

function explainPlaceInDeclaration(parent: ts.Node, start: number): string | undefined {
  const name = ts.getNameOfDeclaration(parent as ts.Declaration);
  if (name === undefined || name.getStart() < start || !ts.canHaveModifiers(parent)) return undefined;
  const decorators = ts.canHaveDecorators(parent) ? (ts.getDecorators(parent) ?? []) : [];
  return decorators.some(({ end }) => end <= start)
    ? 'it follows a decorator, and counts only before all of them'
    : 'it follows the beginning of its declaration, and counts only before that';
}

function explainUnreachablePlace(parent: ts.Node): string | undefined {
  for (let each = parent; !ts.isSourceFile(each); each = each.parent) {
    if (ts.isModuleDeclaration(each)) return 'it is in a namespace, which is no module';
    if (ts.isFunctionLike(each) || ts.isClassStaticBlockDeclaration(each)) return 'it is inside a function';
    if (ts.isInterfaceDeclaration(each) || ts.isTypeNode(each)) return 'a type is nothing that can be called';
    if (ts.isObjectLiteralExpression(each) && !isExportedValue(each))
      return 'only objects that are exported by themselves are looked into';
  }
  return undefined;
}

function isExportedValue(object: ts.Node): boolean {
  const above = ts.findAncestor(object.parent, (each) => !isWrapping(each));
  return above !== undefined && (ts.isVariableDeclaration(above) || ts.isExportAssignment(above));
}

function isWrapping(node: ts.Node): boolean {
  return ts.isParenthesizedExpression(node) || ts.isAsExpression(node) || ts.isSatisfiesExpression(node);
}

function explainUnservedDeclaration(node: ts.Node): string | undefined {
  const flags = ts.getCombinedModifierFlags(node as ts.Declaration);
  const name = ts.getNameOfDeclaration(node as ts.Declaration);
  const isMember = ts.isClassElement(node);
  if (flags & ts.ModifierFlags.Abstract) return 'it is abstract, and no exported class has it';
  if (flags & ts.ModifierFlags.Protected) return 'it is protected, and only public methods can be called';
  const isPrivate = (flags & ts.ModifierFlags.Private) !== 0 || (name && ts.isPrivateIdentifier(name));
  if (isPrivate === true) return 'it is private, and only public methods can be called';
  if (!isExported(node)) return undefined;
  if (isMember && ts.isClassLike(node.parent) && isAbstractClass(node.parent))
    return 'its class is abstract, and no exported class extends it';
  return isOverloaded(node)
    ? 'another block of it has the tags, and of overloads the first that is tagged is served'
    : 'it is no function, or another block of it has the tags';
}

function isOverloaded(node: ts.Node): boolean {
  if (!mayOverload(node)) return false;
  const name = node.name?.getText();
  const isOtherOverload = (each: ts.Node): boolean =>
    each !== node && mayOverload(each) && each.name?.getText() === name;
  return ts.forEachChild(node.parent, (each) => isOtherOverload(each) || undefined) === true;
}

function mayOverload(node: ts.Node): node is ts.FunctionDeclaration | ts.MethodDeclaration {
  return ts.isFunctionDeclaration(node) || ts.isMethodDeclaration(node);
}

function isAbstractClass(node: ts.ClassLikeDeclaration): boolean {
  return (ts.getCombinedModifierFlags(node) & ts.ModifierFlags.Abstract) !== 0;
}

function isExported(node: ts.Node): boolean {
  if (ts.isExportAssignment(node) || ts.isExportDeclaration(node)) return true;
  const statement = ts.findAncestor(node, (each) => ts.isSourceFile(each.parent));
  if (statement === undefined) return false;
  const modifiers = ts.canHaveModifiers(statement) ? (ts.getModifiers(statement) ?? []) : [];
  return (
    modifiers.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) || ts.isExportAssignment(statement)
  );
}
