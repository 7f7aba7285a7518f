import { isDeepStrictEqual } from 'node:util';
import { dump } from 'js-yaml';

import { isRecord } from '../../../../templates/runtime/json-rpc.ts';
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
  return printYaml({
    ...{ overlay: '1.1.0', info: { title: title, version: '1.0.0' } },
    actions: updates.map(updateToAction),
  });
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
  const { jsonpath } = await import('json-p3');
  const environment = new jsonpath.JSONPathEnvironment();
  // Equal queries are written alike.
  const normal = (query: string): string => environment.compile(query).toString();
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

/** The text with other actions, if they are its last member, with an item at the start of a line each. The caller checks what it says. */
function patchActions(
  text: string,
  before: readonly Rec[],
  actions: readonly (object | undefined)[],
): string {
  const start = text.search(/^actions:/m);
  const block = `${text.slice(start).trimEnd()}\n`;
  const [, indent = ''] = /\n( *)- /.exec(block) ?? [];
  const [head = '', ...items] = block.split(new RegExp(`^(?=${indent}- )`, 'm'));
  const printItem = (action: object | undefined): string =>
    action === undefined ? '' : printYaml([action]).replaceAll(/^(?=.)/gm, indent);
  const patched = items.map((item, index) => {
    if (actions[index] === before[index]) return item;
    // Comments and blank lines before the next item, or behind the last one, stay.
    const lines = item.split('\n');
    const end = lines.findLastIndex((line) => !/^\s*(?:#|$)/.test(line)) + 1;
    return printItem(actions[index]) + lines.slice(end).join('\n');
  });
  return [text.slice(0, start), head, ...patched, ...actions.slice(before.length).map(printItem)].join('');
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
