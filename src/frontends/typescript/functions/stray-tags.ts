import { ts } from 'ts-morph';

import { type Docs, linesOfBlock, parseDocs } from '../docs/doc-text.ts';
import { isJavaScript } from '../program/compiler-host.ts';
import { jsDocOf } from '../program/compiler-internals.ts';
import type { SourceProgram } from '../program/source-program.ts';
import { checkClassTags } from '../tags/check-tags.ts';
import { suggestTagFor } from '../tags/other-tags.ts';
import { ITEM_TAGS, findTagEntry, isDetailTag, isItemTag } from '../tags/tag-registry.ts';
import { type DocTag, findDocs } from '../docs/read-docs.ts';
import { findTag } from '../tags/tag-values.ts';
import { type DocComment, findDocComments, findUnexported } from './doc-comments.ts';
import { listBaseClasses } from './find-methods.ts';
import { type HandledTags, findMethodHolder, isAbstract, listTaggedMembers } from './tagged.ts';

export function reportStrayTags(source: SourceProgram, handledTags: HandledTags): void {
  for (const file of source.userFiles.filter(isJavaScript)) reportCutOffMembers(file, source);
  for (const file of source.files) {
    for (const comment of findDocComments(file)) {
      const { tags } = comment.docs;
      const item = tags.find(({ name }) => isItemTag(name));
      if (item === undefined) reportTagsWithoutItem(comment, handledTags, source);
      else if (!handledTags.hasAnyItemTag(tags)) reportNotServed(item, comment, source);
    }
    reportPlainComments(file, handledTags, source);
  }
}

/**
 * TypeScript reads `@property` after `@typedef`, and `@param a.b` after `@param a`, only until another tag, so the type lacks later
 * members.
 */
function reportCutOffMembers(file: ts.SourceFile, { diagnostics, originAt }: SourceProgram): void {
  if (!/@(?:prop|param)/.test(file.text)) return;
  const visitNode = (node: ts.Node): void => {
    for (const { tags = [] } of jsDocOf(node)) {
      const holder = tags.findLastIndex(hasMemberTags);
      const [ending, ...moreTags] = holder === -1 ? [] : tags.slice(holder + 1);
      const lost = moreTags.find(isMemberTag);
      const member =
        lost && /[$\w.]+(?=\]?(?:\s|$))/.exec(lost.getText(file).replace(/^@\w+\s*(?:\{.*?\})?/, ''))?.[0];
      if (ending === undefined || lost === undefined || member === undefined) continue;
      const at = originAt(file, lost.getStart(file));
      diagnostics.report('member-cut-off', { member, tag: ending.tagName.text }, { at });
    }
    ts.forEachChild(node, visitNode);
  };
  visitNode(file);
}

/** Whether TypeScript has read members into this tag. */
function hasMemberTags(tag: ts.JSDocTag): boolean {
  if (!ts.isJSDocParameterTag(tag)) return ts.isJSDocTypedefTag(tag);
  const type = tag.typeExpression?.type;
  return type !== undefined && (ts.isJSDocTypeLiteral(type) || /^object\b/i.test(type.getText()));
}

function isMemberTag(tag: ts.JSDocTag): boolean {
  if (ts.isJSDocParameterTag(tag)) return ts.isQualifiedName(tag.name);
  return /^prop(?:erty)?$/.test(tag.tagName.text);
}

function reportNotServed(
  tag: DocTag,
  comment: DocComment,
  { diagnostics, originOfTag }: SourceProgram,
): void {
  const at = originOfTag(tag);
  const unexported = findUnexported(comment);
  if (unexported === undefined) {
    const because = 'only exported functions and public methods of what is exported are served';
    const fix = 'Move the tag to a function or method. Of overloads, the first that has tags is served.';
    diagnostics.report('idle-tag', { tag: tag.name, because, fix }, { at });
  } else {
    const what = ts.getNameOfDeclaration(unexported as ts.Declaration)?.getText() ?? 'This';
    diagnostics.report('tagged-not-exported', { tag: tag.name, what, class: classNameOf(comment) }, { at });
  }
}

/** Names the class of a tagged method; empty for a function. */
function classNameOf({ parent }: DocComment): string {
  return ts.isClassLike(parent) ? (parent.name?.text ?? '') : '';
}

function precedesDeclaration({ node, parent }: DocComment): boolean {
  if (node === undefined) return false;
  return ts.isSourceFile(parent) || ts.isClassLike(parent) || ts.isObjectLiteralExpression(parent);
}

