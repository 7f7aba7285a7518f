import { lineColumnOf } from '../../../diagnostics/locate/line-column.ts';
import type { CodeOrigin } from '../../../model/origin.ts';
import type { Report } from '../report.ts';

/** A repeated key of a mapping. Offsets are in UTF-16 code units. */
export interface DuplicateKey {
  key: string;
  offset: number;
  first: number;
}

/** Reports of one document; a document with more has one cause. */
const mostDuplicateKeys = 20;

/** Collects the keys of a text's mappings in their order. */
export class KeyGatherer {
  readonly found: DuplicateKey[] = [];
  /** The enclosing mappings with their keys; undefined for a list. */
  readonly #open: (Map<string, number> | undefined)[] = [];

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
