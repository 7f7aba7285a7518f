/** Two versions of one resource, resource template or prompt, compared. */
import type {
  ListedPrompt,
  ListedPromptArgument,
  ListedResource,
  ListedResourceTemplate,
} from '../../templates/runtime/catalog.ts';
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

export function comparePrompts(before: ListedPrompt, after: ListedPrompt): ItemChange[] {
  const [old, now] = [before.arguments ?? [], after.arguments ?? []];
  const names = [...new Set([...old, ...now].map(({ name }) => name))];
  const named = (list: ListedPromptArgument[], name: string): ListedPromptArgument | undefined =>
    list.find((each) => each.name === name);
  return [
    ...compareListed(before, after),
    ...names.flatMap((name) =>
      compareArgument(named(old, name), named(now, name)).map((change): ItemChange => ({
        ...change,
        side: 'input',
        at: name,
      })),
    ),
  ];
}

function compareArgument(
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
  const words = compareListed(before, after);
  if ((before.required === true) === required) return words;
  return [
    required
      ? { kind: 'became-required', text: 'required now' }
      : { kind: 'became-optional', text: 'no longer required' },
    ...words,
  ];
}

interface Listed {
  title?: string;
  description?: string;
  icons?: unknown;
}

function compareListed(before: Listed, after: Listed): ItemChange[] {
  return [
    ...compareTitles(before.title, after.title),
    ...compareDescriptions(before.description, after.description),
    ...compareIcons(before, after),
  ];
}
