/** The generated texts that owned files were made from. A lock holds them, so that each can be merged again: ADR 38. */
import { isRecord } from '../../templates/runtime/contract/json-value.ts';
import { hashContents } from './hash.ts';

/** Path → the lines of the text; joined by line feeds they are the text. Lines differ one by one in version control. */
export type Bases = Record<string, string[]>;

/** A generated file that a person has taken over. */
export interface TakenOver {
  /** Hash of the generated text that the person's file takes account of. */
  hash: string;
  /** That text; absent where it is not known any more. */
  base?: string;
}

/** The text with this hash that a lock holds for the path. One that was edited is none. */
export function baseIn({ bases = {} }: { bases?: Bases }, path: string, hash: string): string | undefined {
  const text = Object.hasOwn(bases, path) ? bases[path]?.join('\n') : undefined;
  return text !== undefined && hashContents(text) === hash ? text : undefined;
}

/** What a lock says of files that were taken over. */
export function lockedOwned(files: Record<string, TakenOver>): {
  owned?: Record<string, string>;
  bases?: Bases;
} {
  const all = Object.entries(files);
  const bases = all.flatMap(([path, { base }]): [string, string[]][] =>
    base === undefined ? [] : [[path, base.split('\n')]],
  );
  return {
    ...(all.length === 0 ? {} : { owned: Object.fromEntries(all.map(([path, { hash }]) => [path, hash])) }),
    ...(bases.length === 0 ? {} : { bases: Object.fromEntries(bases) }),
  };
}

export function isBases(value: unknown): value is Bases {
  return (
    isRecord(value) &&
    Object.values(value).every(
      (lines) => Array.isArray(lines) && lines.every((line) => typeof line === 'string'),
    )
  );
}
