import { signal } from '@preact/signals';
import { type HierarchyRectangularNode, hierarchy, treemap, treemapSquarify } from 'd3-hierarchy';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';

import type { TokenParts, ToolRow } from '../../src/preview/protocol.ts';
import { htm } from '../htm.ts';
import { Empty, Segmented, coloured, count, methodColour, plural, scoreColour } from '../parts/basics.ts';
import { active, go, toolByName } from '../state.ts';
import { UNTAGGED, found } from './tool-list.ts';

type Colouring = 'method' | 'score';

export const PARTS = [
  'name',
  'description',
  'input',
  'output',
  'annotations',
] as const satisfies readonly (keyof TokenParts)[];

const SHADES = { name: 0.1, description: 0.18, input: 0, output: 0.35, annotations: 0.1 };

const colouring = signal<Colouring>('method');
/** The id of the box that the mouse or the cursor is on: a tool, or one of its parts. */
const pointed = signal('');

/** Follows the filter when typing rests, so that the list is quick. */
const mapped = signal<readonly ToolRow[]>([]);
const REST = 150;
/** The list is painted before the map. */
const FIRST = 30;

interface Branch {
  name: string;
  row?: ToolRow;
  part?: (typeof PARTS)[number];
  tokens?: number;
  children?: Branch[];
}

type Box = HierarchyRectangularNode<Branch>;

export function TreemapPane() {
  const rows = found.value;
  useEffect(() => {
    const timer = setTimeout(() => (mapped.value = rows), mapped.peek().length === 0 ? FIRST : REST);
    return () => clearTimeout(timer);
  }, [rows]);
  return htm`<section class="pane map-pane" aria-label="Map of tokens">
    <header class="pane-head"><h2>Tokens</h2>
      <${Segmented} label="Colour" value=${colouring.value} choices=${COLOURS} onChange=${(by: Colouring) => (colouring.value = by)} />
    </header>
    <${TreemapChart} />
    <${Legend} />
  </section>`;
}

const COLOURS = [
  { value: 'method', label: 'Method' },
  { value: 'score', label: 'Lint score' },
] as const;

