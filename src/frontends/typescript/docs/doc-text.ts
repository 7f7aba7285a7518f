/**
 * The text of JSDoc blocks, read here rather than by TypeScript: there, a tag inside of a line ends at any `@`, and a
 * pattern or an address may hold one.
 */
import type { ts } from 'ts-morph';
import { carrierTags, knownTags } from './tag-names.ts';

/** Part of a line, and where it begins in its file. */
export interface DocLine {
  text: string;
  offset: number;
}

export interface DocTag {
  name: string;
  /** What follows the tag, trimmed; lines are joined by line feeds. */
  text: string;
  lines: DocLine[];
  file: ts.SourceFile;
  /** Of its `@`. */
  offset: number;
}

export interface Docs {
  description?: string;
  tags: DocTag[];
}

/** The lines between the delimiters of a block, without the asterisks that begin them. */
export function blockLines(file: ts.SourceFile, start: number, end: number): DocLine[] {
  const inner = file.text.slice(start, end).replace(/\**\/$/, '');
  const lines: DocLine[] = [];
  let offset = 0;
  for (const [index, line] of inner.split('\n').entries()) {
    const margin = (index === 0 ? /^\/\*+/ : /^[ \t]*\*?/).exec(line)?.[0].length ?? 0;
    lines.push({ text: line.slice(margin).trimEnd(), offset: start + offset + margin });
    offset += line.length + 1;
  }
  return lines;
}

/** Sorts the lines of a block into its description and its tags. */
export function parseLines(lines: readonly DocLine[], file: ts.SourceFile): Docs {
  const description: DocLine[] = [];
  const tags: Omit<DocTag, 'text'>[] = [];
  let isCode = false;
  for (const line of lines) {
    const isFence = /^\s*(?:```|~~~)/.test(line.text);
    const parts = isCode || isFence ? [{ ...line, name: undefined }] : splitAtTags(line, tags.at(-1)?.name);
    if (isFence) isCode = !isCode;
    for (const { name, text, offset } of parts) {
      if (name !== undefined) {
        const rest = { text: text.slice(name.length + 1), offset: offset + name.length + 1 };
        tags.push({ name, lines: [rest], file, offset });
      } else (tags.at(-1)?.lines ?? description).push({ text, offset });
    }
  }
  const words = proseOf(textOf(description));
  return {
    ...(words === '' ? {} : { description: words }),
    tags: tags.map((tag) => ({ ...tag, text: textOf(tag.lines) })),
  };
}

interface Part extends DocLine {
  /** Set when the part begins with this tag. */
  name: string | undefined;
}

/** What stands before the first tag of a line, then a part for each tag. */
function splitAtTags(line: DocLine, within: string | undefined): Part[] {
  const { text, offset } = line;
  const opening = /^\s*@([A-Za-z][\w-]*)/.exec(text);
  const starts = opening === null ? [0] : [text.indexOf('@')];
  const owner = opening?.[1] ?? within ?? '';
  if (!carrierTags.has(owner)) starts.push(...innerTags(text, starts[0] ?? 0));
  return starts.map((start, index) => {
    const part = text.slice(start, starts[index + 1]);
    const isTag = index > 0 || opening !== null;
    return { text: part, offset: offset + start, name: isTag ? /^@([\w-]+)/.exec(part)?.[1] : undefined };
  });
}

/** Where known tags begin inside of a line: after white space, outside of code, quotes and braces. */
function innerTags(text: string, from: number): number[] {
  const found: number[] = [];
  const token = /`[^`]*`|"(?:[^"\\]|\\.)*"|[{}]|(?<=\s)@([A-Za-z]\w*)(?![\w-])/g;
  let depth = 0;
  for (const match of text.matchAll(token)) {
    if (match[0] === '{') depth += 1;
    else if (match[0] === '}') depth = Math.max(0, depth - 1);
    else if (match[1] !== undefined && depth === 0 && match.index > from && knownTags.has(match[1]))
      found.push(match.index);
  }
  return found;
}

function textOf(lines: readonly DocLine[]): string {
  return lines
    .map(({ text }) => text.replace(/^ /, ''))
    .join('\n')
    .trim();
}

/** Prose that was wrapped becomes one line a paragraph; links become their words. Lists and code stay. */
export function proseOf(text: string): string {
  const linked = text.replace(/\{@link(?:code|plain)?\s+([^}|\s]+)\s*\|?\s*([^}]*)\}/g, (_, target, words) =>
    String(words === '' ? target : words).trim(),
  );
  if (/^\s*(?:```|~~~)/m.test(linked)) return linked;
  return linked.replace(/([^\n])\n(?!\s*\n|\s*(?:[-*+#>|]|\d+[.)]\s)|\s{4})[ \t]*/g, '$1 ').trim();
}
