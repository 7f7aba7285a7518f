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

interface PrintedAction {
  /** JSONPath (RFC 9535). */
  target: string;
  update: object;
}

export function printOverlay(title: string, updates: readonly OverlayUpdate[]): string {
  const info = { title, version: '1.0.0' };
  return printYaml({ overlay: '1.1.0', info, actions: updates.map(updateToAction) });
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
 * Replaces the actions that only set members which the new update of their target sets too. Other actions stay, also for operations
 * that have moved or gone.
 *
 * @throws {DiagnosticError} for an overlay that cannot be read
 */
export function replaceOverlayUpdates(old: OldOverlay, updates: readonly OverlayUpdate[]): RenewedOverlay {
  const overlay = parseOverlay(old);
  const added = updates.map(updateToAction);
  const byTarget = new Map(added.map((action) => [action.target, action]));
  const before = Array.isArray(overlay['actions']) ? overlay['actions'].filter(isRecord) : [];
  const keptActions = before.filter((action) => !isReplaced(action, byTarget.get(String(action['target']))));
  return {
    text: printYaml({ ...overlay, actions: [...keptActions, ...added] }),
    kept: keptActions.map(({ target }) => String(target)),
  };
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
