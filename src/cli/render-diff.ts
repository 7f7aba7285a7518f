/** A comparison as a page of text for a person. */
import type { Paint } from '../diagnostics/render/paint.ts';
import type { Effect } from '../diff/change-kinds.ts';
import type { Change, SurfaceDiff } from '../diff/surface-diff.ts';
import { section } from './section.ts';
import { plural } from './words.ts';

export const UNCHANGED = 'Clients see the same tools, resources and prompts.';
export const titles: Record<Effect, string> = { breaking: 'Breaking', compatible: 'Compatible' };

export function renderDiff(diff: SurfaceDiff, paint: Paint): string {
  if (diff.changes.length === 0) return `${UNCHANGED}\n`;
  const parts = (['breaking', 'compatible'] as const).map((effect) =>
    section(
      titles[effect],
      withEffect(diff, effect).map((change) => [change.item, change.name, describeChange(change)]),
      paint,
    ),
  );
  return [`${counts(diff)}\n`, ...parts.filter((part) => part !== '')].join('\n');
}

export function withEffect({ changes }: SurfaceDiff, effect: Effect): Change[] {
  return changes.filter((change) => change.effect === effect);
}

export function counts({ breaking, compatible }: SurfaceDiff): string {
  return `${plural(breaking, 'breaking change')}, ${plural(compatible, 'compatible change')}`;
}

/** `argument limit: maximum changed from 100 to 50`; only the clause if the item as a whole changed. */
export function describeChange({ side, at, text }: Change): string {
  if (side === undefined) return text;
  const what = side === 'input' ? 'argument' : 'result';
  return at === undefined ? `${what === 'result' ? what : 'arguments'}: ${text}` : `${what} ${at}: ${text}`;
}
