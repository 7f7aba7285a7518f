/** Proposing, applying and undoing changes of files. */
import { batch, computed, effect, signal } from '@preact/signals';

import type { Edit, Proposal, SurfaceSettings, ToolEdit, ToolRow } from '../src/preview/protocol.ts';
import { ask } from './api.ts';
import {
  type Failure,
  applied,
  describeError,
  generation,
  go,
  loadSurface,
  notify,
  notifyError,
  ofServer,
  route,
  server,
  surface,
} from './state.ts';

/** The proposal that the dialog shows. */
export const shown = signal<Shown>();

export interface Shown {
  title: string;
  proposal: Proposal;
  /** Runs after the files are written. */
  onApplied: () => void;
}

export async function review(
  title: string,
  edits: Edit[],
  onApplied: () => void = () => undefined,
): Promise<void> {
  try {
    const proposal = await ask('POST /api/propose', { ...ofServer(), edits });
    shown.value = { title, proposal, onApplied };
  } catch (error) {
    notifyError(error);
  }
}

export async function apply({ proposal, onApplied }: Shown): Promise<void> {
  try {
    const result = await ask('POST /api/apply', { proposal: proposal.id });
    shown.value = undefined;
    onApplied();
    await loadSurface();
    notify(`Written: ${result.files.map(baseName).join(', ')}.`, {
      action: { label: 'Undo', run: () => void undo(result.id) },
    });
  } catch (error) {
    shown.value = undefined;
    notifyError(error);
  }
}

/** Undoes the last change unless another one is named. */
export async function undo(id = applied.value.at(-1)?.id): Promise<void> {
  if (id === undefined) return;
  try {
    const { files } = await ask('POST /api/undo', { applied: id });
    await loadSurface();
    notify(`Undone: ${files.map(baseName).join(', ')}.`);
  } catch (error) {
    notifyError(error);
  }
}

function baseName(path: string): string {
  return path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
}

/* Words that are not written yet */

/** By server and tool. They outlive the view, which shows one tool at a time. */
const wordDrafts = signal<ReadonlyMap<string, ToolEdit>>(new Map());

export function keptWords(tool: string): ToolEdit | undefined {
  return wordDrafts.value.get(`${server.value} ${tool}`);
}

/** @param kept `undefined` drops the draft */
export function keepWords(tool: string, kept?: ToolEdit): void {
  const key = `${server.value} ${tool}`;
  const others = [...wordDrafts.value].filter(([each]) => each !== key);
  wordDrafts.value = new Map(kept === undefined ? others : [...others, [key, kept]]);
}

/** The edits of this server's words, by tool. */
export const wordEdits = computed(() =>
  [...wordDrafts.value].flatMap(([key, set]) =>
    key.startsWith(`${server.value} `) ? [{ name: key.slice(server.value.length + 1), set }] : [],
  ),
);

/* Changes of the surface that are not written yet */

export type Draft = Partial<Pick<SurfaceSettings, 'include' | 'exclude' | 'surface'>> & {
  features?: Record<string, boolean>;
  hidden?: Record<string, boolean>;
};

export const draft = signal<Draft>({});
/** The surface as the draft would make it. */
export const preview = signal<Proposal>();
export const previewProblem = signal<Failure>();

const NO_SETTINGS: SurfaceSettings = {
  include: [],
  exclude: [],
  surface: 'auto',
  features: [],
  tags: [],
  deselected: [],
};

export const settings = computed(() => surface.value?.settings ?? NO_SETTINGS);
export const include = computed(() => draft.value.include ?? settings.value.include);
export const exclude = computed(() => draft.value.exclude ?? settings.value.exclude);
export const surfaceMode = computed(() => draft.value.surface ?? settings.value.surface);
export const canSelect = computed(() => surface.value?.source.kind !== 'typescript');

