import type { ChangeKind } from './change-kinds.ts';

interface DeprecationChange {
  kind: ChangeKind;
  text: string;
}

/** The mark of a deprecated tool or argument, which `src/derive` puts in front of the description. */
const MARK = /^(Sent as "[^"]*"\. )?\W*deprecated\s*(?:[.:,;!(-]\s*|$)/i;

/** Compares the marks of two descriptions, and finds out whether the rest differs. */
export function compareDeprecation(
  before = '',
  after = '',
): { changes: DeprecationChange[]; isReworded: boolean } {
  const [was, is] = [MARK.test(before), MARK.test(after)];
  if (was === is) return { changes: [], isReworded: before !== after };
  const change: DeprecationChange = is
    ? { kind: 'deprecated', text: 'deprecated' }
    : { kind: 'no-longer-deprecated', text: 'no longer deprecated' };
  return { changes: [change], isReworded: withoutMark(before) !== withoutMark(after) };
}

function withoutMark(text: string): string {
  return text.replace(MARK, '$1').trim();
}
