/** Parses JSDoc blocks. TypeScript ends a tag at any `@` in a line, which patterns and addresses may contain. */
import type { ts } from 'ts-morph';

import {
  INLINE_TAGS,
  TAGS_OF_CODE,
  VALUE_DOC_TAGS,
  isOfOtherTool,
  suggestTagFor,
} from '../tags/other-tags.ts';
import { findTagEntry, normalizeTagName } from '../tags/tag-registry.ts';

export interface DocLine {
  text: string;
  offset: number;
}

export interface DocTag {
  name: string;
  /** The text is trimmed; line feeds join the lines. */
  text: string;
  lines: DocLine[];
  file: ts.SourceFile;
  /** The offset of the `@`. */
  offset: number;
}

export interface Docs {
  description?: string;
  tags: DocTag[];
  /** The label of an element of a tuple, which is its title. */
  label?: string;
}

export function linesOfBlock(file: ts.SourceFile, start: number, end: number): DocLine[] {
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

interface Section {
  tag?: { name: string; offset: number };
  lines: DocLine[];
}

export function parseDocs(lines: readonly DocLine[], file: ts.SourceFile): Docs {
  const description: Section = { lines: [] };
  const sections = [description];
  let section = description;
  const code = markFencedLines(lines.map(({ text }) => text));
  for (const [index, line] of lines.entries()) {
    const parts: Part[] = code[index] === true ? [line] : splitAtTags(line, section.tag?.name);
    for (const part of parts) {
      if (part.tag !== undefined) sections.push((section = { tag: part.tag, lines: [] }));
      section.lines.push(part);
    }
  }
  const words = joinWrappedLines(joinDocLines(description.lines));
  return {
    ...(words === '' ? {} : { description: words }),
    tags: sections.flatMap(({ tag, lines }) =>
      tag === undefined ? [] : { ...tag, text: joinDocLines(lines), lines, file },
    ),
  };
}

interface Part extends DocLine {
  tag?: { name: string; offset: number };
}

function splitAtTags(line: DocLine, within: string | undefined): Part[] {
  const { text, offset } = line;
  const opening = /^\s*@([A-Za-z][\w-]*)/.exec(text);
  const starts = opening === null ? [0] : [text.indexOf('@')];
  let owner = opening?.[1] === undefined ? within : normalizeTagName(opening[1]);
  for (const { name, index } of findAtWords(text)) {
    if (index <= (starts[0] ?? 0) || !isBeginOfTag(name, owner)) continue;
    starts.push(index);
    owner = name;
  }
  return starts.map((start, index) => {
    const part = { text: text.slice(start, starts[index + 1]), offset: offset + start };
    return index > 0 || opening !== null ? splitTagName(part) : part;
  });
}

function splitTagName({ text, offset }: DocLine): Part {
  const name = /^@([\w-]+)/.exec(text)?.[1] ?? '';
  const length = name.length + 1;
  return { tag: { name: normalizeTagName(name), offset }, text: text.slice(length), offset: offset + length };
}

/**
 * Our tags begin inside a line, but tags for values not inside `@param` and `@property`, whose value they describe.
 * Tags of other tools begin after one of our tags that takes no text; names that no prose contains (`@since`,
 * `@returns`) begin after all of our tags. A misspelt tag begins too, so that it is reported.
 */
function isBeginOfTag(name: string, owner: string | undefined): boolean {
  const entry = findTagEntry(name);
  if (entry !== undefined)
    return entry.values === undefined || owner === undefined || !VALUE_DOC_TAGS.has(owner);
  const before = owner === undefined ? undefined : findTagEntry(owner);
  if (INLINE_TAGS.has(name)) return owner === undefined || before !== undefined || VALUE_DOC_TAGS.has(owner);
  if (before !== undefined && before.value !== 'text' && isOfOtherTool(name)) return true;
  const suggestion = suggestTagFor(name);
  if (suggestion === undefined || owner === undefined) return suggestion !== undefined;
  return (
    !TAGS_OF_CODE.has(owner) && !(VALUE_DOC_TAGS.has(owner) && findTagEntry(suggestion)?.values !== undefined)
  );
}

/** Finds `@word` after white space, outside code, quotes and closed braces. */
function findAtWords(text: string): { name: string; index: number }[] {
  const token =
    /(?<!`)(?<ticks>`+)(?!`).*?(?<!`)\k<ticks>(?!`)|"(?:[^"\\]|\\.)*"|\{(?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*\}|(?<=\s)@(?<name>[A-Za-z]\w*)(?![\w/-])/g;
  return [...text.matchAll(token)].flatMap(({ groups, index }) => {
    const name = groups?.['name'];
    return name === undefined ? [] : [{ name: normalizeTagName(name), index }];
  });
}

function joinDocLines(lines: readonly DocLine[]): string {
  return lines
    .map(({ text }) => text.replace(/^ /, ''))
    .join('\n')
    .trim();
}

/** Joins wrapped lines of a paragraph, and replaces links by their text. Lists and code stay. */
function joinWrappedLines(text: string): string {
  const linked = text.replace(/\{@link(?:code|plain)?\s+([^}|\s]+)\s*\|?\s*([^}]*)\}/g, (_, target, label) =>
    String(label === '' ? target : label).trim(),
  );
  if (/^\s*(?:```|~~~)/m.test(linked)) return linked;
  return linked.replace(/([^\n])\n(?!\s*\n|\s*(?:[-*+#>|]|\d+[.)]\s)|\s{4})[ \t]*/g, '$1 ').trim();
}

/** Fenced code (CommonMark). An unclosed fence is ignored, or the rest would be lost. */
function markFencedLines(lines: readonly string[]): boolean[] {
  const fenced = lines.map(() => false);
  for (let at = 0; at < lines.length; at += 1) {
    // A backtick after the fence makes it inline code.
    const [, backticks, tildes] = /^\s*(?:(`{3,})[^`]*|(~{3,}).*)$/.exec(lines[at] ?? '') ?? [];
    const fence = backticks ?? tildes;
    if (fence === undefined) continue;
    const isEnd = (line: string): boolean =>
      line.startsWith(fence) && line === fence.charAt(0).repeat(line.length);
    const length = lines.slice(at + 1).findIndex((line) => isEnd(line.trim()));
    if (length === -1) continue;
    fenced.fill(true, at, at + length + 2);
    at += length + 1;
  }
  return fenced;
}

export function deprecationNotice({ tags }: Docs): string | undefined {
  const tag = tags.find(({ name }) => name === 'deprecated');
  if (tag === undefined) return undefined;
  const words = joinWrappedLines(tag.text);
  if (words === '') return 'Deprecated.';
  return `Deprecated: ${/[.!?]$/.test(words) ? words : `${words}.`}`;
}

export function stripQuotes(text: string): string {
  const [, straight, curly] = /^(?:"([^"]+)"|“([^“”]+)”)$/.exec(text) ?? [];
  return straight ?? curly ?? text;
}
