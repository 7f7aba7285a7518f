import type { CodeOrigin } from '../model/origin.ts';
import type { Diagnostic } from './diagnostic.ts';

/** Sorts the diagnostics of each file of code by place. They only change places with each other: the order of files stays. */
export function inOrder(found: readonly Diagnostic[]): Diagnostic[] {
  const ofCode = found.filter(isOfCode);
  const files = new Set(ofCode.map(({ origin }) => origin.file));
  const queues = new Map(
    [...files].map((file) => [
      file,
      ofCode
        .filter(({ origin }) => origin.file === file)
        .sort(byPlace)
        .values(),
    ]),
  );
  return found.map(
    (each) => (isOfCode(each) ? queues.get(each.origin.file)?.next().value : undefined) ?? each,
  );
}

type OfCode = Diagnostic & { origin: CodeOrigin };

function isOfCode(diagnostic: Diagnostic): diagnostic is OfCode {
  return diagnostic.origin?.kind === 'code';
}

function byPlace({ origin: a }: OfCode, { origin: b }: OfCode): number {
  return a.line - b.line || a.column - b.column;
}
