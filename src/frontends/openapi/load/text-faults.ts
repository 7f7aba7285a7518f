import { toWellFormedText } from '../../../util/http-syntax.ts';
import { toLineColumn } from '../../../util/text-lines.ts';
import type { CodeOrigin } from '../../../model/origin.ts';
import { type Rec, setOwnMember } from '../document/record.ts';
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

const LONE =
  /\\u[dD][89abAB][\da-fA-F]{2}(?!\\u[dD][c-fC-F])|(?<!\\u[dD][89abAB][\da-fA-F]{2})\\u[dD][c-fC-F]|\\U0000[dD][89a-fA-F]/;

/**
 * Replaces halves of surrogate pairs by U+FFFD, in place. An escape (`"\ud800"`) can make them, UTF-8 cannot hold them, and many
 * JSON readers refuse a whole message for one.
 */
export function replaceLoneSurrogates(text: string, root: unknown): void {
  const seen = new Set<unknown>();
  const visit = (holder: unknown): void => {
    if (typeof holder !== 'object' || holder === null || seen.has(holder)) return;
    seen.add(holder);
    for (const [key, member] of Object.entries(holder) as [string, unknown][]) {
      const name = toWellFormedText(key);
      const clean = typeof member === 'string' ? toWellFormedText(member) : member;
      if (name !== key) Reflect.deleteProperty(holder, key);
      if (name !== key || clean !== member) setOwnMember(holder as Rec, name, clean);
      visit(clean);
    }
  };
  if (LONE.test(text)) visit(root);
}
