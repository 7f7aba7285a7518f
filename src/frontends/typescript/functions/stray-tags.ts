/** Tags that would do nothing: on what is not exported, and misspelt ones on what would not be taken for it. */
import { ts } from 'ts-morph';
import { nearMiss } from '../../../../templates/runtime/schema/near-miss.ts';
import type { SourceProgram } from '../program/source-program.ts';
import { isItemTag, isKnown, ITEM_TAGS } from '../tags/known-tags.ts';
import { readBlock, type Tag } from '../tags/read-block.ts';
import { nameOf } from './find-tagged.ts';

/** `served` are the tags of what was found. */
export function reportStrayTags(source: SourceProgram, served: ReadonlySet<Tag>): void {
  for (const file of source.files) {
    for (const node of documented(file)) {
      const { tags } = readBlock(node);
      if (tags.some((tag) => served.has(tag))) continue;
      const item = tags.find(({ name }) => isItemTag(name));
      if (item !== undefined) reportNotExported(item, node, source);
      else for (const tag of tags) reportMisspelt(tag, source);
    }
  }
}

/** Statements and members of classes. A statement of one variable has the block of the variable. */
function* documented(file: ts.SourceFile): Generator<ts.Node> {
  for (const statement of file.statements) {
    const first = ts.isVariableStatement(statement) ? statement.declarationList.declarations[0] : statement;
    if (first !== undefined) yield first;
    if (ts.isClassDeclaration(statement)) yield* statement.members;
  }
}

function reportNotExported(tag: Tag, node: ts.Node, { diagnostics, originOfTag }: SourceProgram): void {
  // An exported one that can't be served has been reported.
  if (isExported(node)) return;
  const name = nameOf(node);
  const what = ts.isIdentifier(name) || ts.isPrivateIdentifier(name) ? name.text : 'What stands here';
  diagnostics.report('tagged-not-exported', { tag: tag.name, what }, { at: originOfTag(tag) });
}

function isExported(node: ts.Node): boolean {
  if (ts.isClassElement(node)) return isReachable(node) && isExported(node.parent);
  if (ts.isExportAssignment(node) || ts.isExportDeclaration(node)) return true;
  return (ts.getCombinedModifierFlags(node as ts.Declaration) & ts.ModifierFlags.Export) !== 0;
}

function isReachable(node: ts.ClassElement): boolean {
  const hidden = ts.ModifierFlags.Private | ts.ModifierFlags.Protected | ts.ModifierFlags.Abstract;
  return (
    (ts.getCombinedModifierFlags(node) & hidden) === 0 && node.name?.kind !== ts.SyntaxKind.PrivateIdentifier
  );
}

/** `@tol` would be a tool that is never listed. Tags that are like none of ours are somebody else's. */
function reportMisspelt(tag: Tag, { diagnostics, originOfTag }: SourceProgram): void {
  if (isKnown(tag.name)) return;
  const meant = nearMiss(tag.name, ITEM_TAGS);
  if (meant !== undefined)
    diagnostics.report('unknown-tag', { tag: tag.name, meant }, { at: originOfTag(tag) });
}
