/** Two versions of one tool, compared. */
import type { ToolAnnotations } from '../../templates/runtime/contract/catalog.ts';
import type { ObjectSchema } from '../../templates/runtime/contract/json-schema.ts';
import type { ChangeKind, Side } from './change-kinds.ts';
import { compareSchemas } from './compare-schemas.ts';
import { compareDeprecation } from './deprecation.ts';
import type { SurfaceTool } from './surface.ts';

/** `Change` without what is known of the item. */
export interface ItemChange {
  kind: ChangeKind;
  side?: Side;
  at?: string;
  text: string;
}

export function compareTools(before: SurfaceTool, after: SurfaceTool): ItemChange[] {
  return [
    ...compareTitles(before.title, after.title),
    ...compareDescriptions(before.description, after.description),
    ...compareIcons(before, after),
    ...compareHints(before.annotations ?? {}, after.annotations ?? {}),
    ...compareScopes(before.scopes, after.scopes),
    ...compareTaskSupport(before, after),
    ...compareSide('input', before.inputSchema, after.inputSchema),
    ...compareOutputs(before, after),
  ];
}

export function compareTitles(before: string | undefined, after: string | undefined): ItemChange[] {
  return before === after ? [] : [{ kind: 'title-changed', text: 'title changed' }];
}

export function compareDescriptions(before: string | undefined, after: string | undefined): ItemChange[] {
  const { changes, isReworded } = compareDeprecation(before, after);
  return isReworded ? [...changes, { kind: 'description-changed', text: 'description changed' }] : changes;
}

export function compareIcons(before: { icons?: unknown }, after: { icons?: unknown }): ItemChange[] {
  return JSON.stringify(before.icons) === JSON.stringify(after.icons)
    ? []
    : [{ kind: 'icons-changed', text: 'icons changed' }];
}

/** A hint's default (MCP `ToolAnnotations`), and the value that lets a client go on without asking. */
const hints = {
  readOnlyHint: { otherwise: false, harmless: true },
  destructiveHint: { otherwise: true, harmless: false },
  idempotentHint: { otherwise: false, harmless: true },
  openWorldHint: { otherwise: true, harmless: undefined },
} as const;

function compareHints(before: ToolAnnotations, after: ToolAnnotations): ItemChange[] {
  const changed = (['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint'] as const).flatMap(
    (name): ItemChange[] => {
      const { otherwise, harmless } = hints[name];
      const [old, now] = [before[name] ?? otherwise, after[name] ?? otherwise];
      if (old === now) return [];
      const kind =
        harmless === undefined ? 'annotation-changed' : now === harmless ? 'safety-gained' : 'safety-lost';
      return [{ kind, text: `${name} changed from ${old} to ${now}` }];
    },
  );
  const titled: ItemChange[] =
    before.title === after.title
      ? []
      : [{ kind: 'annotation-changed', text: 'title of the annotations changed' }];
  return [...changed, ...titled];
}

/** Where both are known. */
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

/** A client that calls as before may be refused where a task becomes the only way, or is one no more. */
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
  return compareSchemas(before, after).map(({ kind, at, text }) => ({
    kind,
    side,
    ...(at === '' ? {} : { at }),
    text,
  }));
}