/** A misspelt `@tol` would lose a tool, and `@scope` without `@tool` protects nothing. */
function reportTagsWithoutItem(comment: DocComment, handledTags: HandledTags, source: SourceProgram): void {
  if (!precedesDeclaration(comment)) return;
  const { docs, node } = comment;
  const { diagnostics, originOfTag } = source;
  const { tags, mentions = [] } = docs;
  for (const tag of [...tags, ...mentions, ...tags.flatMap((tag) => tag.mentions ?? [])]) {
    const suggestion = findTagEntry(tag.name) === undefined ? suggestTagFor(tag.name, ITEM_TAGS) : undefined;
    const at = originOfTag(tag);
    if (suggestion !== undefined)
      diagnostics.report('unknown-tag', { tag: tag.name, meant: suggestion }, { at });
  }
  if (node !== undefined && ts.isClassDeclaration(node)) reportIdleClass(docs, node, source);
  else if (node !== undefined && isFunction(node)) {
    for (const tag of tags.filter((tag) => needsItemTag(tag.name) && !handledTags.hasTag(tag)))
      diagnostics.report('idle-tag', { tag: tag.name, ...missingItemTag }, { at: originOfTag(tag) });
    const tag = findTag(docs, 'instance');
    if (tag !== undefined && !isClassValue(node))
      diagnostics.report(
        'misplaced-tag',
        { tag: tag.name, what: 'an export that is no class', meant: '' },
        { at: originOfTag(tag) },
      );
  }
}

function isClassValue(node: ts.Node): boolean {
  const declared = ts.isVariableStatement(node) ? node.declarationList.declarations : [node];
  return declared.some((declaration) => {
    const holder = findMethodHolder(declaration as ts.Declaration);
    return holder !== undefined && ts.isClassLike(holder);
  });
}

/** Whether the tag has a meaning only beside an item tag such as `@tool`. */
function needsItemTag(name: string): boolean {
  return isDetailTag(name) || findTagEntry(name)?.ofInstance === true;
}

/** Reports class tags without tagged methods, except on an abstract class, whose methods subclasses may have. */
function reportIdleClass(docs: Docs, node: ts.ClassDeclaration, source: SourceProgram): void {
  checkClassTags(docs, source);
  const tag = findTag(docs, 'instance');
  const classes = [node, ...listBaseClasses(node, source)];
  if (
    tag === undefined ||
    isAbstract(node) ||
    classes.some((classNode) => listTaggedMembers(classNode).length > 0)
  )
    return;
  source.diagnostics.report(
    'idle-tag',
    { tag: tag.name, ...missingItemTag },
    { at: source.originOfTag(tag) },
  );
}

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

/**
 * Comments that begin with `//` or `/*` are not read. Detail tags before served functions, and the first item tag
 * before others, are reported.
 */
function reportPlainComments(file: ts.SourceFile, handledTags: HandledTags, source: SourceProgram): void {
  for (const node of listDeclarations(file)) {
    const tags = findPlainCommentTags(node, file);
    const strayTags = handledTags.hasAnyItemTag(findDocs(node).tags)
      ? tags.filter(({ name }) => isDetailTag(name))
      : tags.filter(({ name }) => isItemTag(name)).slice(0, 1);
    for (const tag of strayTags) {
      const at = source.originOfTag(tag);
      // A lost `@scope` would open a tool to everybody.
      if (tag.name === 'scope') source.diagnostics.report('scope-not-read', {}, { at });
      else {
        const because = 'only comments that start with `/**` are read';
        const fix = `Write \`/** @${tag.name} */\`, or remove the tag.`;
        source.diagnostics.report('idle-tag', { tag: tag.name, because, fix }, { at });
      }
    }
  }
}

function listDeclarations(file: ts.SourceFile): ts.Node[] {
  return file.statements.flatMap((statement): ts.Node[] => {
    const declarations = ts.isVariableStatement(statement)
      ? statement.declarationList.declarations
      : ts.isFunctionDeclaration(statement) ||
          ts.isClassDeclaration(statement) ||
          ts.isExportAssignment(statement)
        ? [statement]
        : [];
    if (declarations.length === 0) return [];
    const holders = declarations.flatMap((declaration) => findMethodHolder(declaration) ?? []);
    return [
      statement,
      ...holders.flatMap((holder): readonly ts.Node[] =>
        ts.isClassLike(holder) ? holder.members : holder.properties,
      ),
    ];
  });
}

/** Finds tags at the beginning of a line in the comments directly before `node`. Prose in them may mention tags. */
function findPlainCommentTags(node: ts.Node, file: ts.SourceFile): DocTag[] {
  const { text } = file;
  const ranges = ts.getLeadingCommentRanges(text, node.pos) ?? [];
  const apart = ranges.findLastIndex(({ end }, at) =>
    /\n\s*\n/.test(text.slice(end, ranges[at + 1]?.pos ?? node.getStart(file))),
  );
  return ranges
    .slice(apart + 1)
    .filter(({ pos }) => !text.startsWith('/**', pos))
    .flatMap((range) => parseTagsInComment(range, file));
}

function parseTagsInComment({ kind, pos, end }: ts.CommentRange, file: ts.SourceFile): DocTag[] {
  const { text } = file;
  if (!text.slice(pos, end).includes('@')) return [];
  const lines =
    kind === ts.SyntaxKind.SingleLineCommentTrivia
      ? [{ text: text.slice(pos + 2, end), offset: pos + 2 }]
      : linesOfBlock(file, pos, end);
  const { description, tags } = parseDocs(lines, file);
  return description === undefined ? tags : tags.filter(({ offset }) => isFirstInLine(offset, text));
}

function isFirstInLine(offset: number, text: string): boolean {
  return /^\s*(?:\/\/+|\/?\*)?\s*$/.test(text.slice(text.lastIndexOf('\n', offset) + 1, offset));
}
