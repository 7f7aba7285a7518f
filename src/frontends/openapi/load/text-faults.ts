import { isRecord } from '../../../../templates/runtime/contract/json-value.ts';
import { toLineColumn } from '../../../util/text-lines.ts';
import { toWellFormedText } from '../../../../templates/runtime/contract/http-syntax.ts';
import type { CodeOrigin, DocumentOrigin } from '../../../model/origin.ts';
import { type Rec, setOwnMember } from '../document/record.ts';
import { escapePointerToken } from '../../../../templates/runtime/contract/json-schema.ts';
import type { Report } from '../report.ts';

/** Offsets are in UTF-16 code units. */
export interface DuplicateKey {
  key: string;
  offset: number;
  first: number;
}

/** Most duplicate keys that are reported of one document: if there are more, they have one cause. */
const mostDuplicateKeys = 20;

export class KeyGatherer {
  readonly duplicates: DuplicateKey[] = [];
  /** The keys of each open mapping; undefined for a list. */
  readonly #open: (Map<string, number> | undefined)[] = [];

  get isFull(): boolean {
    return this.duplicates.length >= mostDuplicateKeys;
  }

  enterContainer(kind: 'mapping' | 'list'): void {
    this.#open.push(kind === 'mapping' ? new Map<string, number>() : undefined);
  }

  leaveContainer(): void {
    this.#open.pop();
  }

  addKey(key: string, offset: number): void {
    const keys = this.#open.at(-1);
    const first = keys?.get(key);
    if (first === undefined) keys?.set(key, offset);
    else if (!this.isFull) this.duplicates.push({ key, offset, first });
  }
}

export function reportDuplicateKeys(
  document: { file: string; text: string; duplicateKeys: readonly DuplicateKey[] },
  report: Report,
): void {
  const { file, text, duplicateKeys } = document;
  const place = (offset: number): CodeOrigin => ({ kind: 'code', file, ...toLineColumn(text, offset) });
  for (const { key, offset, first } of duplicateKeys) {
    const related = [{ message: 'It is here first.', origin: place(first) }];
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
  if (!['\\ud', '\\uD', '\\U0000'].some((start) => text.includes(start)) || !lone.test(text)) return [];
  const mended: LoneSurrogate[] = [];
  const places: { pointer: string; value: unknown }[] = [{ pointer: '', value }];
  const seen = new Set<object>();
  for (const { pointer, value: holder } of places) {
    if (typeof holder !== 'object' || holder === null || seen.has(holder)) continue;
    seen.add(holder);
    if (isRecord(holder)) mended.push(...replaceSurrogatesInKeys(holder, pointer));
    for (const key of Object.keys(holder)) {
      const member: unknown = Reflect.get(holder, key);
      const place = { pointer: `${pointer}/${escapePointerToken(key)}`, value: member };
      if (typeof member !== 'string') places.push(place);
      else if (toWellFormedText(member) !== member) {
        mended.push({ pointer: place.pointer, text: member, isKey: false });
        Reflect.set(holder, key, toWellFormedText(member));
      }
    }
  }
  return mended;
}

/** Members keep their order; of two that become equal the first stays. */
function replaceSurrogatesInKeys(record: Rec, pointer: string): LoneSurrogate[] {
  const members = Object.entries(record);
  const odd = members.filter(([key]) => toWellFormedText(key) !== key);
  if (odd.length === 0) return [];
  for (const [key] of members) Reflect.deleteProperty(record, key);
  for (const [key, member] of members) {
    if (!Object.hasOwn(record, toWellFormedText(key))) setOwnMember(record, toWellFormedText(key), member);
  }
  return odd.map(([key]) => ({
    pointer: `${pointer}/${escapePointerToken(toWellFormedText(key))}`,
    text: key,
    isKey: true,
  }));
}

export function reportSurrogates(file: string, mended: readonly LoneSurrogate[], report: Report): void {
  for (const { pointer, text, isKey } of mended.slice(0, mostReported)) {
    const at: DocumentOrigin = { kind: 'document', file, pointer, ...(isKey ? { on: 'key' } : {}) };
    report(
      'lone-surrogate',
      { text: JSON.stringify(text.length > 60 ? excerptSurrogate(text) : text) },
      { at },
    );
  }
}

function excerptSurrogate(text: string): string {
  const at = [...text].findIndex((character) => toWellFormedText(character) !== character);
  return [...text].slice(Math.max(0, at - 20), at + 20).join('');
}
