/** A comparison as a page of text for a person, or as Markdown for a pull request. */
import { codeSpan } from '../diagnostics/code-span.ts';
import { markdownText } from '../diagnostics/markdown-text.ts';
import type { Paint } from '../diagnostics/render/paint.ts';
import { visible } from '../diagnostics/render/visible.ts';
import type { Effect } from '../diff/change-kinds.ts';
import type { Change, SurfaceDiff } from '../diff/surface-diff.ts';
import { section } from './section.ts';
import { plural } from './words.ts';

const UNCHANGED = 'Clients see the same tools, resources and prompts.';
const titles: Record<Effect, string> = { breaking: 'Breaking', compatible: 'Compatible' };

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

/** One table an effect. Nothing in a document's text is markup. */
export function renderMarkdown(diff: SurfaceDiff): string {
  if (diff.changes.length === 0) return `${UNCHANGED}\n`;
  const parts = (['breaking', 'compatible'] as const).flatMap((effect) => {
    const changes = withEffect(diff, effect);
    return changes.length === 0 ? [] : [table(titles[effect], changes)];
  });
  return [`**${counts(diff)}**\n`, ...parts].join('\n');
}

function withEffect({ changes }: SurfaceDiff, effect: Effect): Change[] {
  return changes.filter((change) => change.effect === effect);
}

function counts({ breaking, compatible }: SurfaceDiff): string {
  return `${plural(breaking, 'breaking change')}, ${plural(compatible, 'compatible change')}`;
}

function table(title: string, changes: readonly Change[]): string {
  const rows = changes.map(
    (change) =>
      `| ${change.item} | ${codeSpan(visible(change.name)).replaceAll('|', '\\|')} | ${markdownText(visible(describeChange(change)))} |\n`,
  );
  return `### ${title}\n\n| Kind | Name | Change |\n| --- | --- | --- |\n${rows.join('')}`;
}

/** `argument limit: maximum changed from 100 to 50`; of the item as a whole the clause alone. */
function describeChange({ side, at, text }: Change): string {
  if (side === undefined) return text;
  const what = side === 'input' ? 'argument' : 'result';
  return at === undefined ? `${what === 'result' ? what : 'arguments'}: ${text}` : `${what} ${at}: ${text}`;
}
