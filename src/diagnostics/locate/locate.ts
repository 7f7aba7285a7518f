/**
 * Finds line and column of an origin, only when a diagnostic is printed. The index of a text is kept, so that the next search
 * continues where the last one ended.
 */
import { pointerTokens } from '../../util/json-schema.ts';
import type { Origin } from '../../model/origin.ts';
import { type LineColumn, TextLines } from '../../util/text-lines.ts';
import { type DocumentIndex, type SourceTexts } from './text-places.ts';
import { JsonIndex } from './json-index.ts';
import { YamlIndex } from './yaml-index.ts';

export interface Location extends LineColumn {
  /** Characters to underline, on one line; at least 1. */
  length: number;
}

interface TextIndex {
  lines: TextLines;
  /** Made for the first place inside the document. */
  members?: DocumentIndex;
}

const indexes = new WeakMap<SourceTexts, Map<string, TextIndex>>();

/** A pointer to a missing member gets the place of its deepest existing parent. Undefined for an unknown text, and for code. */
export function locateOrigin(texts: SourceTexts, origin: Origin): Location | undefined {
  if (origin.kind === 'code') return undefined;
  const text = texts.textOf(origin.file);
  if (text === undefined) return undefined;
  const index = findTextIndex(texts, origin.file, text);
  if (origin.pointer === '') return findStart(text, index);
  // A configuration in JSON may begin with a comment.
  const members = (index.members ??= /^\s*(?:[{[]|\/[/*])/.test(text)
    ? new JsonIndex(text)
    : new YamlIndex(text));
  const span = members.find(pointerTokens(origin.pointer), origin.on ?? 'value');
  const length = text.slice(span.start, span.end).search(/[\r\n]|$/);
  return { ...index.lines.findLineColumn(span.start), length: Math.max(1, length) };
}

/** Lines of YAML before the first node: comments, directives, the start of the document. */
const preamble = /(?:[ \t\ufeff]*(?:#[^\n]*|%[^\n]*|---[ \t]*)?\r?\n)*[ \t\ufeff]*/y;

function findStart(text: string, { lines }: TextIndex): Location {
  preamble.lastIndex = 0;
  const start = preamble.test(text) ? preamble.lastIndex : 0;
  return { ...lines.findLineColumn(start), length: 1 };
}

function findTextIndex(texts: SourceTexts, file: string, text: string): TextIndex {
  const known = indexes.get(texts) ?? new Map<string, TextIndex>();
  indexes.set(texts, known);
  const index = known.get(file) ?? { lines: new TextLines(text) };
  known.set(file, index);
  return index;
}
