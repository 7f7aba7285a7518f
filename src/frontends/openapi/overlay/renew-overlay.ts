/** Updates an overlay that a person has edited, and keeps the rest of it. */
import { isRecord } from '../../../../templates/runtime/contract/json-value.ts';
import type { Rec } from '../document/record.ts';
import { type DocumentLimits, defaultDocumentLimits } from '../load/document-limits.ts';
import { hasFailed } from '../load/load-failure.ts';
import { parseText } from '../load/parse-text.ts';
import { actionOf, type OverlayUpdate, type PrintedAction, printYaml } from './print-overlay.ts';

export interface RenewedOverlay {
  /** YAML, without the comments of the old text. */
  text: string;
  kept: string[];
}

export interface OldOverlay {
  file: string;
  /** The text of an overlay that was read without a fault. */
  text: string;
  limits?: Partial<DocumentLimits>;
}

/** Replaces actions that the new update covers. Other edits stay, even for operations that have moved or gone. */
export async function renewOverlay(
  { file, text, limits }: OldOverlay,
  updates: readonly OverlayUpdate[],
): Promise<RenewedOverlay> {
  const parsed = parseText(text, file, { ...defaultDocumentLimits, ...limits });
  const old = !hasFailed(parsed) && isRecord(parsed.value) ? parsed.value : {};
  const normal = await normalizer();
  const left = new Map(updates.map(actionOf).map((action) => [normal(action.target), action]));
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

/** Normalises queries, since one may be written in several ways. */
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
