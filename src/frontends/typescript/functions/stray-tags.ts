/** Reports tags without effect: of unserved declarations, misspelt ones, and details without an item. */
import { ts } from 'ts-morph';
import type { SourceProgram } from '../program/source-program.ts';
import { reportCutMembers } from '../docs/cut-members.ts';
import { unreadTags } from '../docs/unread-tags.ts';
import { checkClassTags } from '../tags/check-tags.ts';
import { meantTag } from '../tags/meant-tag.ts';
import type { Docs } from '../docs/doc-text.ts';
import { type Tag, tagNamed } from '../tags/read-block.ts';
import { entryOf, isDetailTag, isItemTag, ITEM_TAGS } from '../tags/tag-registry.ts';
import { type DocComment, docCommentsOf } from './doc-comments.ts';
import { ancestorsOf } from './class-instances.ts';
import { reportPlainComments } from './plain-comments.ts';
import { isAbstract, taggedMembers } from './tagged-members.ts';
import { whyNotServed } from './why-not-served.ts';
import type { ToldTags } from './told-tags.ts';

/** `told` holds the tags that are served or reported. */
export function reportStrayTags(source: SourceProgram, told: ToldTags): void {
  reportCutMembers(source);
  for (const file of source.files) {
    for (const comment of docCommentsOf(file)) {
      const { tags } = comment.docs;
      const item = tags.find(({ name }) => isItemTag(name));
      reportUnread(comment, file, source);
      if (item === undefined) reportIdle(comment, told, source);
      else if (!told.has(tags)) reportNotServed(item, comment, source);
    }
    reportPlainComments(file, told, source);
  }
}

function reportUnread({ docs, text, start }: DocComment, file: ts.SourceFile, source: SourceProgram): void {
  for (const { name, offset } of unreadTags(text, start, docs.tags)) {
    const at = source.originAt(file, offset);
    if (name === 'scope') source.diagnostics.report('scope-not-read', {}, { at });
    else source.diagnostics.report('tag-not-read', { tag: name }, { at });
  }
}

function reportNotServed(tag: Tag, comment: DocComment, { diagnostics, originOfTag }: SourceProgram): void {
  const { what, because } = whyNotServed(comment);
  const at = originOfTag(tag);
  if (because === undefined) diagnostics.report('tagged-not-exported', { tag: tag.name, what }, { at });
  else diagnostics.report('tagged-not-served', { tag: tag.name, because }, { at });
}

function isDeclared({ node, parent }: DocComment): boolean {
  if (node === undefined) return false;
  return ts.isSourceFile(parent) || ts.isClassLike(parent) || ts.isObjectLiteralExpression(parent);
}

/** A misspelt `@tol` would lose a tool, and `@scope` without `@tool` protects nothing. */
function reportIdle(comment: DocComment, told: ToldTags, source: SourceProgram): void {
  if (!isDeclared(comment)) return;
  const { docs, node } = comment;
  const { diagnostics, originOfTag } = source;
  const { tags, mentions = [] } = docs;
  for (const tag of [...tags, ...mentions, ...tags.flatMap((each) => each.mentions ?? [])]) {
    const meant = entryOf(tag.name) === undefined ? meantTag(tag.name, ITEM_TAGS) : undefined;
    const at = originOfTag(tag);
    if (meant !== undefined) diagnostics.report('unknown-tag', { tag: tag.name, meant }, { at });
  }
  if (node !== undefined && ts.isClassDeclaration(node)) reportIdleClass(docs, node, source);
  else if (node !== undefined && isFunction(node))
    for (const tag of tags.filter((each) => isDetailTag(each.name) && !told.includes(each)))
      diagnostics.report('tag-without-item', { tag: tag.name }, { at: originOfTag(tag) });
}

/** Subclasses may have the methods of an abstract class. */
function reportIdleClass(docs: Docs, node: ts.ClassDeclaration, source: SourceProgram): void {
  checkClassTags(docs, source);
  const tag = tagNamed(docs, 'instance');
  const classes = [node, ...ancestorsOf(node, source)];
  if (tag === undefined || isAbstract(node) || classes.some((each) => taggedMembers(each).length > 0)) return;
  source.diagnostics.report('tag-without-item', { tag: tag.name }, { at: source.originOfTag(tag) });
}

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
