/** Tools as the list shows them: filtered, sorted, in groups. */
import { computed, signal } from '@preact/signals';

import type { ToolRow } from '../../src/preview/protocol.ts';
import { active, tools } from '../state.ts';

export type Sorting = 'tag' | 'tokens' | 'score' | 'name';

export type ListItem =
  { kind: 'group'; name: string; tools: number; tokens: number } | { kind: 'tool'; row: ToolRow };

export const filter = signal('');
export const sorting = signal<Sorting>('tag');

export const UNTAGGED = 'untagged';

/** The texts that the filter searches, in lower case. */
const haystacks = computed(() =>
  tools.value.map((row) => {
    const { name, title = '', origin, tags, access } = row;
    return { row, text: [name, title, origin, ...tags, access].join('\n').toLowerCase() };
  }),
);

export const found = computed(() => {
  const words = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
  return haystacks.value
    .filter(({ text }) => words.every((word) => text.includes(word)))
    .map(({ row }) => row);
});

export const items = computed<ListItem[]>(() =>
  sorting.value === 'tag' ? groupByTag(found.value) : sortRows(found.value, sorting.value).map(toItem),
);

const rows = computed(() => items.value.flatMap((item) => (item.kind === 'tool' ? [item.row] : [])));

function toItem(row: ToolRow): ListItem {
  return { kind: 'tool', row };
}

function groupByTag(found: readonly ToolRow[]): ListItem[] {
  const groups = Map.groupBy(found, ({ tags }) => tags[0] ?? UNTAGGED);
  return [...groups].flatMap(([name, group]): ListItem[] => [
    { kind: 'group', name, tools: group.length, tokens: sum(group.map(({ tokens }) => tokens.total)) },
    ...group.map(toItem),
  ]);
}

function sortRows(found: readonly ToolRow[], by: Exclude<Sorting, 'tag'>): ToolRow[] {
  if (by === 'name') return found.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  if (by === 'tokens') return found.toSorted((a, b) => b.tokens.total - a.tokens.total);
  return found.toSorted((a, b) => a.score - b.score);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}

/** Moves the cursor by rows, and stops at the ends. */
export function moveCursor(by: number): void {
  const all = rows.value;
  const at = all.findIndex(({ name }) => name === active.value);
  const to = at < 0 ? 0 : Math.min(all.length - 1, Math.max(0, at + by));
  const row = all[to];
  if (row !== undefined) active.value = row.name;
}

/** The filter was asked for where no list stands: it gets the focus once it does. */
export const isFilterWanted = signal(false);

export function focusField(field: HTMLInputElement | null): void {
  isFilterWanted.value = false;
  field?.focus();
  field?.select();
}
