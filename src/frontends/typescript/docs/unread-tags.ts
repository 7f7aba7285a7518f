/**
 * Finds important tags by a second, independent search, so that a mistake in the parser is reported. A lost `@scope`
 * would open a tool to everybody.
 */
import type { DocTag } from './doc-text.ts';

const counted = /(?<=[\s*]|^)@(?<name>scope|tool|resource|prompt)(?![\w/-])/g;

/** Text that may mention tags: closed fences, inline code, quotes and braces. */
const spoken = [
  /^[ \t]*\/?\**[ \t]*(?<fence>`{3,}(?=[^`\n]*$)|~{3,}).*\r?\n(?:.*\r?\n)*?[ \t]*\*?[ \t]*\k<fence>[`~]*[ \t]*$/gm,
  /(?<!`)(?<ticks>`+)(?!`).*?(?<!`)\k<ticks>(?!`)/g,
  /"(?:[^"\\\n]|\\.)*"/g,
];

export type UnreadTag = Pick<DocTag, 'name' | 'offset'>;

/** Offsets count from the file's start. */
export function unreadTags(comment: string, start: number, read: readonly DocTag[]): UnreadTag[] {
  const known = new Set(read.map(({ offset }) => offset));
  return [...withoutSpoken(comment).matchAll(counted)]
    .map(({ index, groups }) => ({ name: groups?.['name'] ?? '', offset: start + index }))
    .filter(({ offset }) => !known.has(offset));
}

/** Blanks keep the offsets. */
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
