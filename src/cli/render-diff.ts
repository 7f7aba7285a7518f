/** A comparison as a page of text for a person. */
import { quoteAsCodeSpan, escapeMarkdown } from '../diagnostics/quoting.ts';
import { type Paint, escapeInvisible } from '../diagnostics/render/terminal-text.ts';
import type { Effect } from '../diff/change-kinds.ts';
import type { Change, Growth, ItemKind, SurfaceDiff } from '../diff/surface-diff.ts';
import { groupBy } from '../util/collections.ts';
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

/** Most characters: GitHub refuses comments of more than 65,536, and other text may surround the tables. */
const ROOM = 60_000;

/** Characters reserved for compatible changes, however many changes break. */
const ROOM_FOR_COMPATIBLE = 5_000;

/** Most names that one row of a diff lists. */
const NAMES_A_ROW = 40;

/** Longer lists of compatible changes are folded. */
const SHOWN_OPEN = 20;

/**
 * Prints a comparison as Markdown for a pull request: the counts, then breaking changes, then compatible
 * ones, folded if there are many. Escapes all text of documents, so that none of it becomes markup.
 */
export function renderMarkdown(diff: SurfaceDiff): string {
  if (diff.changes.length === 0) return `${UNCHANGED}\n`;
  const head = [`**${formatEffectCounts(diff)}**\n`, renderSummary(diff.changes)].join('\n');
  const [breaking, compatible] = [changesWithEffect(diff, 'breaking'), changesWithEffect(diff, 'compatible')];
  const first = renderTable(titles.breaking, breaking, ROOM - head.length - ROOM_FOR_COMPATIBLE);
  const second = renderTable(titles.compatible, compatible, ROOM - head.length - first.length);
  const folded =
    compatible.length > SHOWN_OPEN
      ? `<details><summary>${formatCountWithNoun(compatible.length, 'compatible change')}</summary>\n\n${second}\n</details>\n`
      : second;
  return [head, first, folded].filter((part) => part !== '').join('\n');
}

const columns = ['added', 'removed', 'renamed', 'changed'] as const;
type Column = (typeof columns)[number];

function renderSummary(changes: readonly Change[]): string {
  const kinds = new Map<ItemKind, Record<Column, Set<string>>>();
  for (const { item, name, kind } of changes) {
    const counts = kinds.get(item) ?? {
      added: new Set(),
      removed: new Set(),
      renamed: new Set(),
      changed: new Set(),
    };
    kinds.set(item, counts);
    const column = kind.replace(/^origin-/, '');
    counts[isColumn(column) ? column : 'changed'].add(name);
  }
  const rows = [...kinds].map(
    ([item, counts]) =>
      `| ${item}s | ${columns.map((column) => formatCount(counts[column].size)).join(' | ')} |\n`,
  );
  return `| | ${columns.join(' | ')} |\n| --- |${' --: |'.repeat(columns.length)}\n${rows.join('')}`;
}

function isColumn(kind: string): kind is Column {
  return (columns as readonly string[]).includes(kind);
}

/** One row per different change, with all items that have it; as many rows as fit into `room` characters. */
function renderTable(title: string, changes: readonly Change[], room: number): string {
  if (changes.length === 0) return '';
  let text = `### ${title}\n\n| Kind | Name | Change |\n| --- | --- | --- |\n`;
  let shown = 0;
  for (const alike of groupSameChanges(changes)) {
    const line = renderRow(alike);
    if (text.length + line.length > room) break;
    text += line;
    shown += alike.length;
  }
  const rest = changes.length - shown;
  return rest === 0
    ? text
    : `${text}\n… and ${formatCountWithNoun(rest, 'more change')}: \`mcpgen diff --json\` tells all.\n`;
}

function groupSameChanges(changes: readonly Change[]): Change[][] {
  const groups = groupBy(changes, (change) => JSON.stringify([change.item, describeChange(change)]));
  return [...groups.values()].flatMap((group) =>
    Array.from({ length: Math.ceil(group.length / NAMES_A_ROW) }, (_, at) =>
      group.slice(at * NAMES_A_ROW, (at + 1) * NAMES_A_ROW),
    ),
  );
}

function renderRow(alike: readonly Change[]): string {
  const [first] = alike;
  if (first === undefined) return '';
  const names = alike.map(({ name }) => quoteAsCodeSpan(escapeInvisible(name)).replaceAll('|', '\\|'));
  return `| ${first.item} | ${names.join(', ')} | ${escapeMarkdown(escapeInvisible(describeChange(first)))} |\n`;
}
