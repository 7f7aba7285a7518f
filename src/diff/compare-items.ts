/** Compares two versions of one tool, resource, resource template or prompt. */
import { isDeepStrictEqual } from 'node:util';
import type {
  ListedPrompt,
  ListedPromptArgument,
  ListedResource,
  ListedResourceTemplate,
  ToolAnnotations,
} from '../model/listed-items.ts';
import type { ObjectSchema } from '../util/json-schema.ts';
import { toListedSchema } from '../emit/index.ts';
import { omitUndefined } from '../util/collections.ts';
import { type ChangeKind, type Side, type Texts, compareDeprecation } from './change-kinds.ts';
import { compareSchemas } from './compare-schemas.ts';
import type { SurfaceTool } from './surface.ts';

export interface ItemChange {
  kind: ChangeKind;
  side?: Side;
  at?: string;
  text: string;
  texts?: Texts;
}

export function compareTool(before: SurfaceTool, after: SurfaceTool): ItemChange[] {
  return [
    ...compareListedMembers(before, after),
    ...compareHints(before.annotations ?? {}, after.annotations ?? {}),
    ...compareScopes(before.scopes, after.scopes),
    ...compareTaskSupport(before, after),
    ...compareSideSchemas('input', before.inputSchema, after.inputSchema),
    ...compareOutputs(before, after),
  ];
}

interface Listed {
  title?: string;
  description?: string;
  icons?: unknown;
  _meta?: unknown;
}

function compareListedMembers(before: Listed, after: Listed): ItemChange[] {
  const found: ItemChange[] = [];
  const textsOf = (member: 'title' | 'description'): Texts =>
    omitUndefined({ before: before[member], after: after[member] });
  if (before.title !== after.title)
    found.push({ kind: 'title-changed', text: 'title changed', texts: textsOf('title') });
  const { changes, isReworded } = compareDeprecation(before.description, after.description);
  found.push(...changes);
  if (isReworded)
    found.push({ kind: 'description-changed', text: 'description changed', texts: textsOf('description') });
  if (JSON.stringify(before.icons) !== JSON.stringify(after.icons))
    found.push({ kind: 'icons-changed', text: 'icons changed' });
  if (JSON.stringify(before._meta) !== JSON.stringify(after._meta))
    found.push({ kind: 'meta-changed', text: '_meta changed' });
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
  const changes = names.flatMap((name): ItemChange[] => {
    const { otherwise, harmless } = hints[name];
    const [old, now] = [before[name] ?? otherwise, after[name] ?? otherwise];
    if (old === now) return [];
    const kind =
      harmless === undefined ? 'annotation-changed' : now === harmless ? 'safety-gained' : 'safety-lost';
    return [{ kind, text: `${name} changed from ${old} to ${now}` }];
  });
  if (before.title !== after.title)
    changes.push({ kind: 'annotation-changed', text: 'title of the annotations changed' });
  return changes;
}

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

function compareOutputs(
  { outputSchema: old }: SurfaceTool,
  { outputSchema: now }: SurfaceTool,
): ItemChange[] {
  if (old !== undefined && now !== undefined) return compareSideSchemas('output', old, now);
  if (now !== undefined) return [{ kind: 'result-described', side: 'output', text: 'output schema added' }];
  if (old !== undefined)
    return [{ kind: 'result-not-described', side: 'output', text: 'output schema removed' }];
  return [];
}

function compareSideSchemas(side: Side, before: ObjectSchema, after: ObjectSchema): ItemChange[] {
  if (isDeepStrictEqual(before, after)) return [];
  return compareSchemas(toListedSchema(before), toListedSchema(after)).map(({ at, ...change }) => ({
    ...change,
    side,
    ...omitUndefined({ at: at === '' ? undefined : at }),
  }));
}

type AnyResource = ListedResource | ListedResourceTemplate;

export function compareResources(before: AnyResource, after: AnyResource): ItemChange[] {
  const templates = [before, after].flatMap((item) => ('uriTemplate' in item ? item.uriTemplate : []));
  const changes = (listAddedVariables(...templates) ?? []).map((at): ItemChange => ({
    kind: 'member-added',
    side: 'input',
    at,
    text: 'added',
  }));
  if (before.name !== after.name)
    changes.push({ kind: 'annotation-changed', text: `name changed from ${before.name} to ${after.name}` });
  changes.push(...compareListedMembers(before, after));
  const [old = 'none', now = 'none'] = [before.mimeType, after.mimeType];
  if (old !== now)
    changes.push({ kind: 'media-type-changed', text: `media type changed from ${old} to ${now}` });
  if (JSON.stringify(before.annotations) !== JSON.stringify(after.annotations))
    changes.push({ kind: 'annotation-changed', text: 'annotations changed' });
  return changes;
}

/** The optional variables of the query that a template has beside those of an older one. Undefined if they differ otherwise. */
export function listAddedVariables(before = '', after = ''): string[] | undefined {
  const split = (template: string): string[] => {
    const [, path = '', query] = /^(.*?)(?:\{\?([^{}]+)\})?$/.exec(template) ?? [];
    return [path, ...(query?.split(',') ?? [])];
  };
  const [[path, ...old], [newPath, ...now]] = [split(before), split(after)];
  const isSame = path === newPath && old.every((name) => now.includes(name));
  return isSame ? now.filter((name) => !old.includes(name)) : undefined;
}

export function comparePrompts(before: ListedPrompt, after: ListedPrompt): ItemChange[] {
  const [old, now] = [before.arguments ?? [], after.arguments ?? []];
  const names = [...new Set([...old, ...now].map(({ name }) => name))];
  const findArgument = (list: ListedPromptArgument[], name: string): ListedPromptArgument | undefined =>
    list.find((argument) => argument.name === name);
  return [
    ...compareListedMembers(before, after),
    ...names.flatMap((name) =>
      comparePromptArgument(findArgument(old, name), findArgument(now, name)).map((change): ItemChange => ({
        ...change,
        side: 'input',
        at: name,
      })),
    ),
  ];
}

function comparePromptArgument(
  before: ListedPromptArgument | undefined,
  after: ListedPromptArgument | undefined,
): ItemChange[] {
  if (after === undefined) return [{ kind: 'member-removed', text: 'removed' }];
  const required = after.required === true;
  if (before === undefined) {
    return required
      ? [{ kind: 'required-member-added', text: 'added, and required' }]
      : [{ kind: 'member-added', text: 'added' }];
  }
  const textChanges = compareListedMembers(before, after);
  if ((before.required === true) === required) return textChanges;
  return [
    required
      ? { kind: 'became-required', text: 'required now' }
      : { kind: 'became-optional', text: 'no longer required' },
    ...textChanges,
  ];
}
