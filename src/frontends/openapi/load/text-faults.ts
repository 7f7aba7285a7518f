import { toLineColumn } from '../../../util/text-lines.ts';
import { toWellFormedText } from '../../../util/http-syntax.ts';
import type { CodeOrigin, DocumentOrigin } from '../../../model/origin.ts';
import { escapePointerToken } from '../../../util/json-schema.ts';
import type { Report } from '../report.ts';

/** Offsets are in UTF-16 code units. */
export interface DuplicateKey {
  key: string;
  offset: number;
  /** Absent in YAML. */
  first?: number;
}

export function reportDuplicateKeys(
  document: { file: string; text: string; duplicateKeys: readonly DuplicateKey[] },
  report: Report,
): void {
  const { file, text, duplicateKeys } = document;
  const place = (offset: number): CodeOrigin => ({ kind: 'code', file, ...toLineColumn(text, offset) });
  for (const { key, offset, first } of duplicateKeys) {
    const related = first === undefined ? [] : [{ message: 'It is here first.', origin: place(first) }];
    report('duplicate-key', { key }, { at: place(offset), related });
  }
}

export interface LoneSurrogate {
  pointer: string;
  text: string;
  isKey: boolean;
}

const mostReported = 20;
const lone =
  /\\u[dD][89abAB][\da-fA-F]{2}(?!\\u[dD][c-fC-F])|(?<!\\u[dD][89abAB][\da-fA-F]{2})\\u[dD][c-fC-F]|\\U0000[dD][89a-fA-F]/;

/**
 * Replaces halves of surrogate pairs in place. An escape (`"\ud800"`) can contain them, UTF-8 cannot, and many JSON
 * readers refuse a whole message for one.
 */
export function replaceLoneSurrogates(text: string, value: unknown): LoneSurrogate[] {
  const surrogates: LoneSurrogate[] = [];
  const seen = new Set<object>();
  const visit = (holder: object, pointer: string): void => {
    if (seen.has(holder)) return;
    seen.add(holder);
    for (const [key, member] of Object.entries(holder) as [string, unknown][]) {
      const name = toWellFormedText(key);
      const place = `${pointer}/${escapePointerToken(name)}`;
      const clean = typeof member === 'string' ? toWellFormedText(member) : member;
      if (name !== key) {
        surrogates.push({ pointer: place, text: key, isKey: true });
        Reflect.deleteProperty(holder, key);
        if (!Object.hasOwn(holder, name)) Reflect.set(holder, name, clean);
      }
      if (typeof member === 'string' && clean !== member) {
        surrogates.push({ pointer: place, text: member, isKey: false });
        Reflect.set(holder, name, clean);
      } else if (typeof member === 'object' && member !== null) visit(member, place);
    }
  };
  if (typeof value === 'object' && value !== null && lone.test(text)) visit(value, '');
  return surrogates;
}

export function reportSurrogates(file: string, surrogates: readonly LoneSurrogate[], report: Report): void {
  for (const { pointer, text, isKey } of surrogates.slice(0, mostReported)) {
    const at: DocumentOrigin = { kind: 'document', file, pointer, ...(isKey ? { on: 'key' } : {}) };
    report('lone-surrogate', { text: JSON.stringify(text.slice(0, 60)) }, { at });
  }
}
