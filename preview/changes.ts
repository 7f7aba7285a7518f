/** Proposing, applying and undoing changes of files. */
import { computed, effect, signal } from '@preact/signals';

import type { Edit, EditableWords, Proposal, SurfaceSettings, ToolRow } from '../src/preview/protocol.ts';
import { ask } from './api.ts';
import {
  type Failure,
  applied,
  describeError,
  generation,
  loadSurface,
  notify,
  notifyError,
  ofServer,
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

interface WordDraft {
  /** The words that were edited. */
  base: EditableWords;
  draft: EditableWords;
}

/** By server and tool. They outlive the view, which shows one tool at a time. */
const wordDrafts = signal<ReadonlyMap<string, WordDraft>>(new Map());

export function keptWords(tool: string): WordDraft | undefined {
  return wordDrafts.value.get(`${server.value} ${tool}`);
}

/** @param kept `undefined` drops the draft */
export function keepWords(tool: string, kept?: WordDraft): void {
  const key = `${server.value} ${tool}`;
  const others = [...wordDrafts.value].filter(([each]) => each !== key);
  wordDrafts.value = new Map(kept === undefined ? others : [...others, [key, kept]]);
}

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
  return list;
});

export function change(part: Draft): void {
  draft.value = { ...draft.value, ...part };
}

export function discard(): void {
  draft.value = {};
}

export function reviewDraft(): void {
  void review('Change the surface', edits.value, discard);
}

/** Adds or removes a selector of what is left out. */
export function setExcluded(selector: string, isExcluded: boolean): void {
  const rest = exclude.value.filter((each) => each !== selector);
  change({ exclude: isExcluded ? [...rest, selector] : rest });
}

/** Operations are selected; functions, which have no selection, are hidden. */
export function setTool({ name, method }: ToolRow, isOn: boolean): void {
  if (method !== undefined) setExcluded(selectorOf(name), !isOn);
  else setHidden(name, isOn ? undefined : true);
}

/** @param isHidden `undefined`: as it is */
export function setHidden(name: string, isHidden: boolean | undefined): void {
  const rest = Object.entries(draft.value.hidden ?? {}).filter(([each]) => each !== name);
  const own = isHidden === undefined ? [] : [[name, isHidden] as const];
  change({ hidden: Object.fromEntries([...rest, ...own]) });
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
