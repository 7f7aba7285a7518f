import { ts } from 'ts-morph';

import type { Docs } from '../docs/read-docs.ts';
import { linesOfBlock, parseDocs } from '../docs/doc-text.ts';
import { jsDocOf } from '../program/compiler-internals.ts';
import type { SourceProgram } from '../program/source-program.ts';
import { checkClassTags } from '../tags/check-tags.ts';
import { suggestTagFor } from '../tags/other-tags.ts';
import { ITEM_TAGS, findTagEntry, isDetailTag, isItemTag } from '../tags/tag-registry.ts';
import type { HandledTags } from './tagged.ts';

export function reportStrayTags(source: SourceProgram, handledTags: HandledTags): void {
  for (const file of source.files) {
    for (const comment of listDocComments(file)) {
      const { tags } = comment.docs;
      const item = tags.find(({ name }) => isItemTag(name));
      if (item === undefined) reportTagsWithoutItem(comment, handledTags, source);
      else if (!handledTags.hasAnyItemTag(tags))
        source.diagnostics.report(
          'idle-tag',
          { tag: item.name, ...notServed },
          { at: source.originOfTag(item) },
        );
    }
  }
}

interface DocComment {
  docs: Docs;
  /** The node that the comment stands before. */
  node: ts.Node;
}

function listDocComments(file: ts.SourceFile): DocComment[] {
  const comments = new Map<number, DocComment>();
  const visitNode = (node: ts.Node): void => {
    // TypeScript attaches no comment on the line of another token, as in `class { /** @tool */ a() {} }`.
    const sameLine = isOfFileOrHolder(node) ? ts.getTrailingCommentRanges(file.text, node.pos) : [];
    const blocks = [...(sameLine ?? []), ...jsDocOf(node)];
    // TypeScript reads no block behind a decorator or `export`.
    const modifiers = ts.canHaveModifiers(node) ? (node.modifiers ?? []) : [];
    const unreadBlocks = modifiers.flatMap(({ end }) => ts.getLeadingCommentRanges(file.text, end) ?? []);
    for (const block of [...blocks, ...unreadBlocks]) {
      const text = file.text.slice(block.pos, block.end);
      // Nodes that begin at the same place have the same comments.
      if (comments.has(block.pos) || !text.startsWith('/**') || !text.includes('@')) continue;
      const docs = parseDocs(linesOfBlock(file, block.pos, block.end), file);
      comments.set(block.pos, { docs, node });
    }
    ts.forEachChild(node, visitNode);
  };
  ts.forEachChild(file, visitNode);
  return [...comments.values()];
}

function isOfFileOrHolder({ parent }: ts.Node): boolean {
  return ts.isSourceFile(parent) || ts.isClassLike(parent) || ts.isObjectLiteralExpression(parent);
}

/** A misspelt `@tol` would lose a tool, and `@scope` without `@tool` protects nothing. */
function reportTagsWithoutItem(comment: DocComment, handledTags: HandledTags, source: SourceProgram): void {
  const { docs, node } = comment;
  if (!isOfFileOrHolder(node)) return;
  const { diagnostics, originOfTag } = source;
  const { tags } = docs;
  for (const tag of tags) {
    const suggestion = findTagEntry(tag.name) === undefined ? suggestTagFor(tag.name, ITEM_TAGS) : undefined;
    const at = originOfTag(tag);
    if (suggestion !== undefined) diagnostics.report('unknown-tag', { tag: tag.name, suggestion }, { at });
  }
  if (ts.isClassDeclaration(node)) checkClassTags(docs, source);
  else if (isFunction(node))
    for (const tag of tags)
      if (isDetailTag(tag.name) && !handledTags.hasTag(tag))
        diagnostics.report('idle-tag', { tag: tag.name, ...missingItemTag }, { at: originOfTag(tag) });
}

const notServed = {
  because: 'only exported functions and public methods of what is exported are served',
  fix: 'Export the function, or the class, the object or an instance that has the method. Of overloads, the first that has tags is served.',
};

const missingItemTag = {
  because: 'a tag such as @tool is missing',
  fix: 'Add `@tool`, `@resource` or `@prompt`, or remove the tag.',
};

function isFunction(node: ts.Node): boolean {
  return (
    ts.isFunctionLike(node) ||
    ts.isVariableStatement(node) ||
    ts.isPropertyDeclaration(node) ||
    ts.isPropertyAssignment(node) ||
    ts.isExportAssignment(node) ||
    ts.isExportDeclaration(node)
  );
}
