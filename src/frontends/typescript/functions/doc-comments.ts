/** The JSDoc blocks of a file, and what each stands before. */
import { ts } from 'ts-morph';
import { blockLines, type Docs, parseLines } from '../docs/doc-text.ts';

export interface DocComment {
  docs: Docs;
  /** The largest node that begins behind it; absent where none does. */
  node: ts.Node | undefined;
  /** What both stand in. */
  parent: ts.Node;
  /** Another block stands between it and the node. */
  isBehindAnother: boolean;
}

/** In order. Blocks without tags are none. */
export function docCommentsOf(file: ts.SourceFile): DocComment[] {
  return [...file.text.matchAll(/\/\*\*(?!\/)(?:[^*]|\*(?!\/))*\*\//g)]
    .filter(([text]) => text.includes('@'))
    .flatMap(({ 0: text, index }) => commentAt(file, index, index + text.length) ?? []);
}

function commentAt(file: ts.SourceFile, start: number, end: number): DocComment | undefined {
  const line = file.text.slice(file.text.lastIndexOf('\n', start) + 1, start);
  if (/^\s*(?:\/\/|\*)/.test(line)) return undefined;
  const { node, parent } = nodeBehind(file, start, end);
  if (node === undefined && isText(parent)) return undefined;
  const between = node === undefined ? '' : file.text.slice(end, node.getStart(file));
  return {
    docs: parseLines(blockLines(file, start, end), file),
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

/** What looks like a block is a part of a text. */
function isText(node: ts.Node): boolean {
  return ts.isLiteralExpression(node) || ts.isTemplateLiteralToken(node) || ts.isJsxText(node);
}
