import { ts } from 'ts-morph';
import { blockLines, type DocLine, type Docs, type DocTag, parseLines } from './doc-text.ts';

export type { Docs, DocTag, Mention } from './doc-text.ts';

const none: Docs = { tags: [] };

/**
 * What JSDoc says of a declaration: the block before it (the last one counts; also one on the same line, after other
 * members) and, for a parameter, `@param` of its function. Blocks of each node are read once.
 */
export function readDocs(node: ts.Node): Docs {
  const known = read.get(node);
  if (known !== undefined) return known;
  const docs = ts.isParameter(node) ? parameterDocs(node) : ownDocs(node);
  read.set(node, docs);
  return docs;
}

const read = new WeakMap<ts.Node, Docs>();

/** What JSDoc says of a symbol: of the first of its declarations that has any. */
export function readSymbolDocs(symbol: ts.Symbol): Docs {
  for (const declaration of symbol.declarations ?? []) {
    const docs = readDocs(declaration);
    if (docs !== none && (docs.description !== undefined || docs.tags.length > 0)) return docs;
  }
  return none;
}

function ownDocs(node: ts.Node): Docs {
  if (ts.isJSDocPropertyTag(node) || ts.isJSDocParameterTag(node)) return tagDocs(node);
  const file = node.getSourceFile();
  const lines = attachedBlock(node, file) ?? blockBefore(node, file);
  return lines === undefined ? none : parseLines(lines, file);
}

function attachedBlock(node: ts.Node, file: ts.SourceFile): DocLine[] | undefined {
  const block = ts.getJSDocCommentsAndTags(node).findLast((part) => ts.isJSDoc(part));
  return block && blockLines(file, block.pos, block.end);
}

/**
 * `{ a: string; /** Words. *\/ b: string }`: TypeScript takes no comment that begins on the line of another token, and none
 * at all in files whose docs it was told to leave.
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
  const named = readDocs(node.parent)
    .tags.filter(isParam)
    .map(carried)
    .find((tag) => name !== undefined && tag?.name === name);
  if (named === undefined) return own;
  return {
    ...(named.docs.description === undefined ? {} : { description: named.docs.description }),
    ...own,
    tags: [...own.tags, ...named.docs.tags],
  };
}

/** `@property` of a `@typedef`. */
function tagDocs(node: ts.JSDocPropertyLikeTag): Docs {
  const file = node.getSourceFile();
  const block = ts.findAncestor(node, ts.isJSDoc);
  if (block === undefined) return none;
  const start = node.getStart(file);
  const tags = parseLines(blockLines(file, block.pos, block.end), file).tags;
  const tag = tags.find(({ offset }) => offset === start);
  return (tag && carried(tag)?.docs) ?? none;
}

/** `{type} name - words`, `[name=default] words`: whose words they are, and the words. */
export function carried(tag: DocTag): { name: string; docs: Docs } | undefined {
  const [first, ...others] = tag.lines;
  const typed = /^\s*(?:\{(?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*\}\s*)?/;
  const named = /(?:\[\s*([\w$.]+)[^\]]*\]|([\w$.]+))(?:\s+-(?=\s|$))?/;
  const head = new RegExp(typed.source + named.source).exec(first?.text ?? '');
  if (first === undefined || head === null) return undefined;
  const rest = { text: first.text.slice(head[0].length), offset: first.offset + head[0].length };
  return { name: head[1] ?? head[2] ?? '', docs: parseLines([rest, ...others], tag.file) };
}

export function isParam({ name }: DocTag): boolean {
  return name === 'param' || name === 'arg' || name === 'argument';
}
