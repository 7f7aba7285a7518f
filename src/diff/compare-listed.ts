import type { ListedResource } from '../../templates/runtime/contract/catalog.ts';
import type { ChangeKind } from './change-kinds.ts';
import { compareListed, compareSide, type ItemChange } from './compare-tools.ts';
import type { SurfaceTemplate } from './surface.ts';

type AnyResource = ListedResource | SurfaceTemplate;

export function compareResources(before: AnyResource, after: AnyResource): ItemChange[] {
  const found: ItemChange[] = [];
  if (before.name !== after.name)
    found.push({ kind: 'annotation-changed', text: `name changed from ${before.name} to ${after.name}` });
  found.push(...compareListed(before, after));
  const [old = 'none', now = 'none'] = [before.mimeType, after.mimeType];
  if (old !== now)
    found.push({ kind: 'media-type-changed', text: `media type changed from ${old} to ${now}` });
  if (JSON.stringify(before.annotations) !== JSON.stringify(after.annotations))
    found.push({ kind: 'annotation-changed', text: 'annotations changed' });
  return found;
}

/** Changes of descriptions. Those of variables are not listed; those of a prompt's arguments are compared as listed. */
export const WORDS: readonly ChangeKind[] = [
  'title-changed',
  'description-changed',
  'deprecated',
  'no-longer-deprecated',
];

/** Compares the values of variables as well, if both sides are known. */
export function compareTemplates(before: SurfaceTemplate, after: SurfaceTemplate): ItemChange[] {
  const { input: old } = before;
  const { input: now } = after;
  const taken = old === undefined || now === undefined ? [] : compareSide('input', old, now);
  return [...compareResources(before, after), ...taken.filter(({ kind }) => !WORDS.includes(kind))];
}
