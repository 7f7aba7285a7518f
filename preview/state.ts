/** Data that several views share. */
import { type ReadonlySignal, computed, effect, signal } from '@preact/signals';

import type { Applied, Routes, SurfaceView, ToolRow } from '../src/preview/protocol.ts';
import { RequestError, ask, readEvents } from './api.ts';

/** Begins the address of the tools of a tag; no name of a tool has a colon. */
export const TAG = 'tag:';

export const VIEWS = ['surface', 'tool', 'try', 'diff', 'findings'] as const;

export type ViewName = (typeof VIEWS)[number];

export interface Route {
  view: ViewName;
  /** The tool's name, or `tag:` and a tag. */
  item?: string;
  /** JSON Pointer of the text to edit, in the listed tool. */
  field?: string;
}

export const route = signal(readRoute());
export const surface = signal<SurfaceView>();
/** Why there is no surface. */
export const failure = signal<Failure>();
export const isLive = signal(true);
/** The one of several servers that is shown. Empty: the first. */
export const server = signal('');
/** The tool that the list's cursor is on. */
export const active = signal('');
export const notices = signal<Notice[]>([]);

export interface Failure {
  message: string;
  hint?: string | undefined;
  /** What was asked for is not there, which is no error. */
  isAbsent?: boolean;
}

export interface Notice {
  id: number;
  text: string;
  isBad: boolean;
  action?: { label: string; run: () => void };
}

export const tools: ReadonlySignal<ToolRow[]> = computed(() => surface.value?.tools ?? []);
export const toolByName = computed(() => new Map(tools.value.map((row) => [row.name, row])));
/** Changes that can be undone; the last one is undone first. The server has them, so that they outlive the page. */
export const applied: ReadonlySignal<Applied[]> = computed(() => surface.value?.applied ?? []);
export const generation = computed(() => surface.value?.generation ?? 0);

/** The `server` member of a request. */
export function ofServer(): { server?: string } {
  return server.value === '' ? {} : { server: server.value };
}

export async function loadSurface(): Promise<void> {
  try {
    const asked = server.value;
    const view = await ask('GET /api/surface', ofServer());
    if (asked !== server.value) return;
    surface.value = view;
    failure.value = undefined;
  } catch (error) {
    failure.value = describeError(error);
  }
}

export function describeError(error: unknown): Failure {
  return error instanceof RequestError
    ? { message: error.message, hint: error.hint, isAbsent: error.status === 404 }
    : { message: String(error) };
}

/* Addresses */

function readRoute(): Route {
  const [, name = '', ...rest] = location.hash.split('/');
  const view = VIEWS.find((each) => each === name) ?? 'surface';
  try {
    const [item, field] = rest.map(decodeURIComponent);
    return { view, ...(item && { item }), ...(field && { field }) };
  } catch {
    return { view };
  }
}

export function hrefOf(view: ViewName, item = '', field = ''): string {
  return `#/${[view, item, field].filter(Boolean).map(encodeURIComponent).join('/')}`;
}

export function go(view: ViewName, item = ''): void {
  location.hash = hrefOf(view, item).slice(1);
}

/** A tool is kept while the views change. */
export function goToView(view: ViewName): void {
  go(view, view === 'tool' || view === 'try' ? active.value : '');
}

addEventListener('hashchange', () => {
  route.value = readRoute();
});

/** The cursor follows the address, and begins at the first tool. */
effect(() => {
  const { item } = route.value;
  const rows = tools.value;
  if (item !== undefined && !item.startsWith(TAG)) active.value = item;
  else if (!toolByName.value.has(active.peek()) && rows[0] !== undefined) active.value = rows[0].name;
});

/* Notices */

let lastNotice = 0;

export function notify(text: string, more: { isBad?: boolean; action?: Notice['action'] } = {}): void {
  lastNotice += 1;
  const id = lastNotice;
  const action = more.action;
  const notice: Notice = { id, text, isBad: more.isBad ?? false };
  notices.value = [...notices.value.slice(-2), action === undefined ? notice : { ...notice, action }];
  setTimeout(() => dismiss(id), notice.isBad ? 12_000 : 8_000);
}

export function notifyError(error: unknown): void {
  const { message, hint = '' } = describeError(error);
  notify(`${message} ${hint}`.trim(), { isBad: true });
}

export function dismiss(id: number): void {
  notices.value = notices.value.filter((notice) => notice.id !== id);
}

/* What one request gives */

export interface Loader<R extends keyof Routes> {
  data: ReadonlySignal<Routes[R]['gives'] | undefined>;
  problem: ReadonlySignal<Failure | undefined>;
  isLoading: ReadonlySignal<boolean>;
  load: (takes: Routes[R]['takes']) => Promise<void>;
  clear: () => void;
}

/** An answer that comes after a newer request is ignored. */
export function createLoader<R extends keyof Routes>(name: R): Loader<R> {
  const data = signal<Routes[R]['gives']>();
  const problem = signal<Failure>();
  const isLoading = signal(false);
  let last = 0;
  const load = async (takes: Routes[R]['takes']): Promise<void> => {
    last += 1;
    const own = last;
    isLoading.value = true;
    try {
      const gives = await ask(name, takes);
      if (own !== last) return;
      data.value = gives;
      problem.value = undefined;
    } catch (error) {
      if (own !== last) return;
      data.value = undefined;
      problem.value = describeError(error);
    } finally {
      if (own === last) isLoading.value = false;
    }
  };
  const clear = (): void => {
    last += 1;
    data.value = undefined;
    problem.value = undefined;
    isLoading.value = false;
  };
  return { data, problem, isLoading, load, clear };
}

/* Following the source */

export async function follow(): Promise<void> {
  const readOnce = () =>
    readEvents(
      () => (isLive.value = true),
      () => void loadSurface(),
    ).catch(() => true);
  while (await readOnce()) {
    isLive.value = false;
    await new Promise((resolve) => setTimeout(resolve, 1000));
  }
  isLive.value = false;
}
