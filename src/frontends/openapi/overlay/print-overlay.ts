import { isDeepStrictEqual } from 'node:util';
import { dump } from 'js-yaml';

import { isRecord } from '../../../../templates/runtime/contract/json-value.ts';
import { DiagnosticError, createDiagnostic } from '../../../diagnostics/collector.ts';
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

/**
 * Replaces the actions that the new update covers. Other edits stay, even for operations that have moved or gone.
 *
 * @throws {DiagnosticError} for an overlay that cannot be read
 */
export async function replaceOverlayUpdates(
  { file, text, limits }: OldOverlay,
  updates: readonly OverlayUpdate[],
): Promise<RenewedOverlay> {
  const old = { file, text, ...(limits && { limits }) };
  const overlay = parseOverlay(old);
  const normal = await openQueryNormalizer();
  const left = new Map(updates.map(updateToAction).map((action) => [normal(action.target), action]));
  const all = new Map(left);
  const kept: string[] = [];
  const changed = listActions(overlay).map((action): object | undefined => {
    const target = normal(String(action['target']));
    if (!isReplaced(action, all.get(target))) {
      kept.push(String(action['target']));
      return action;
    }
    const update = left.get(target);
    left.delete(target);
    return update;
  });
  return { text: printChangedOverlay(old, overlay, [...changed, ...left.values()]), kept };
}

/** @throws {DiagnosticError} */
function parseOverlay({ file, text, limits }: OldOverlay): Rec {
  const parsed = parseText(text, file, { ...defaultDocumentLimits, ...limits });
  if (!isLoadFailure(parsed) && isRecord(parsed.value)) return parsed.value;
  const reason = isLoadFailure(parsed) ? parsed.reason : 'it is no object';
  const problem = `what it holds cannot be read (${reason})`;
  throw new DiagnosticError(
    createDiagnostic('draft-not-written', { file, problem, fix: 'Correct the file, or move it away.' }),
  );
}

/**
 * Prints an overlay whose actions have changed: those of `before` in their order, `undefined` for one that goes, then new ones. Lines
 * outside of changed actions stay, comments included; an overlay in JSON or in braces is printed anew.
 */
function printChangedOverlay(
  { file, text, limits }: OldOverlay,
  before: Rec,
  actions: readonly (object | undefined)[],
): string {
  const after = { ...before, actions: actions.filter((action) => action !== undefined) };
  const patched = patchActions(text, listActions(before), actions);
  const parsed = parseText(patched, file, { ...defaultDocumentLimits, ...limits });
  return !isLoadFailure(parsed) && isDeepStrictEqual(parsed.value, after) ? patched : printYaml(after);
}

/** The text with other actions, if they are a list with an item at the start of a line each. The caller checks what it says. */
function patchActions(
  text: string,
  before: readonly Rec[],
  actions: readonly (object | undefined)[],
): string {
  const lines = text.split(/\r?\n/);
  const isIdle = (line: string): boolean => /^\s*(?:#|$)/.test(line);
  const start = lines.findIndex((line) => /^actions:\s*(?:#.*)?$/.test(line)) + 1;
  const first = start + lines.slice(start).findIndex((line) => !isIdle(line));
  const indent = (lines[first] ?? '').search(/\S/);
  const isOutside = (line: string): boolean =>
    !isIdle(line) && (line.search(/\S/) < indent || (line.search(/\S/) === indent && line[indent] !== '-'));
  const length = lines.slice(first).findIndex(isOutside);
  const block = lines.slice(first, length < 0 ? undefined : first + length);
  const starts = block.flatMap((line, at) =>
    line.search(/\S/) === indent && line[indent] === '-' ? [at] : [],
  );
  const printItem = (action: object): string[] =>
    printYaml([action])
      .trimEnd()
      .split('\n')
      .map((line) => (line === '' ? '' : ' '.repeat(indent) + line));
  const added = actions
    .slice(before.length)
    .flatMap((action) => (action === undefined ? [] : printItem(action)));
  const patched = starts.flatMap((begin, at) => {
    const next = starts[at + 1] ?? block.length;
    // Comments and blank lines before the next item, or behind the last one.
    const end = block.slice(begin, next).findLastIndex((line) => !isIdle(line)) + begin + 1;
    const action = actions[at];
    const item =
      action === before[at] ? block.slice(begin, end) : action === undefined ? [] : printItem(action);
    return [...item, ...(at === starts.length - 1 ? added : []), ...block.slice(end, next)];
  });
  const end = text.includes('\r\n') ? '\r\n' : '\n';
  return [...lines.slice(0, first), ...patched, ...lines.slice(first + block.length)].join(end);
}

export interface OverlayEdit {
  /** The JSON Pointer of an operation. */
  pointer: string;
  /** Returns the new `x-mcp` of the operation's action; empty for no action. */
  change: (xMcp: Rec) => Rec;
}

/**
 * Changes `x-mcp` of single operations; all other actions stay. `undefined` for an overlay without any action.
 *
 * @throws {DiagnosticError} for an overlay that cannot be read
 */
export async function editOverlay(
  title: string,
  old: OldOverlay | undefined,
  edits: readonly OverlayEdit[],
): Promise<string | undefined> {
  const whole = old === undefined ? makeEmptyOverlay(title) : parseOverlay(old);
  const normal = await openQueryNormalizer();
  const actions: (Rec | undefined)[] = listActions(whole);
  for (const { pointer, change } of edits) {
    const target = pointerToJsonPath(pointer);
    const at = actions.findLastIndex(
      (action) =>
        action !== undefined &&
        updatesOnlyXMcp(action) &&
        normal(String(action['target'])) === normal(target),
    );
    const update = at < 0 ? {} : actions[at]?.['update'];
    const before = isRecord(update) && isRecord(update['x-mcp']) ? update['x-mcp'] : {};
    const xMcp = change(before);
    const isEmpty = Object.keys(xMcp).length === 0;
    if (at < 0 && !isEmpty) actions.push({ target, update: { 'x-mcp': xMcp } });
    else if (at >= 0) actions[at] = isEmpty ? undefined : { ...actions[at], update: { 'x-mcp': xMcp } };
  }
  const rest = actions.filter((action) => action !== undefined);
  if (rest.length === 0) return undefined;
  return old === undefined
    ? printYaml({ ...whole, actions: rest })
    : printChangedOverlay(old, whole, actions);
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
