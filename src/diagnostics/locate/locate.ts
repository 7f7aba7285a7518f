/**
 * Line and column of an origin. Nothing is searched before a diagnostic is printed, and what was passed on the
 * way is remembered, so that the next search in the same text goes on from there.
 */
import type { Origin } from '../../model/origin.ts';
import type { DocumentIndex } from './document-index.ts';
import { JsonIndex } from './json-index.ts';
import { type LineColumn, lineColumnOf } from './line-column.ts';
import type { SourceTexts } from './source-texts.ts';
import { YamlIndex } from './yaml-index.ts';

export interface Location extends LineColumn {
  /** Characters to underline, on one line; at least 1. */
  length: number;
}

const indexes = new WeakMap<SourceTexts, Map<string, DocumentIndex>>();

/**
 * Where an origin stands. A pointer whose end does not exist (something is missing) is placed at the deepest part
 * that does. Undefined when the file's text is not known, and for code, which has its place already.
 */
export function locate(texts: SourceTexts, origin: Origin): Location | undefined {
  if (origin.kind === 'code') return undefined;
  const text = texts.textOf(origin.file);
  if (text === undefined) return undefined;
  if (origin.pointer === '') return startOf(text);
  const span = indexOf(texts, origin.file, text).find(tokensOf(origin.pointer), origin.on ?? 'value');
  const length = text.slice(span.start, span.end).search(/[\r\n]|$/);
  return { ...lineColumnOf(text, span.start), length: Math.max(1, length) };
}

/** Lines of YAML before the first node: comments, directives, the start of the document. */
const preamble = /(?:[ \t\ufeff]*(?:#[^\n]*|%[^\n]*|---[ \t]*)?\r?\n)*[ \t\ufeff]*/y;

/** The whole document is shown by its first character; no index is needed for that. */
function startOf(text: string): Location {
  preamble.lastIndex = 0;
  const start = preamble.test(text) ? preamble.lastIndex : 0;
  return { ...lineColumnOf(text, start), length: 1 };
}

function indexOf(texts: SourceTexts, file: string, text: string): DocumentIndex {
  let known = indexes.get(texts);
  if (known === undefined) {
    known = new Map();
    indexes.set(texts, known);
  }
  let index = known.get(file);
  if (index === undefined) {
    index = /^\s*[{[]/.test(text) ? new JsonIndex(text) : new YamlIndex(text);
    known.set(file, index);
  }
  return index;
}

function tokensOf(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));
}
