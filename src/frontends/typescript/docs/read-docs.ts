import { ts } from 'ts-morph';
import { carried, withDefault } from './carried.ts';
import { blockLines, type DocLine, type Docs, parseLines } from './doc-text.ts';
import { paramTags, withSaid } from './said-docs.ts';

export type { Docs, DocTag, Mention } from './doc-text.ts';

const none: Docs = { tags: [] };

/**
 * Reads the JSDoc of a declaration: the last block before it, even on the same line after other members, and for a
 * parameter the `@param` of its function. Each node is read once.
 */
export function readDocs(node: ts.Node): Docs {
  const known = read.get(node);
  if (known !== undefined) return known;
  const docs = ts.isParameter(node) ? parameterDocs(node) : ownDocs(node);
  read.set(node, docs);
  return docs;
}

const read = new WeakMap<ts.Node, Docs>();

/** Reads the JSDoc of a symbol: of the first of its declarations that has any. */
export function readSymbolDocs(symbol: ts.Symbol): Docs {
  for (const declaration of symbol.declarations ?? []) {
    const docs = readDocs(declaration);
    if (docs !== none && (docs.description !== undefined || docs.tags.length > 0)) return docs;
  }
  return none;
}

function ownDocs(node: ts.Node): Docs {
  if (ts.isJSDocPropertyTag(node) || ts.isJSDocParameterTag(node)) return tagDocs(node);
  if (ts.isJSDocTypedefTag(node) || ts.isJSDocCallbackTag(node)) return typedefDocs(node);
  const file = node.getSourceFile();
  const lines = attachedBlock(node, file) ?? blockBefore(node, file);
  return lines === undefined ? none : parseLines(lines, file);
}

function attachedBlock(node: ts.Node, file: ts.SourceFile): DocLine[] | undefined {
  const block = ts.getJSDocCommentsAndTags(node).findLast((part) => ts.isJSDoc(part));
  return block && blockLines(file, block.pos, block.end);
}

/**
 * Finds a block that TypeScript skips: one that begins on the line of another token, as in `{ a: string; /** Words.
 * *\/ b: string }`, or in a file without parsed docs.
 */
function blockBefore(node: ts.Node, file: ts.SourceFile): DocLine[] | undefined {
  const end = node.getStart(file);
  const [block, text] = /\/\*\*(?!\/)((?:[^*]|\*(?!\/))*)\*\/\s*$/.exec(file.text.slice(node.pos, end)) ?? [];
  if (block === undefined || text === undefined) return undefined;
  return blockLines(file, end - block.length, end - block.length + block.trimEnd().length);
}

function parameterDocs(node: ts.ParameterDeclaration): Docs {
  const own = ownDocs(node);
  const name = ts.isIdentifier(node.name) ? node.name.text : undefined;
  const named = paramTags(readDocs(node.parent)).find(({ head, way }) => head === name && way === '')?.named;
  if (named === undefined) return own;
  // The code's own default wins.
  return withSaid(own, node.initializer === undefined ? withDefault(named) : named.docs);
}

function tagDocs(node: ts.JSDocPropertyLikeTag): Docs {
  const file = node.getSourceFile();
  const block = ts.findAncestor(node, ts.isJSDoc);
  if (block === undefined) return none;
  const start = node.getStart(file);
  const tags = parseLines(blockLines(file, block.pos, block.end), file).tags;
  const tag = tags.find(({ offset }) => offset === start);
  const found = tag && carried(tag);
  return found === undefined ? none : withDefault(found);
}

/** The description of a block belongs to its first tag. */
function typedefDocs(node: ts.JSDocTypedefTag | ts.JSDocCallbackTag): Docs {
  const block = node.parent;
  if (!ts.isJSDoc(block) || block.tags?.[0] !== node) return none;
  const file = node.getSourceFile();
  return parseLines(blockLines(file, block.pos, block.end), file);
}
