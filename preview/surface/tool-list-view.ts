import { useEffect, useRef } from 'preact/hooks';

import type { ToolRow } from '../../src/preview/protocol.ts';
import { exclude, isToolOn, keptWords, setExcluded, setTools } from '../changes.ts';
import { classes, htm } from '../htm.ts';
import { MethodBadge, Pick, Score, count, plural, short } from '../parts/basics.ts';
import { Icon } from '../parts/icons.ts';
import { VirtualList } from '../parts/virtual-list.ts';
import { TAG, active, hrefOf, tools } from '../state.ts';
import {
  type ListItem,
  type Sorting,
  UNTAGGED,
  filter,
  focusField,
  found,
  isFilterWanted,
  items,
  moveCursor,
  sorting,
} from './tool-list.ts';

interface Properties {
  onOpen: (name: string) => void;
  /** With switches, scores and tokens. */
  isWide?: boolean;
  /** Opens a tool as soon as the cursor is on it. */
  opensAtOnce?: boolean;
}

/** Fingers need more. */
const ROW = matchMedia('(pointer: coarse)').matches ? 44 : 30;

export function ToolList({ onOpen, isWide = false, opensAtOnce = false }: Properties) {
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (isFilterWanted.value) focusField(field.current);
  }, []);
  return htm`<div class="list-tools">
      <label class="search"><${Icon} name="search" /><span class="hidden">Filter tools</span>
        <input id="filter" ref=${field} type="search" placeholder=${isWide ? 'Filter by name, path, tag, method' : 'Filter'} autocomplete="off" spellcheck=${false} value=${filter.value} onInput=${onFilter} onKeyDown=${fromFilter} />
        <kbd aria-hidden="true">/</kbd>
      </label>
      ${isWide && htm`<${Pick} label="Sort by" value=${sorting.value} options=${['tag', 'tokens', 'score', 'name']} onChange=${sortBy} />`}
    </div>
    <${Rows} onOpen=${onOpen} isWide=${isWide} opensAtOnce=${opensAtOnce} />
    <p class="list-foot" aria-live="polite">${found.value.length === tools.value.length ? plural(found.value.length, 'tool') : `${count(found.value.length)} of ${plural(tools.value.length, 'tool')}`}</p>`;
}

/** The first of the new order is what a person wants to see. */
function sortBy(by: Sorting): void {
  sorting.value = by;
  moveCursor(-Infinity);
}

function onFilter(event: Event): void {
  filter.value = (event.currentTarget as HTMLInputElement).value;
}

function fromFilter(event: KeyboardEvent): void {
  if (event.key !== 'ArrowDown' && event.key !== 'Enter') return;
  event.preventDefault();
  if (!found.value.some(({ name }) => name === active.value)) moveCursor(0);
  document.getElementById('tools')?.focus();
}

