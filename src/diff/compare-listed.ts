/** Two versions of one resource or resource template, compared. */
import type { ListedResource, ListedResourceTemplate } from '../../templates/runtime/catalog.ts';
import { compareDescriptions, compareIcons, compareTitles, type ItemChange } from './compare-tools.ts';

type AnyResource = ListedResource | ListedResourceTemplate;

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
