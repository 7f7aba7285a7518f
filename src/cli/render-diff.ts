/** A comparison as a page of text for a person. */
import { quoteAsCodeSpan, escapeMarkdown } from '../diagnostics/quoting.ts';
import { type Paint, escapeInvisible } from '../diagnostics/render/terminal-text.ts';
import type { Effect } from '../diff/change-kinds.ts';
import { shortenToLine } from '../emit/prose.ts';
import type { Change, Growth, SurfaceDiff } from '../diff/surface-diff.ts';
import { formatCount, formatCountWithNoun, formatSection } from './words.ts';

const UNCHANGED = 'Clients see the same tools, resources and prompts.';
const titles: Record<Effect, string> = { breaking: 'Breaking', compatible: 'Compatible' };

export function renderDiff(diff: SurfaceDiff, paint: Paint): string {
  if (diff.changes.length === 0) return `${UNCHANGED}\n`;
  const parts = (['breaking', 'compatible'] as const).map((effect) =>
    formatSection(
      titles[effect],
      changesWithEffect(diff, effect).map((change) => [change.item, change.name, describeChange(change)]),
      paint,
    ),
  );
  return [`${formatEffectCounts(diff)}\n`, ...parts.filter((part) => part !== '')].join('\n');
}

function changesWithEffect({ changes }: SurfaceDiff, effect: Effect): Change[] {
  return changes.filter((change) => change.effect === effect);
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

/** GitHub refuses comments of more than 65,536 characters. */
const MOST_ROWS = 100;

/** Prints a comparison as Markdown for a pull request, what breaks first. No text of a document becomes markup. */
export function renderMarkdown(diff: SurfaceDiff): string {
  if (diff.changes.length === 0) return `${UNCHANGED}\n`;
  const ordered = (['breaking', 'compatible'] as const).flatMap((effect) => changesWithEffect(diff, effect));
  const rows = ordered.slice(0, MOST_ROWS).map((change) => {
    const name = quoteAsCodeSpan(escapeInvisible(change.name)).replaceAll('|', '\\|');
    const text = escapeMarkdown(escapeInvisible(shortenToLine(describeChange(change), 200)));
    return `| ${titles[change.effect]} | ${change.item} | ${name} | ${text} |\n`;
  });
  const rest = ordered.length - rows.length;
  return [
    `**${formatEffectCounts(diff)}**\n\n`,
    '| Effect | Kind | Name | Change |\n| --- | --- | --- | --- |\n',
    ...rows,
    rest === 0
      ? ''
      : `\n… and ${formatCountWithNoun(rest, 'more change')}: \`mcpgen diff --json\` has all.\n`,
  ].join('');
}
