import { dump } from 'js-yaml';

import { isRecord } from '../../../../templates/runtime/contract/json-value.ts';
import type { Rec } from '../document/record.ts';
import { hasFailed } from '../load/load-failure.ts';
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
  return printYaml({ overlay: '1.1.0', info: { title, version: '1.0.0' }, actions: updates.map(toAction) });
}

function printYaml(overlay: object): string {
  return dump(overlay, { lineWidth: -1, noRefs: true });
}

function toAction({ pointer, update }: OverlayUpdate): PrintedAction {
  return { target: toQuery(pointer), update };
}

/** `/paths/~1pets` → `$.paths["/pets"]` */
function toQuery(pointer: string): string {
  const segments = pointerTokens(pointer).map((key) =>
    /^[A-Za-z_]\w*$/.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`,
  );
  return `$${segments.join('')}`;
}

export interface RenewedOverlay {
  /** YAML, without the comments of the old text. */
  text: string;
  kept: string[];
}

export interface OldOverlay {
  file: string;
  text: string;
  limits?: Partial<DocumentLimits>;
}

/** Replaces the actions that the new update covers. Other edits stay, even for operations that have moved or gone. */
export async function renewOverlay(
  { file, text, limits }: OldOverlay,
  updates: readonly OverlayUpdate[],
): Promise<RenewedOverlay> {
  const parsed = parseText(text, file, { ...defaultDocumentLimits, ...limits });
  const old = !hasFailed(parsed) && isRecord(parsed.value) ? parsed.value : {};
  const normal = await normalizer();
  const left = new Map(updates.map(toAction).map((action) => [normal(action.target), action]));
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

/** One query may be written in several ways. */
async function normalizer(): Promise<(query: string) => string> {
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

/** Values may differ. Lists never match, since merging would append to them. */
function hasSameMembers(value: unknown, old: unknown): boolean {
  if (!isRecord(old)) return !isRecord(value) && !Array.isArray(old);
  return isRecord(value) && Object.entries(old).every(([key, member]) => hasSameMembers(value[key], member));
}
