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
  const { description, mentions = [] } = named.docs;
  // The code's own default is what counts, where it has one.
  const said = node.initializer === undefined ? withDefault(named) : named.docs;
  return {
    ...(description === undefined ? {} : { description }),
    ...own,
    tags: [...own.tags, ...said.tags],
    mentions: [...(own.mentions ?? []), ...mentions],
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
  const found = tag && carried(tag);
  return found === undefined ? none : withDefault(found);
}

/** Of several in a block, the description is the first one's. */
function typedefDocs(node: ts.JSDocTypedefTag | ts.JSDocCallbackTag): Docs {
  const block = node.parent;
  if (!ts.isJSDoc(block) || block.tags?.[0] !== node) return none;
  const file = node.getSourceFile();
  return parseLines(blockLines(file, block.pos, block.end), file);
}

interface Carried {
  name: string;
  docs: Docs;
  /** `[name=5]`, as a tag; absent where it is no literal: JSDoc takes any expression. */
  preset?: DocTag;
}

/** `{type} name - words`, `[name=default] words`: whose words they are, and the words. */
export function carried(tag: DocTag): Carried | undefined {
  const [first, ...others] = tag.lines;
  const typed = /^\s*(?:\{(?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*\}\s*)?/;
  const bracketed = /\[\s*([\w$.]+)(?:\s*=((?:[^[\]]|\[[^[\]]*\])*))?[^\]]*\]/;
  const head = new RegExp(`${typed.source}(?:${bracketed.source}|([\\w$.]+))(?:\\s+-(?=\\s|$))?`).exec(
    first?.text ?? '',
  );
  if (first === undefined || head === null) return undefined;
  const [whole, optional, preset = '', name = optional ?? ''] = head;
  const rest = { text: first.text.slice(whole.length), offset: first.offset + whole.length };
  const docs = parseLines([rest, ...others], tag.file);
  const text = preset.trim();
  return { name, docs, ...(isLiteral(text) ? { preset: { ...tag, name: 'default', text } } : {}) };
}

function withDefault({ docs, preset }: Carried): Docs {
  const isSaid = docs.tags.some(({ name }) => name === 'default');
  return preset === undefined || isSaid ? docs : { ...docs, tags: [...docs.tags, preset] };
}

function isLiteral(expression: string): boolean {
  if (/^'[^'\\]*'$/.test(expression)) return true;
  try {
    JSON.parse(expression);
    return true;
  } catch {
    return false;
  }
}

export function isParam({ name }: DocTag): boolean {
  return name === 'param' || name === 'arg' || name === 'argument';
}
