import { ts } from 'ts-morph';

/** The JSDoc blocks of a file as TypeScript reads them, also those at its end, and before another block. */
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