function TreemapChart() {
  const box = useRef<HTMLDivElement>(null);
  const [size, setSize] = useState({ width: 0, height: 0 });
  useEffect(() => {
    if (box.current === null) return;
    const observer = new ResizeObserver(([entry]) => {
      if (entry !== undefined)
        setSize({ width: Math.floor(entry.contentRect.width), height: Math.floor(entry.contentRect.height) });
    });
    observer.observe(box.current);
    return () => observer.disconnect();
  }, []);
  const rows = mapped.value;
  const boxes = useMemo(() => layOut(rows, size.width, size.height), [rows, size]);
  const point = ({ target }: Event): void => {
    pointed.value = (target as Element).id;
  };
  const open = (): void => {
    const name = boxes.find((each) => idOf(each) === pointed.value)?.data.row?.name;
    if (name !== undefined) go('tool', name);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const by = STEPS[event.key];
    if (event.key === 'Enter') open();
    if (by === undefined) return;
    event.preventDefault();
    const drawn = boxes.filter(isDrawn);
    const at = drawn.findIndex((each) => idOf(each) === pointed.value);
    const to = drawn[Math.min(drawn.length - 1, Math.max(0, at + by))];
    if (to !== undefined) pointed.value = idOf(to);
  };
  return htm`<div ref=${box} class="map">
    ${found.value.length === 0 && htm`<${Empty}>Nothing to show.<//>`}
    <svg role="listbox" tabindex="0" aria-label=${`Tokens of ${plural(rows.length, 'tool')}`} aria-activedescendant=${pointed.value || undefined} width=${size.width} height=${size.height} onClick=${open} onKeyDown=${onKeyDown} onMouseMove=${point} onMouseLeave=${() => (pointed.value = '')}>
      <${Boxes} boxes=${boxes} by=${colouring.value} />
      <${Mark} boxes=${boxes} />
    </svg>
  </div>`;
}

/** Tags, their tools, and the parts of those that are large enough. */
function layOut(rows: readonly ToolRow[], width: number, height: number): Box[] {
  if (width === 0 || height === 0 || rows.length === 0) return [];
  const groups = [...groupByTag(rows)].map(([name, group]) => ({ name, children: group.map(toBranch) }));
  const hasTags = groups.length > 1;
  const root: Branch = { name: '', children: hasTags ? groups : (groups[0]?.children ?? []) };
  const tree = hierarchy(root)
    .sum(({ tokens = 0 }) => tokens)
    .sort((a, b) => (b.value ?? 0) - (a.value ?? 0));
  const layout = treemap<Branch>()
    .tile(treemapSquarify)
    .size([width, height])
    .paddingTop((node) => (hasTags && node.depth === 1 && isRoomy(node) ? 15 : 0))
    .paddingInner((node) => (node.depth === 0 ? 3 : node.depth === 1 && hasTags ? 1 : 0.5))
    .round(false);
  return layout(tree).descendants();
}

function groupByTag(rows: readonly ToolRow[]): Map<string, ToolRow[]> {
  return Map.groupBy(rows, ({ tags }) => tags[0] ?? UNTAGGED);
}

function isRoomy({ x0, x1, y0, y1 }: Box): boolean {
  return x1 - x0 > 44 && y1 - y0 > 34;
}

function toBranch(row: ToolRow): Branch {
  const children = PARTS.map((part) => ({ name: part, part, row, tokens: row.tokens[part] }));
  return { name: row.name, row, children: children.filter(({ tokens }) => tokens > 0) };
}

const STEPS: Record<string, number> = {
  ArrowRight: 1,
  ArrowDown: 1,
  ArrowLeft: -1,
  ArrowUp: -1,
  Home: -Infinity,
  End: Infinity,
};

function Boxes({ boxes, by }: { boxes: Box[]; by: Colouring }) {
  return useMemo(() => [...boxes.map((box) => drawBox(box, by)), ...boxes.map(drawLabel)], [boxes, by]);
}

function drawBox(box: Box, by: Colouring) {
  const { row, part, name } = box.data;
  const { x0, y0, x1, y1 } = box;
  if (row === undefined)
    return box.depth === 1 && isRoomy(box)
      ? htm`<text class="map-tag" aria-hidden="true" x=${x0 + 3} y=${y0 + 11}>${clip(name, x1 - x0 - 6, 6.2)}</text>`
      : null;
  if (!isDrawn(box)) return null;
  // A part is a shade over its tool.
  const colour = by === 'method' ? methodColour(row) : scoreColour(row.score);
  const style = part === undefined ? colour : { fillOpacity: SHADES[part] };
  return htm`<rect id=${idOf(box)} role="option" class=${part === undefined ? 'map-tool' : 'map-part'} style=${style} x=${x0} y=${y0} width=${x1 - x0} height=${y1 - y0}><title>${nameOf(box)}</title></rect>`;
}

function idOf({ data: { row, part } }: Box): string {
  return row === undefined ? '' : `map-${part ?? 'tool'}-${row.name}`;
}

/** Parts are drawn where they can be seen. */
function isDrawn({ data: { row, part }, parent }: Box): boolean {
  if (row === undefined) return false;
  return (
    part === undefined || (parent !== null && parent.x1 - parent.x0 >= 26 && parent.y1 - parent.y0 >= 20)
  );
}

function nameOf({ data: { row, part }, value = 0 }: Box): string {
  if (row === undefined) return '';
  return part === undefined
    ? `${row.name}: ${plural(row.tokens.total, 'token')}, score ${Math.round(row.score)}`
    : `${row.name}, ${part}: ${plural(value, 'token')}`;
}

/** Lies over the parts. */
function drawLabel({ data, x0, x1, y0, y1 }: Box) {
  if (data.row === undefined || data.part !== undefined || x1 - x0 < 46 || y1 - y0 < 16) return null;
  return htm`<text class="map-label" aria-hidden="true" x=${x0 + 4} y=${y0 + 12}>${clip(data.name, x1 - x0 - 8, 6.3)}</text>`;
}

/** Text that fits a width; letters are about as wide as given. */
function clip(text: string, width: number, letter: number): string {
  const most = Math.floor(width / letter);
  return text.length <= most ? text : most < 4 ? '' : `${text.slice(0, most - 1)}…`;
}

function Mark({ boxes }: { boxes: Box[] }) {
  const id = pointed.value || `map-tool-${active.value}`;
  const box = boxes.find((each) => idOf(each) === id);
  if (box === undefined) return null;
  return htm`<rect class="map-mark" x=${box.x0} y=${box.y0} width=${box.x1 - box.x0} height=${box.y1 - box.y0} />`;
}

function Legend() {
  const id = pointed.value || `map-tool-${active.value}`;
  const part = PARTS.find((each) => id.startsWith(`map-${each}-`));
  const row = toolByName.value.get(id.slice(`map-${part ?? 'tool'}-`.length));
  const parts = part === undefined ? PARTS : [part];
  return htm`<footer class="legend">
    ${colouring.value === 'method' ? METHODS.map((name) => htm`<span><i class="swatch" style=${coloured(name)}></i>${name.toUpperCase()}</span>`) : SCORES.map(([score, label]) => htm`<span><i class="swatch" style=${scoreColour(score)}></i>${label}</span>`)}
    ${row !== undefined && htm`<span class="pointed"><code>${row.name}</code> ${parts.map((each) => `${each} ${count(row.tokens[each])}`).join(' · ')}</span>`}
  </footer>`;
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];
const SCORES: [number, string][] = [
  [0, 'below 60'],
  [60, '60'],
  [70, '70'],
  [80, '80'],
  [90, '90 and above'],
];
