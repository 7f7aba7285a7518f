/**
 * Tags that nobody read, found by a reading of its own: what it takes for a tag it asks nobody, so that a mistake in the
 * reading of blocks is told. A lost `@scope` would let everybody in.
 */
import type { DocTag } from './doc-text.ts';

/** By `@`, behind white space or what begins a line of a block. */
const counted = /(?<=[\s*]|^)@(?<name>scope|tool|resource|prompt)(?![\w/-])/g;

/** Where tags may be spoken of: closed fences; and code, texts and braces within a line. */
const spoken = [
  /^[ \t]*\/?\**[ \t]*(?<fence>`{3,}(?=[^`\n]*$)|~{3,}).*\r?\n(?:.*\r?\n)*?[ \t]*\*?[ \t]*\k<fence>[`~]*[ \t]*$/gm,
  /(?<!`)(?<ticks>`+)(?!`).*?(?<!`)\k<ticks>(?!`)/g,
  /"(?:[^"\\\n]|\\.)*"/g,
];

export type UnreadTag = Pick<DocTag, 'name' | 'offset'>;

/** `comment` begins at `start` of its file, where the offsets of `read` are counted too. */
export function unreadTags(comment: string, start: number, read: readonly DocTag[]): UnreadTag[] {
  const known = new Set(read.map(({ offset }) => offset));
  return [...withoutSpoken(comment).matchAll(counted)]
    .map(({ index, groups }) => ({ name: groups?.['name'] ?? '', offset: start + index }))
    .filter(({ offset }) => !known.has(offset));
}

/** Spaces stand for what is left out, so that the rest keeps its place. */
function withoutSpoken(comment: string): string {
  const plain = spoken.reduce((text, each) => text.replace(each, blank), comment);
  return withoutBraces(plain);
}

function withoutBraces(text: string): string {
  const outer = text.replace(/\{[^{}\n]*\}/g, blank);
  return outer === text ? text : withoutBraces(outer);
}

function blank(text: string): string {
  return text.replace(/[^\n]/g, ' ');
}
