/** A tool's or argument's description says in front that it is deprecated: `src/derive` puts it there. */
import type { ChangeKind } from './change-kinds.ts';

export interface DeprecationChange {
  kind: ChangeKind;
  text: string;
}

const MARK = /^(Sent as "[^"]*"\. )?\W*deprecated\s*(?:[.:,;!(-]\s*|$)/i;

/** What two descriptions say about it, and whether they say the same beside that. */
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
