import { ts } from 'ts-morph';

import { omitUndefined } from '../../../util/collections.ts';
import { type DocLine, type DocTag, type Docs, linesOfBlock, parseDocs } from './doc-text.ts';

export type { Docs, DocTag } from './doc-text.ts';

const none: Docs = { tags: [] };

/**
 * Reads the last block before a declaration, even behind other members on its line, and for a parameter the `@param`
 * of its function.
 */
export function findDocs(node: ts.Node): Docs {
  const known = read.get(node);
  if (known !== undefined) return known;
  const docs = ts.isParameter(node) ? findParameterDocs(node) : parseNodeDocs(node);
  read.set(node, docs);
  return docs;
}

const read = new WeakMap<ts.Node, Docs>();

export function findSymbolDocs(symbol: ts.Symbol): Docs {
  for (const declaration of symbol.declarations ?? []) {
    const docs = findDocs(declaration);
    if (docs !== none && (docs.description !== undefined || docs.tags.length > 0)) return docs;
  }
  return none;
}

function parseNodeDocs(node: ts.Node): Docs {
  const file = node.getSourceFile();
  const comment = ts.findAncestor(node, ts.isJSDoc);
  if (comment !== undefined) {
    const docs = parseDocs(linesOfBlock(file, comment.pos, comment.end), file);
    const tag = docs.tags.find(({ offset }) => offset === node.getStart(file));
    if (ts.isJSDocPropertyTag(node) || ts.isJSDocParameterTag(node))
      return (tag && parseParamTag(tag))?.docs ?? none;
    // The description of a block belongs to its first tag.
    return (ts.isJSDocTypedefTag(node) || ts.isJSDocCallbackTag(node)) && comment.tags?.[0] === node
      ? docs
      : none;
  }
  const block = ts.getJSDocCommentsAndTags(node).findLast((part) => ts.isJSDoc(part));
  const lines = block ? linesOfBlock(file, block.pos, block.end) : findBlockBefore(node, file);
  return lines === undefined ? none : parseDocs(lines, file);
}

/**
 * TypeScript skips a block on the line of another token, as in `{ a: string; /** Words. *\/ b: string }`, and all
 * blocks in a file without parsed docs.
 */
function findBlockBefore(node: ts.Node, file: ts.SourceFile): DocLine[] | undefined {
  const end = node.getStart(file);
  const [block, text] = /\/\*\*(?!\/)((?:[^*]|\*(?!\/))*)\*\/\s*$/.exec(file.text.slice(node.pos, end)) ?? [];
  if (block === undefined || text === undefined) return undefined;
  return linesOfBlock(file, end - block.length, end - block.length + block.trimEnd().length);
}

function findParameterDocs(node: ts.ParameterDeclaration): Docs {
  const parameterDocs = parseNodeDocs(node);
  const name = ts.isIdentifier(node.name) ? node.name.text : undefined;
  const paramTag = parseParamTags(findDocs(node.parent)).find(
    ({ head, way }) => head === name && way === '',
  )?.param;
  if (paramTag === undefined) return parameterDocs;
  return mergeDocs(parameterDocs, paramTag.docs);
}

/**
 * Docs of an argument's parts (JSDoc, "Parameters with properties") by path: `''` is the value, `.page.size` a
 * member, `.lines[].text` a member of items.
 */
export type ParamDocs = ReadonlyMap<string, Docs>;

export interface ParamTag {
  tag: DocTag;
  head: string;
  way: string;
  param: NamedDocs;
  /** Where the first tag of the comment is: tags of one comment have the same. */
  block: string;
}

export function parseParamTags({ tags }: Docs): ParamTag[] {
  const [first] = tags;
  const block = first === undefined ? '' : `${first.file.fileName} ${first.offset}`;
  return tags
    .filter(({ name }) => /^(?:param|arg|argument)$/.test(name))
    .flatMap((tag) => {
      const param = parseParamTag(tag);
      if (param === undefined) return [];
      const head = /^[^.[]*/.exec(param.name)?.[0] ?? '';
      return [{ tag, head, way: param.name.slice(head.length), param, block }];
    });
}

export function collectParamDocs(tags: readonly ParamTag[]): ParamDocs {
  const docsByPath = new Map<string, Docs>();
  const seen = new Set<string>();
  for (const { way, param, block } of tags) {
    // `checkParamTags` reports a second tag for the same path in one comment.
    if (seen.has(`${block} ${way}`)) continue;
    seen.add(`${block} ${way}`);
    docsByPath.set(way, mergeDocs(docsByPath.get(way) ?? { tags: [] }, param.docs));
  }
  return docsByPath;
}

export function narrowParamDocs(paramDocs: ParamDocs | undefined, step: string): ParamDocs | undefined {
  if (paramDocs === undefined) return undefined;
  const inner = [...paramDocs].flatMap(([way, docs]): [string, Docs][] => {
    const rest = way.slice(step.length);
    return way.startsWith(step) && /^(?:[.[]|$)/.test(rest) ? [[rest, docs]] : [];
  });
  return inner.length === 0 ? undefined : new Map(inner);
}

export function hasDocsOfParts(paramDocs: ParamDocs | undefined): boolean {
  return paramDocs !== undefined && [...paramDocs.keys()].some((way) => way !== '');
}

/** The declaration's own docs come first; tags that both have count once. */
export function mergeDocs(docs: Docs, moreDocs: Docs | undefined): Docs {
  if (moreDocs === undefined) return docs;
  const tagKeys = new Set(docs.tags.map(({ file, offset }) => `${file.fileName} ${offset}`));
  const { description, tags } = moreDocs;
  return {
    ...omitUndefined({ description }),
    ...docs,
    tags: [...docs.tags, ...tags.filter(({ file, offset }) => !tagKeys.has(`${file.fileName} ${offset}`))],
  };
}

interface NamedDocs {
  name: string;
  docs: Docs;
}

const TYPE = String.raw`^\s*(?:\{(?:(?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*)\}\s*)?`;
const NAME = String.raw`(?:[$.\p{ID_Continue}]|\[\])+`;
const OPTIONAL = String.raw`\[\s*(${NAME})(?:[^[\]]|\[[^[\]]*\])*\]`;
const HEAD = new RegExp(String.raw`${TYPE}(?:${OPTIONAL}|(${NAME}))(?:\s+-(?=\s|$))?`, 'u');

/** `{type} name - words`, `[name=default] words` */
function parseParamTag(tag: DocTag): NamedDocs | undefined {
  const [first, ...moreLines] = tag.lines;
  const head = HEAD.exec(first?.text ?? '');
  if (first === undefined || head === null) return undefined;
  const [whole, optional, name = optional ?? ''] = head;
  const rest = { text: first.text.slice(whole.length), offset: first.offset + whole.length };
  const docs = parseDocs([rest, ...moreLines], tag.file);
  return { name, docs };
}
