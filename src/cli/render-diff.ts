/** A comparison as text for a person. */
import type { Paint } from '../diagnostics/render/terminal-text.ts';
import type { Effect } from '../diff/change-kinds.ts';
import type { Change, Growth, SurfaceDiff } from '../diff/surface-diff.ts';
import { formatCount, formatCountWithNoun, formatSection } from './words.ts';

const UNCHANGED = 'Clients see the same tools, resources and prompts.';
const titles: Record<Effect, string> = { breaking: 'Breaking', compatible: 'Compatible' };

export function renderDiff(diff: SurfaceDiff, paint: Paint): string {
  if (diff.changes.length === 0) return `${UNCHANGED}\n`;
  const parts = (['breaking', 'compatible'] as const).map((effect) =>
    formatSection(
      titles[effect],
      diff.changes
        .filter((change) => change.effect === effect)
        .map((change) => [change.item, change.name, describeChange(change)]),
      paint,
    ),
  );
  return [`${formatEffectCounts(diff)}\n`, ...parts.filter((part) => part !== '')].join('\n');
}

function formatEffectCounts({ breaking, compatible, tokens, allTokens }: SurfaceDiff): string {
  const counts = `${formatCountWithNoun(breaking, 'breaking change')}, ${formatCountWithNoun(compatible, 'compatible change')}`;
  const growth = [formatGrowth('tools/list', tokens), formatGrowth('all tools', allTokens)];
  return [counts, ...growth.filter((text) => text !== '')].join(' · ');
}

/** `tools/list 3,120 → 3,400 tokens (+280)` */
function formatGrowth(what: string, { before, after }: Growth = { before: 0, after: 0 }): string {
  if (before === after) return '';
  const growth = `${after > before ? '+' : '-'}${formatCount(Math.abs(after - before))}`;
  return `${what} ${formatCount(before)} → ${formatCount(after)} tokens (${growth})`;
}

/** `argument limit: maximum changed from 100 to 50`; only the clause if the item as a whole changed. */
export function describeChange({ side, at, text }: Change): string {
  if (side === undefined) return text;
  const what = side === 'input' ? 'argument' : 'result';
  return at === undefined ? `${what === 'result' ? what : 'arguments'}: ${text}` : `${what} ${at}: ${text}`;
}
