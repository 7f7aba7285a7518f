import { computed, signal } from '@preact/signals';
import { type HierarchyRectangularNode, hierarchy, treemap, treemapSquarify } from 'd3-hierarchy';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';

import type { TokenParts, ToolRow } from '../../src/preview/protocol.ts';
import { classes, htm } from '../htm.ts';
import { Empty, Segmented, count, methodClass, plural, scoreClass } from '../parts/basics.ts';
import { active, go, tools } from '../state.ts';
import { UNTAGGED, found } from './tool-list.ts';

type Colouring = 'method' | 'score';

export const PARTS = [
  'name',
  'description',
  'input',
  'output',
  'annotations',
] as const satisfies readonly (keyof TokenParts)[];

const colouring = signal<Colouring>('method');
const hovered = signal('');

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
  const toolAt = (event: MouseEvent): string =>
    (event.target as Element).closest('[data-tool]')?.getAttribute('data-tool') ?? '';
  const open = (event: MouseEvent): void => {
    const name = toolAt(event);
    if (name !== '') go('tool', name);
  };
  return htm`<div ref=${box} class="map">
    ${found.value.length === 0 && htm`<${Empty}>Nothing to show.<//>`}
    <svg role="img" aria-label=${`Tokens of ${plural(rows.length, 'tool')}; the list has the same figures`} width=${size.width} height=${size.height} class=${`by-${colouring.value}`} onClick=${open} onMouseMove=${(event: MouseEvent) => (hovered.value = toolAt(event))} onMouseLeave=${() => (hovered.value = '')}>
      <${Boxes} boxes=${boxes} />
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

function Boxes({ boxes }: { boxes: Box[] }) {
  return useMemo(() => [...boxes.map(drawBox), ...boxes.map(drawLabel)], [boxes]);
}

function drawBox(box: Box) {
  const { row, part, name } = box.data;
  const width = box.x1 - box.x0;
  const height = box.y1 - box.y0;
  if (part !== undefined) return drawPart(box, part);
  if (row === undefined)
    return box.depth === 1 && isRoomy(box)
      ? htm`<text class="map-tag" x=${box.x0 + 3} y=${box.y0 + 11}>${clip(name, width - 6, 6.2)}</text>`
      : null;
  return htm`<g data-tool=${name}>
    <rect class=${classes('map-tool', `m-${methodClass(row)}`, scoreClass(row.score))} x=${box.x0} y=${box.y0} width=${width} height=${height}><title>${`${name}: ${count(row.tokens.total)} tokens, score ${Math.round(row.score)}`}</title></rect>
  </g>`;
}

/** Lies over the parts. */
function drawLabel({ data, x0, x1, y0, y1 }: Box) {
  if (data.row === undefined || data.part !== undefined || x1 - x0 < 46 || y1 - y0 < 16) return null;
  return htm`<text class="map-label" x=${x0 + 4} y=${y0 + 12}>${clip(data.name, x1 - x0 - 8, 6.3)}</text>`;
}

/** A part is a shade over its tool, drawn where it can be seen. */
function drawPart(box: Box, part: (typeof PARTS)[number]) {
  const tool = box.parent;
  if (tool === null || tool.x1 - tool.x0 < 26 || tool.y1 - tool.y0 < 20) return null;
  const width = box.x1 - box.x0;
  const height = box.y1 - box.y0;
  return htm`<g data-tool=${tool.data.name}><rect class=${`map-part p-${part}`} x=${box.x0} y=${box.y0} width=${width} height=${height}><title>${`${tool.data.name}, ${part}: ${count(box.value ?? 0)} tokens`}</title></rect></g>`;
}

/** Text that fits a width; letters are about as wide as given. */
function clip(text: string, width: number, letter: number): string {
  const most = Math.floor(width / letter);
  return text.length <= most ? text : most < 4 ? '' : `${text.slice(0, most - 1)}…`;
}

function Mark({ boxes }: { boxes: Box[] }) {
  const name = hovered.value || active.value;
  const box = boxes.find(({ data }) => data.row?.name === name && data.part === undefined);
  if (box === undefined) return null;
  return htm`<rect class="map-mark" x=${box.x0} y=${box.y0} width=${box.x1 - box.x0} height=${box.y1 - box.y0} />`;
}

const pointed = computed(() => tools.value.find(({ name }) => name === (hovered.value || active.value)));

function Legend() {
  const row = pointed.value;
  return htm`<footer class="legend">
    ${colouring.value === 'method' ? METHODS.map((name) => htm`<span><i class=${`swatch m-${name}`}></i>${name.toUpperCase()}</span>`) : SCORES.map(([score, label]) => htm`<span><i class=${`swatch ${scoreClass(score)}`}></i>${label}</span>`)}
    ${row !== undefined && htm`<span class="pointed"><code>${row.name}</code> ${PARTS.map((part) => `${part} ${count(row.tokens[part])}`).join(' · ')}</span>`}
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