function Rows({ onOpen, isWide = false, opensAtOnce = false }: Properties) {
  const list = items.value;
  const cursor = list.findIndex((item) => item.kind === 'tool' && item.row.name === active.value);
  const most = useRef(1);
  most.current = Math.max(1, ...tools.value.map(({ tokens }) => tokens.total));
  const moved = useRef(false);
  useEffect(() => {
    if (moved.current && opensAtOnce) onOpen(active.value);
    moved.current = false;
  }, [active.value]);
  const onKeyDown = (event: KeyboardEvent): void => {
    const by = steps(event);
    if (by !== undefined) {
      moved.current = true;
      moveCursor(by);
    } else if (event.target !== event.currentTarget) return;
    else if (event.key === 'Enter' && cursor >= 0 && !event.ctrlKey && !event.metaKey) onOpen(active.value);
    else if (event.key === ' ' && isWide) toggleCursor();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const render = (index: number) => {
    const item = list[index];
    if (item === undefined) return null;
    if (item.kind === 'group') return htm`<${Group} group=${item} isWide=${isWide} />`;
    const { row } = item;
    return htm`<${Row} row=${row} index=${index} isActive=${index === cursor} isWide=${isWide} most=${most.current} onOpen=${onOpen} />`;
  };
  return htm`<div id="tools" class=${classes('rows', isWide && 'is-wide')} role="grid" aria-label="Tools" tabindex="0" aria-rowcount=${list.length} aria-activedescendant=${cursor < 0 ? undefined : `row-${cursor}`} onKeyDown=${onKeyDown}>
    ${isWide && htm`<${Head} />`}${list.length === 0 ? htm`<div role="row"><div role="gridcell" class="empty">No tool has these words.</div></div>` : htm`<${VirtualList} count=${list.length} rowHeight=${ROW} cursor=${cursor} render=${render} />`}
  </div>`;
}

const STEPS: Record<string, number> = {
  ArrowDown: 1,
  j: 1,
  ArrowUp: -1,
  k: -1,
  PageDown: 15,
  PageUp: -15,
  End: Infinity,
  Home: -Infinity,
};

function steps({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): number | undefined {
  return ctrlKey || metaKey || altKey ? undefined : STEPS[key];
}

function toggleCursor(): void {
  const row = found.value.find(({ name }) => name === active.value);
  if (row !== undefined) setTools([row], !isToolOn(row));
}

/** Its switch is that of all tools which the filter leaves. */
function Head() {
  const rows = found.value;
  const isOn = rows.some(isToolOn);
  const label = filter.value === '' ? 'Serve all tools' : `Serve the ${plural(rows.length, 'tool')} shown`;
  return htm`<div role="row" class="row head">
    <span role="columnheader"><${Check} label=${label} isOn=${isOn} onChange=${() => setTools(rows, !isOn)} tabIndex=${0} /></span>
    <span role="columnheader" class="cell-method"><span class="hidden">method</span></span>
    <span role="columnheader" class="cell-name">tool</span>
    <span role="columnheader" class="cell-findings">findings</span>
    <span role="columnheader" class="cell-score">score</span>
    <span role="columnheader" class="cell-tokens">tokens</span>
  </div>`;
}

interface CheckProperties {
  label: string;
  isOn: boolean;
  onChange: () => void;
  /** Space switches the row of the cursor, so the checkboxes of rows are for the mouse. */
  tabIndex?: number;
}

function Check({ label, isOn, onChange, tabIndex = -1 }: CheckProperties) {
  return htm`<label class="cell-switch" title=${label}><input type="checkbox" tabindex=${tabIndex} aria-label=${label} checked=${isOn} onChange=${onChange} /></label>`;
}

function Group({ group, isWide }: { group: Extract<ListItem, { kind: 'group' }>; isWide: boolean }) {
  const { name } = group;
  const selector = `tag:${name}`;
  const isOn = !exclude.value.includes(selector);
  const hasSwitch = isWide && name !== UNTAGGED;
  return htm`<div role="row" class="row group">
    ${isWide && htm`<span role="gridcell">${hasSwitch ? htm`<${Check} label=${`All of ${name}`} isOn=${isOn} onChange=${() => setExcluded(selector, isOn)} />` : htm`<span class="cell-switch"></span>`}</span>`}
    <span role="gridcell" class="cell-name"><a href=${hrefOf('tool', TAG + name)} title="Edit the descriptions of all">${name}</a></span>
    <span role="gridcell" class="muted">${plural(group.tools, 'tool')}</span>
    ${isWide && htm`<span role="gridcell" class="cell-tokens">${short(group.tokens)}</span>`}
  </div>`;
}

interface RowProperties {
  row: ToolRow;
  index: number;
  isActive: boolean;
  isWide: boolean;
  most: number;
  onOpen: (name: string) => void;
}

function Row({ row, index, isActive, isWide, most, onOpen }: RowProperties) {
  const isOn = isToolOn(row);
  const open = (): void => {
    active.value = row.name;
    onOpen(row.name);
  };
  return htm`<div role="row" id=${`row-${index}`} class=${classes('row', isActive && 'is-active', !isOn && 'is-off', !row.isListed && 'is-unlisted')} aria-rowindex=${index + 1} aria-selected=${isActive}>
    ${isWide && htm`<span role="gridcell"><${Check} label=${`Serve ${row.name}`} isOn=${isOn} onChange=${() => setTools([row], !isOn)} /></span>`}
    <span role="gridcell" class="cell-method"><${MethodBadge} row=${row} /></span>
    <span role="gridcell" class="cell-name" onClick=${open} title=${row.origin}><code>${row.name}</code>${row.pin && htm`<${Icon} name="pin" />`}${keptWords(row.name) !== undefined && htm`<span class="tag" title="Its edits are not written yet">edited</span>`}${isWide && htm`<span class="cell-origin">${row.origin}</span>`}</span>
    ${
      isWide &&
      htm`<span role="gridcell" class="cell-findings">${row.findings > 0 && htm`<span class="tag is-warning" title=${plural(row.findings, 'finding')}>${row.findings}</span>`}</span>
      <span role="gridcell" class="cell-score"><${Score} score=${row.score} /></span>
      <span role="gridcell" class="cell-tokens"><span class="bar"><i style=${{ width: `${Math.max(2, (100 * row.tokens.total) / most)}%` }}></i></span>${count(row.tokens.total)}</span>`
    }
  </div>`;
}
