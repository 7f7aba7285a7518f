/** Finds the comments of a file that may have tags. */
import { ts } from 'ts-morph';
import { blockLines, type Docs, parseLines } from '../docs/doc-text.ts';

export interface DocComment {
  docs: Docs;
  text: string;
  start: number;
  /** The largest node after the comment. */
  node: ts.Node | undefined;
  /** The node that contains both. */
  parent: ts.Node;
  isBehindAnother: boolean;
}

export function docCommentsOf(file: ts.SourceFile): readonly DocComment[] {
  const found = known.get(file) ?? [...findComments(file)];
  known.set(file, found);
  return found;
}

const known = new WeakMap<ts.SourceFile, readonly DocComment[]>();

function* findComments(file: ts.SourceFile): Generator<DocComment> {
  const { text } = file;
  for (let start = text.indexOf('/*'); start !== -1;) {
    const end = findEnd(start, text);
    const { node, parent } = nodeBehind(file, start, end);
    const isComment = !isInLine(start, text) && (node !== undefined || !isText(parent));
    if (isComment && text.startsWith('/**', start) && text.slice(start, end).includes('@'))
      yield commentAt(file, start, end, { node, parent });
    // A text may hold `/*`, for example in a glob.
    start = text.indexOf('/*', isComment ? end : start + 2);
  }
}

function findEnd(start: number, text: string): number {
  const end = text.indexOf('*/', start + 2);
  return end === -1 ? text.length : end + 2;
}

function isInLine(start: number, text: string): boolean {
  return /(?:^|\s)\/\//.test(text.slice(text.lastIndexOf('\n', start) + 1, start));
}

function commentAt(
  file: ts.SourceFile,
  start: number,
  end: number,
  { node, parent }: Pick<DocComment, 'node' | 'parent'>,
): DocComment {
  const between = node === undefined ? '' : file.text.slice(end, node.getStart(file));
  return {
    docs: parseLines(blockLines(file, start, end), file),
    text: file.text.slice(start, end),
    start,
    node,
    parent,
    isBehindAnother: /\/\*\*(?!\/)/.test(between),
  };
}

function nodeBehind(
  file: ts.SourceFile,
  start: number,
  end: number,
): { node: ts.Node | undefined; parent: ts.Node } {
  let parent: ts.Node = file;
  for (;;) {
    const around = childAround(parent, start);
    if (around === undefined || around.kind === ts.SyntaxKind.EndOfFileToken)
      return { node: undefined, parent };
    if (end <= around.getStart(file)) return { node: around, parent };
    parent = around;
  }
}

function childAround(parent: ts.Node, position: number): ts.Node | undefined {
  return ts.forEachChild(parent, (child) =>
    child.pos <= position && position < child.end ? child : undefined,
  );
}

/** The text of a literal only looks like a comment. */
function isText(node: ts.Node): boolean {
  return ts.isLiteralExpression(node) || ts.isTemplateLiteralToken(node) || ts.isJsxText(node);
}
