import { dump } from 'js-yaml';

import { isRecord } from '../../../../templates/runtime/contract/json-value.ts';
import type { Rec } from '../document/record.ts';
import { isLoadFailure } from '../load/load-failure.ts';
import { type DocumentLimits, defaultDocumentLimits } from '../load/loaded-document.ts';
import { parseText } from '../load/parse-text.ts';
import { pointerTokens } from '../reference/json-pointer.ts';

export interface OverlayUpdate {
  pointer: string;
  update: object;
}

export interface PrintedAction {
  /** JSONPath (RFC 9535). */
  target: string;
  update: object;
}

export function printOverlay(title: string, updates: readonly OverlayUpdate[]): string {
  return printYaml({ ...makeEmptyOverlay(title), actions: updates.map(updateToAction) });
}

function printYaml(overlay: object): string {
  return dump(overlay, { lineWidth: -1, noRefs: true });
}

function updateToAction({ pointer, update }: OverlayUpdate): PrintedAction {
  return { target: pointerToJsonPath(pointer), update };
}

/** `/paths/~1pets` → `$.paths["/pets"]` */
function pointerToJsonPath(pointer: string): string {
  const segments = pointerTokens(pointer).map((key) =>
    /^[A-Za-z_]\w*$/.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`,
  );
  return `$${segments.join('')}`;
}

export interface RenewedOverlay {
  text: string;
  kept: string[];
}

export interface OldOverlay {
  file: string;
  text: string;
  limits?: Partial<DocumentLimits>;
}

/** Replaces the actions that the new update covers. Other edits stay, even for operations that have moved or gone. */
export async function replaceOverlayUpdates(
  { file, text, limits }: OldOverlay,
  updates: readonly OverlayUpdate[],
): Promise<RenewedOverlay> {
  const old = parseOverlay({ file, text, ...(limits && { limits }) });
  const normal = await openQueryNormalizer();
  const left = new Map(updates.map(updateToAction).map((action) => [normal(action.target), action]));
  const all = new Map(left);
  const kept: string[] = [];
  const actions = listActions(old).flatMap((action): object[] => {
    const target = normal(String(action['target']));
    if (!isReplaced(action, all.get(target))) {
      kept.push(String(action['target']));
      return [action];
    }
    const update = left.get(target);
    left.delete(target);
    return update === undefined ? [] : [update];
  });
  return { text: printYaml({ ...old, actions: [...actions, ...left.values()] }), kept };
}

function parseOverlay({ file, text, limits }: OldOverlay): Rec {
  const parsed = parseText(text, file, { ...defaultDocumentLimits, ...limits });
  return !isLoadFailure(parsed) && isRecord(parsed.value) ? parsed.value : {};
}

export interface OverlayEdit {
  /** The JSON Pointer of an operation. */
  pointer: string;
  /** Returns the new `x-mcp` of the operation's action; empty for no action. */
  change: (xMcp: Rec) => Rec;
}

/** Changes `x-mcp` of single operations; all other actions stay. `undefined` for an overlay without any action. */
export async function editOverlay(
  title: string,
  old: OldOverlay | undefined,
  edits: readonly OverlayEdit[],
): Promise<string | undefined> {
  const whole = old === undefined ? makeEmptyOverlay(title) : parseOverlay(old);
  const normal = await openQueryNormalizer();
  const actions: Rec[] = listActions(whole);
  for (const { pointer, change } of edits) {
    const target = pointerToJsonPath(pointer);
    const at = actions.findLastIndex(
      (action) => updatesOnlyXMcp(action) && normal(String(action['target'])) === normal(target),
    );
    const update = at < 0 ? {} : actions[at]?.['update'];
    const before = isRecord(update) && isRecord(update['x-mcp']) ? update['x-mcp'] : {};
    const xMcp = change(before);
    const isEmpty = Object.keys(xMcp).length === 0;
    if (at < 0 && !isEmpty) actions.push({ target, update: { 'x-mcp': xMcp } });
    else if (at >= 0)
      actions.splice(at, 1, ...(isEmpty ? [] : [{ ...actions[at], update: { 'x-mcp': xMcp } }]));
  }
  if (actions.length === 0) return undefined;
  return printYaml({ ...whole, actions });
}

function makeEmptyOverlay(title: string): Rec {
  return { overlay: '1.1.0', info: { title, version: '1.0.0' } };
}

/** Whether an action only updates `x-mcp`. */
function updatesOnlyXMcp({ update, copy, remove }: Rec): boolean {
  const keys = isRecord(update) ? Object.keys(update) : [];
  return copy === undefined && remove === undefined && keys.length === 1 && keys[0] === 'x-mcp';
}

/** Opens a function that writes equal JSONPath queries alike. */
async function openQueryNormalizer(): Promise<(query: string) => string> {
  const { jsonpath } = await import('json-p3');
  const environment = new jsonpath.JSONPathEnvironment();
  return (query) => environment.compile(query).toString();
}

function listActions({ actions }: Rec): Rec[] {
  return Array.isArray(actions) ? actions.filter(isRecord) : [];
}

function isReplaced(action: Rec, by: PrintedAction | undefined): boolean {
  const { target, update, ...rest } = action;
  void target;
  return by !== undefined && Object.keys(rest).length === 0 && hasSameMembers(by.update, update);
}

/** Whether an update sets each member that an older one set, whatever its value. Lists never match, since merging appends to them. */
function hasSameMembers(value: unknown, old: unknown): boolean {
  if (!isRecord(old)) return !isRecord(value) && !Array.isArray(old);
  return isRecord(value) && Object.entries(old).every(([key, member]) => hasSameMembers(value[key], member));
}
