/** Reports JSDoc members that TypeScript does not read in JavaScript. */
import { ts } from 'ts-morph';
import { docBlocksOf } from '../program/doc-blocks.ts';
import { isJavaScript } from '../program/joined-members.ts';
import type { SourceProgram } from '../program/source-program.ts';

/**
 * TypeScript reads `@property` after `@typedef`, and `@param a.b` after `@param a`, until any other tag. Later
 * members are missing from the type.
 */
export function reportCutMembers({ userFiles, diagnostics, originAt }: SourceProgram): void {
  for (const file of userFiles.filter(isJavaScript)) {
    for (const { tags = [] } of docBlocksOf(file)) {
      for (const [index, tag] of tags.entries()) {
        const member = cutMember(tag, tags.slice(0, index));
        if (member === undefined) continue;
        const type = tags.slice(0, index).findLastIndex(holdsMembers);
        const cutter = tags[type + 1]?.tagName.text ?? '';
        const at = originAt(file, tag.getStart(file));
        diagnostics.report('member-cut-off', { member, tag: cutter }, { at });
      }
    }
  }
}

/** TypeScript has read members into this tag. */
function holdsMembers(tag: ts.JSDocTag): boolean {
  return ts.isJSDocTypedefTag(tag) || (ts.isJSDocParameterTag(tag) && ts.isIdentifier(tag.name));
}

function cutMember(tag: ts.JSDocTag, before: readonly ts.JSDocTag[]): string | undefined {
  if (ts.isJSDocParameterTag(tag))
    return ts.isQualifiedName(tag.name) && !isOfType(tag.name, before) ? formatName(tag.name) : undefined;
  const isProperty = tag.tagName.text === 'property' || tag.tagName.text === 'prop';
  if (!isProperty || !before.some((each) => ts.isJSDocTypedefTag(each))) return undefined;
  const text = ts.getTextOfJSDocComment(tag.comment) ?? '';
  return /^(?:\{.*?\}\s*)?\[?\s*([\w$]+)/.exec(text)?.[1];
}

/** `@param {Query} o` has a type with members, so tags for its members always count. */
function isOfType(name: ts.EntityName, before: readonly ts.JSDocTag[]): boolean {
  const [head] = formatName(name).split('.');
  const owner = before.find((tag) => ts.isJSDocParameterTag(tag) && formatName(tag.name) === head);
  const type = owner !== undefined && ts.isJSDocParameterTag(owner) ? owner.typeExpression?.type : undefined;
  if (type === undefined || ts.isJSDocTypeLiteral(type)) return false;
  return !/^object\b/i.test(type.getText());
}

function formatName(name: ts.EntityName): string {
  return ts.isIdentifier(name) ? name.text : `${formatName(name.left)}.${name.right.text}`;
}
