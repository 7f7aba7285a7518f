import { lineColumnOf } from '../../../diagnostics/locate/line-column.ts';
import type { CodeOrigin } from '../../../model/origin.ts';
import type { Report } from '../report.ts';

/** A key that stands a second time in its mapping. Offsets are in UTF-16 code units. */
export interface DuplicateKey {
  key: string;
  offset: number;
  /** Where the key stands first. */
  first: number;
}

/** Reports of one document; a document with more has one cause. */
const mostDuplicateKeys = 20;

/** Gathers the keys of the mappings of one text, from its beginning to its end. */
export class KeyGatherer {
  readonly found: DuplicateKey[] = [];
  /** The mappings around the place, with what they hold; undefined for a list. */
  readonly #open: (Map<string, number> | undefined)[] = [];

  /** Whether enough was found. */
  get full(): boolean {
    return this.found.length >= mostDuplicateKeys;
  }

  enter(kind: 'mapping' | 'list'): void {
    this.#open.push(kind === 'mapping' ? new Map<string, number>() : undefined);
  }

  leave(): void {
    this.#open.pop();
  }

  key(key: string, offset: number): void {
    const keys = this.#open.at(-1);
    const first = keys?.get(key);
    if (first === undefined) keys?.set(key, offset);
    else if (!this.full) this.found.push({ key, offset, first });
  }
}

/** Says which keys of a document stand twice. */
export function reportDuplicateKeys(
  document: { file: string; text: string; duplicateKeys: readonly DuplicateKey[] },
  report: Report,
): void {
  const { file, text, duplicateKeys } = document;
  const place = (offset: number): CodeOrigin => ({ kind: 'code', file, ...lineColumnOf(text, offset) });
  for (const { key, offset, first } of duplicateKeys) {
    const related = [{ message: 'It stands here first.', origin: place(first) }];
    report('duplicate-key', { key }, { at: place(offset), related });
  }
}
