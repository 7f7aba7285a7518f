/** Compares two versions of one tool, resource, resource template or prompt. */
import type { ToolAnnotations } from '../../templates/runtime/contract/catalog.ts';
import type { ObjectSchema } from '../../templates/runtime/contract/json-schema.ts';
import type { ChangeKind, Side } from './change-kinds.ts';
import { compareSchemas } from './compare-schemas.ts';
import { definedMembers } from '../util/defined-members.ts';
import { compareDeprecation } from './deprecation.ts';
import type { SurfaceTool } from './surface.ts';

/** A `Change` without its item. */
export interface ItemChange {
  kind: ChangeKind;
  side?: Side;
  at?: string;
  text: string;
}

export function compareTools(before: SurfaceTool, after: SurfaceTool): ItemChange[] {
  return [
    ...compareListed(before, after),
    ...compareHints(before.annotations ?? {}, after.annotations ?? {}),
    ...compareScopes(before.scopes, after.scopes),
    ...compareTaskSupport(before, after),
    ...compareSide('input', before.inputSchema, after.inputSchema),
    ...compareOutputs(before, after),
  ];
}

interface Listed {
  title?: string;
  description?: string;
  icons?: unknown;
}

export function compareListed(before: Listed, after: Listed): ItemChange[] {
  const found: ItemChange[] = [];
  if (before.title !== after.title) found.push({ kind: 'title-changed', text: 'title changed' });
  const { changes, isReworded } = compareDeprecation(before.description, after.description);
  found.push(...changes);
  if (isReworded) found.push({ kind: 'description-changed', text: 'description changed' });
  if (JSON.stringify(before.icons) !== JSON.stringify(after.icons))
    found.push({ kind: 'icons-changed', text: 'icons changed' });
  return found;
}

/** The default of each hint (MCP `ToolAnnotations`), and the value for which a client need not ask its user. */
const hints = {
  readOnlyHint: { otherwise: false, harmless: true },
  destructiveHint: { otherwise: true, harmless: false },
  idempotentHint: { otherwise: false, harmless: true },
  openWorldHint: { otherwise: true, harmless: undefined },
} as const;

function compareHints(before: ToolAnnotations, after: ToolAnnotations): ItemChange[] {
  const names = ['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint'] as const;
  const found = names.flatMap((name): ItemChange[] => {
    const { otherwise, harmless } = hints[name];
    const [old, now] = [before[name] ?? otherwise, after[name] ?? otherwise];
    if (old === now) return [];
    const kind =
      harmless === undefined ? 'annotation-changed' : now === harmless ? 'safety-gained' : 'safety-lost';
    return [{ kind, text: `${name} changed from ${old} to ${now}` }];
  });
  if (before.title !== after.title)
    found.push({ kind: 'annotation-changed', text: 'title of the annotations changed' });
  return found;
}

/** Compares nothing if the scopes of one side are unknown. */
function compareScopes(before: string[] | undefined, after: string[] | undefined): ItemChange[] {
  if (before === undefined || after === undefined) return [];
  return [
    ...after
      .filter((scope) => !before.includes(scope))
      .map((scope) => ({ kind: 'scope-added', text: `scope ${scope} needed` }) as const),
    ...before
      .filter((scope) => !after.includes(scope))
      .map((scope) => ({ kind: 'scope-removed', text: `scope ${scope} no longer needed` }) as const),
  ];
}

/** Only `optional` accepts every call: a client may be refused if tasks become required or forbidden. */
function compareTaskSupport(before: SurfaceTool, after: SurfaceTool): ItemChange[] {
  const old = before.execution?.taskSupport ?? 'forbidden';
  const now = after.execution?.taskSupport ?? 'forbidden';
  if (old === now) return [];
  const kind = now === 'optional' ? 'task-support-gained' : 'task-support-lost';
  return [{ kind, text: `support of tasks changed from ${old} to ${now}` }];
}

function compareOutputs(before: SurfaceTool, after: SurfaceTool): ItemChange[] {
  const { outputSchema: old } = before;
  const { outputSchema: now } = after;
  if (old === undefined && now === undefined) return [];
  if (old === undefined) return [{ kind: 'result-described', side: 'output', text: 'output schema added' }];
  if (now === undefined)
    return [{ kind: 'result-not-described', side: 'output', text: 'output schema removed' }];
  return compareSide('output', old, now);
}

export function compareSide(side: Side, before: ObjectSchema, after: ObjectSchema): ItemChange[] {
  return compareSchemas(before, after).map(({ at, ...change }) => ({
    ...change,
    side,
    ...definedMembers({ at: at === '' ? undefined : at }),
  }));
}
