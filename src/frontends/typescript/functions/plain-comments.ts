/** Reports tags in comments that begin with `//` or `/*`, which are not read. */
import { ts } from 'ts-morph';
import { blockLines, parseLines } from '../docs/doc-text.ts';
import type { SourceProgram } from '../program/source-program.ts';
import { readBlock, type Tag } from '../tags/read-block.ts';
import { isDetailTag, isItemTag } from '../tags/tag-registry.ts';
import { holderOf } from './tagged-members.ts';
import type { ToldTags } from './told-tags.ts';

/** Reports detail tags before served functions, and the first item tag before others. */
export function reportPlainComments(file: ts.SourceFile, told: ToldTags, source: SourceProgram): void {
  for (const node of declaredIn(file)) {
    const tags = plainTags(node, file);
    const meant = told.has(readBlock(node).tags)
      ? tags.filter(({ name }) => isDetailTag(name))
      : tags.filter(({ name }) => isItemTag(name)).slice(0, 1);
    for (const tag of meant) reportPlain(tag, source);
  }
}

/** A lost `@scope` would open a tool to everybody. */
function reportPlain(tag: Tag, { diagnostics, originOfTag }: SourceProgram): void {
  const at = originOfTag(tag);
  if (tag.name === 'scope') diagnostics.report('scope-not-read', {}, { at });
  else diagnostics.report('tag-in-plain-comment', { tag: tag.name }, { at });
}

function declaredIn(file: ts.SourceFile): ts.Node[] {
  return file.statements.flatMap((statement): ts.Node[] => {
    const declarations = ts.isVariableStatement(statement)
      ? statement.declarationList.declarations
      : ts.isFunctionDeclaration(statement) ||
          ts.isClassDeclaration(statement) ||
          ts.isExportAssignment(statement)
        ? [statement]
        : [];
    if (declarations.length === 0) return [];
    const holders = declarations.flatMap((each) => holderOf(each) ?? []);
    return [
      statement,
      ...holders.flatMap((each): readonly ts.Node[] =>
        ts.isClassLike(each) ? each.members : each.properties,
      ),
    ];
  });
}

/** Finds tags at the beginning of a line in the comments directly before `node`. Prose in them may mention tags. */
function plainTags(node: ts.Node, file: ts.SourceFile): Tag[] {
  const { text } = file;
  const ranges = ts.getLeadingCommentRanges(text, node.pos) ?? [];
  const apart = ranges.findLastIndex(({ end }, at) =>
    /\n\s*\n/.test(text.slice(end, ranges[at + 1]?.pos ?? node.getStart(file))),
  );
  return ranges
    .slice(apart + 1)
    .filter(({ pos }) => !text.startsWith('/**', pos))
    .flatMap((range) => tagsIn(range, file));
}

function tagsIn({ kind, pos, end }: ts.CommentRange, file: ts.SourceFile): Tag[] {
  const { text } = file;
  if (!text.slice(pos, end).includes('@')) return [];
  const lines =
    kind === ts.SyntaxKind.SingleLineCommentTrivia
      ? [{ text: text.slice(pos + 2, end), offset: pos + 2 }]
      : blockLines(file, pos, end);
  const { description, tags } = parseLines(lines, file);
  return description === undefined ? tags : tags.filter(({ offset }) => beginsLine(offset, text));
}

function beginsLine(offset: number, text: string): boolean {
  return /^\s*(?:\/\/+|\/?\*)?\s*$/.test(text.slice(text.lastIndexOf('\n', offset) + 1, offset));
}