export const edits = computed<Edit[]>(() => {
  const { include, exclude, surface: mode, features, hidden = {} } = draft.value;
  const list: Edit[] = [];
  if (include !== undefined || exclude !== undefined) {
    const edit: Edit = { kind: 'selection' };
    if (include !== undefined) edit.include = include;
    if (exclude !== undefined) edit.exclude = exclude;
    list.push(edit);
  }
  if (mode !== undefined) list.push({ kind: 'surface', surface: mode });
  if (features !== undefined) list.push({ kind: 'features', features });
  for (const [name, isHidden] of Object.entries(hidden))
    list.push({ kind: 'tool', name, set: { exclude: isHidden } });
  return [...list, ...wordEdits.value.map((edit): Edit => ({ kind: 'tool', ...edit }))];
});

/** Drafts before each change, for taking back the last one. */
let earlier: Draft[] = [];

export function change(part: Draft): void {
  earlier.push(draft.value);
  draft.value = { ...draft.value, ...part };
}

export function discard(): void {
  earlier = [];
  draft.value = {};
  for (const { name } of wordEdits.value) keepWords(name);
}

/** Takes back the words that were edited last, else the last switch, else the last change that was written. */
export function stepBack(): void {
  const words = wordEdits.value.at(-1);
  const before = words === undefined ? earlier.pop() : undefined;
  if (words !== undefined) keepWords(words.name);
  else if (before !== undefined) draft.value = before;
  else void undo();
}

export function reviewDraft(): void {
  const names = wordEdits.value.map(({ name, set }) => [name, set.name ?? name] as const);
  void review('Change the surface', edits.value, () => {
    discard();
    const renamed = names.find(([name]) => name === route.value.item);
    if (renamed !== undefined) go(route.value.view, renamed[1]);
  });
}

/** Adds or removes a selector of what is left out. */
export function setExcluded(selector: string, isExcluded: boolean): void {
  const rest = exclude.value.filter((each) => each !== selector);
  change({ exclude: isExcluded ? [...rest, selector] : rest });
}

/** Operations are selected; functions, which have no selection, are hidden. */
export function setTools(rows: readonly ToolRow[], isOn: boolean): void {
  const steps = earlier.length + 1;
  batch(() => {
    for (const { name, method } of rows)
      if (method !== undefined) setExcluded(selectorOf(name), !isOn);
      else setHidden(name, isOn ? undefined : true);
  });
  // Together they are one step.
  earlier.splice(steps);
}

/** @param isHidden `undefined`: as it is */
export function setHidden(name: string, isHidden: boolean | undefined): void {
  const rest = Object.entries(draft.value.hidden ?? {}).filter(([each]) => each !== name);
  const entry = isHidden === undefined ? [] : [[name, isHidden] as const];
  change({ hidden: Object.fromEntries([...rest, ...entry]) });
}

export function isToolOn({ name, method, tags }: ToolRow): boolean {
  if (method === undefined) return draft.value.hidden?.[name] !== true;
  const left = exclude.value;
  if (left.length === 0) return true;
  const selectors = [selectorOf(name), `method:${method.toUpperCase()}`, ...tags.map((tag) => `tag:${tag}`)];
  return !selectors.some((selector) => left.includes(selector));
}

function selectorOf(name: string): string {
  return `op:${name}`;
}

const PATIENCE = 250;

/** Each change of the draft is proposed, to show its effect; nothing is written. */
effect(() => {
  const proposed = edits.value;
  // The source may change under the draft.
  void generation.value;
  preview.value = undefined;
  previewProblem.value = undefined;
  if (proposed.length === 0) return;
  const timer = setTimeout(() => void show(), PATIENCE);
  const show = async (): Promise<void> => {
    try {
      const proposal = await ask('POST /api/propose', { ...ofServer(), edits: proposed });
      if (edits.value === proposed) preview.value = proposal;
    } catch (error) {
      if (edits.value === proposed) previewProblem.value = describeError(error);
    }
  };
  return () => clearTimeout(timer);
});
