import { ts } from 'ts-morph';

import { type Docs, linesOfBlock, parseDocs } from '../docs/doc-text.ts';

export interface DocComment {
  docs: Docs;
  start: number;
  /** The largest node after the comment. */
  node: ts.Node | undefined;
  parent: ts.Node;
  isBehindAnother: boolean;
}

export function* findDocComments(file: ts.SourceFile): Generator<DocComment> {
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

/** Finds the function or method before which the comment stands, if it only lacks an export. */
export function findUnexported({ node, parent, isBehindAnother }: DocComment): ts.Node | undefined {
  const isMember = ts.isClassLike(parent) || ts.isObjectLiteralExpression(parent);
  if (node === undefined || isBehindAnother || !(isMember || ts.isSourceFile(parent))) return undefined;
  if (ts.findAncestor(parent, ts.isFunctionLike) !== undefined || isExported(node)) return undefined;
  if (ts.isVariableStatement(node)) return node.declarationList.declarations[0];
  const isFunction =
    ts.isFunctionDeclaration(node) ||
    ts.isMethodDeclaration(node) ||
    ts.isPropertyDeclaration(node) ||
    ts.isPropertyAssignment(node);
  return isFunction ? node : undefined;
}

function isExported(node: ts.Node): boolean {
  if (ts.isExportAssignment(node) || ts.isExportDeclaration(node)) return true;
  const statement = ts.findAncestor(node, (ancestor) => ts.isSourceFile(ancestor.parent));
  if (statement === undefined) return false;
  const modifiers = ts.canHaveModifiers(statement) ? (ts.getModifiers(statement) ?? []) : [];
  return (
    modifiers.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) || ts.isExportAssignment(statement)
  );
}
