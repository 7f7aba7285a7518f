/** A second, independent search reports mistakes of the parser: a lost `@scope` would open a tool to everybody. */
import { ts } from 'ts-morph';

import { describeHidden, mayHaveHiddenCharacters } from '../../../model/clean-prose.ts';
import { findDocBlocks, isJavaScript } from '../program/compiler-host.ts';
import type { SourceProgram } from '../program/source-program.ts';
import type { DocTag } from './doc-text.ts';

const counted = /(?<=[\s*]|^)@(?<name>scope|tool|resource|prompt)(?![\w/-])/g;

/** Text that may mention tags: closed fences, inline code, quotes and braces. */
const spoken = [
  /^[ \t]*\/?\**[ \t]*(?<fence>`{3,}(?=[^`\n]*$)|~{3,}).*\r?\n(?:.*\r?\n)*?[ \t]*\*?[ \t]*\k<fence>[`~]*[ \t]*$/gm,
  /(?<!`)(?<ticks>`+)(?!`).*?(?<!`)\k<ticks>(?!`)/g,
  /"(?:[^"\\\n]|\\.)*"/g,
];

type UnreadTag = Pick<DocTag, 'name' | 'offset'>;

export function findUnreadTags(comment: string, start: number, read: readonly DocTag[]): UnreadTag[] {
  const known = new Set(read.map(({ offset }) => offset));
  return [...blankQuotedText(comment).matchAll(counted)]
    .map(({ index, groups }) => ({ name: groups?.['name'] ?? '', offset: start + index }))
    .filter(({ offset }) => !known.has(offset));
}

/** Blanks keep the offsets. */
function blankQuotedText(comment: string): string {
  const plain = spoken.reduce((text, each) => text.replace(each, replaceWithBlanks), comment);
  return blankInlineTags(plain);
}

function blankInlineTags(text: string): string {
  const outer = text.replace(/\{[^{}\n]*\}/g, replaceWithBlanks);
  return outer === text ? text : blankInlineTags(outer);
}

function replaceWithBlanks(text: string): string {
  return text.replace(/[^\n]/g, ' ');
}

/**
 * TypeScript reads `@property` after `@typedef`, and `@param a.b` after `@param a`, only until another tag; later
 * members are missing from the type.
 */
export function reportCutOffMembers({ userFiles, diagnostics, originAt }: SourceProgram): void {
  for (const file of userFiles.filter(isJavaScript)) {
    for (const { tags = [] } of findDocBlocks(file)) {
      for (const [index, tag] of tags.entries()) {
        const member = findCutOffMember(tag, tags.slice(0, index));
        if (member === undefined) continue;
        const type = tags.slice(0, index).findLastIndex(hasMemberTags);
        const cutter = tags[type + 1]?.tagName.text ?? '';
        const at = originAt(file, tag.getStart(file));
        diagnostics.report('member-cut-off', { member, tag: cutter }, { at });
      }
    }
  }
}

/** Whether TypeScript has read members into this tag. */
function hasMemberTags(tag: ts.JSDocTag): boolean {
  return ts.isJSDocTypedefTag(tag) || (ts.isJSDocParameterTag(tag) && ts.isIdentifier(tag.name));
}

function findCutOffMember(tag: ts.JSDocTag, before: readonly ts.JSDocTag[]): string | undefined {
  if (ts.isJSDocParameterTag(tag))
    return ts.isQualifiedName(tag.name) && !hasDeclaredMembers(tag.name, before)
      ? formatEntityName(tag.name)
      : undefined;
  const isProperty = tag.tagName.text === 'property' || tag.tagName.text === 'prop';
  if (!isProperty || !before.some((each) => ts.isJSDocTypedefTag(each))) return undefined;
  const text = ts.getTextOfJSDocComment(tag.comment) ?? '';
  return /^(?:\{.*?\}\s*)?\[?\s*([\w$]+)/.exec(text)?.[1];
}

/** `@param {Query} o` has a type with members, so tags for its members always count. */
function hasDeclaredMembers(name: ts.EntityName, before: readonly ts.JSDocTag[]): boolean {
  const [head] = formatEntityName(name).split('.');
  const owner = before.find((tag) => ts.isJSDocParameterTag(tag) && formatEntityName(tag.name) === head);
  const type = owner !== undefined && ts.isJSDocParameterTag(owner) ? owner.typeExpression?.type : undefined;
  if (type === undefined || ts.isJSDocTypeLiteral(type)) return false;
  return !/^object\b/i.test(type.getText());
}

function formatEntityName(name: ts.EntityName): string {
  return ts.isIdentifier(name) ? name.text : `${formatEntityName(name.left)}.${name.right.text}`;
}

const MOST = 100;

/** Reports hidden characters in code; texts of JSDoc are cleaned where they are listed. */
export function reportHiddenCharacters({ userFiles, originAt, diagnostics }: SourceProgram): void {
  for (const file of userFiles) {
    if (!mayHaveHiddenCharacters(file.text.replace(/^\ufeff/, ''))) continue;
    let reported = 0;
    let start = 0;
    for (const line of file.text.split('\n')) {
      const hidden =
        reported < MOST ? describeHidden(start === 0 ? line.replace(/^\ufeff/, '') : line) : undefined;
      if (hidden !== undefined) {
        reported += 1;
        const at = originAt(file, start);
        if (isInComment(file, start + line.search(/[^\t\u0020-\u007e]/)))
          diagnostics.report('hidden-text', { hidden }, { at });
        else diagnostics.report('hidden-text-in-value', { hidden, more: 0 }, { at });
      }
      start += line.length + 1;
    }
  }
}

function isInComment(file: ts.SourceFile, offset: number): boolean {
  const isInToken = (node: ts.Node): boolean => {
    if (offset < node.getStart(file) || offset >= node.end) return false;
    const inner = node.getChildren(file).filter((child) => !ts.isJSDoc(child));
    return inner.length === 0 || inner.some(isInToken);
  };
  return !isInToken(file);
}
