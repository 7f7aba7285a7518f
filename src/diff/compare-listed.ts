/** Two versions of one resource or resource template, compared. */
import type { ListedResource } from '../../templates/runtime/contract/catalog.ts';
import type { ChangeKind } from './change-kinds.ts';
import {
  compareDescriptions,
  compareIcons,
  compareSide,
  compareTitles,
  type ItemChange,
} from './compare-tools.ts';
import type { SurfaceTemplate } from './surface.ts';

type AnyResource = ListedResource | SurfaceTemplate;

export function compareResources(before: AnyResource, after: AnyResource): ItemChange[] {
  const renamed: ItemChange[] =
    before.name === after.name
      ? []
      : [{ kind: 'annotation-changed', text: `name changed from ${before.name} to ${after.name}` }];
  const typed: ItemChange[] =
    before.mimeType === after.mimeType
      ? []
      : [
          {
            kind: 'media-type-changed',
            text: `media type changed from ${before.mimeType ?? 'none'} to ${after.mimeType ?? 'none'}`,
          },
        ];
  const annotated: ItemChange[] =
    JSON.stringify(before.annotations) === JSON.stringify(after.annotations)
      ? []
      : [{ kind: 'annotation-changed', text: 'annotations changed' }];
  return [...renamed, ...compareListed(before, after), ...typed, ...annotated];
}

/** What is said of a variable; no client is told. */
const WORDS: readonly ChangeKind[] = [
  'title-changed',
  'description-changed',
  'deprecated',
  'no-longer-deprecated',
];

/** The values that variables take, where both are known, as well. */
export function compareTemplates(before: SurfaceTemplate, after: SurfaceTemplate): ItemChange[] {
  const { input: old } = before;
  const { input: now } = after;
  const taken = old === undefined || now === undefined ? [] : compareSide('input', old, now);
  return [...compareResources(before, after), ...taken.filter(({ kind }) => !WORDS.includes(kind))];
}

interface Listed {
  title?: string;
  description?: string;
  icons?: unknown;
}

export function compareListed(before: Listed, after: Listed): ItemChange[] {
  return [
    ...compareTitles(before.title, after.title),
    ...compareDescriptions(before.description, after.description),
    ...compareIcons(before, after),
  ];
}
