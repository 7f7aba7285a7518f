import { ts } from 'ts-morph';

/** Finds all JSDoc blocks, including those at the end of a file and before other blocks. */
export function docBlocksOf(file: ts.SourceFile): ts.JSDoc[] {
  const blocks = new Map<number, ts.JSDoc>();
  const visit = (node: ts.Node): void => {
    if (file.text.slice(node.pos, node.getStart(file)).includes('/**'))
      for (const block of node.getChildren(file).filter((child) => ts.isJSDoc(child)))
        blocks.set(block.pos, block);
    ts.forEachChild(node, visit);
  };
  visit(file);
  return [...blocks.values()];
}
