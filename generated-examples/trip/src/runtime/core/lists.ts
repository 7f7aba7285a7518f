/** `tools/list`, `resources/list`, `resources/templates/list`, `prompts/list`. */
import { invalidParams } from '../protocol/protocol-error.ts';
import { type RevisionFeatures, without } from '../protocol/revisions.ts';
import { RawJson } from './answer.ts';
import type { Call, Method } from './call.ts';
import type { ListName } from './catalog-store.ts';
import type { Project } from './project.ts';

/** The object that each list is made of, by the revisions' table. */
const SHAPES = {
  tools: 'tool',
  resources: 'resource',
  resourceTemplates: 'resourceTemplate',
  prompts: 'prompt',
} as const;

/** Answers with all items at once, or by pages when a page size is set. */
export function listMethod(list: ListName): Method {
  return (call: Call) => {
    const { project, agreement } = call;
    const cursor = cursorOf(call);
    if (list === 'resources' && project.functions?.lists === true) return listedByFunctions(call, cursor);
    if (project.pageSize !== undefined)
      return pageOf(project.catalog.items(list), list, project.pageSize, agreement.features, cursor);
    // One page lists everything, so no cursor was ever given out.
    if (cursor !== undefined) throw invalidParams('`cursor` is none that this server gave.');
    return new RawJson(`{"${list}":${textFor(project, list, agreement.features)}}`);
  };
}

function cursorOf({ params: { cursor } }: Call): string | undefined {
  if (typeof cursor === 'string') return cursor;
  if (cursor === undefined) return undefined;
  throw invalidParams('`cursor` must be a string.');
}

async function listedByFunctions(call: Call, cursor: string | undefined): Promise<object> {
  const { project, agreement } = call;
  const { listResources } = await import('./resources/list-resources.ts');
  const items = await listResources(call);
  return pageOf(items, 'resources', project.pageSize ?? Infinity, agreement.features, cursor);
}

async function pageOf(
  items: readonly object[],
  list: ListName,
  pageSize: number,
  features: RevisionFeatures,
  cursor: string | undefined,
): Promise<object> {
  const { readCursor, writeCursor } = await import('./cursor.ts');
  const from = cursor === undefined ? 0 : readCursor(cursor, list, items.length);
  const page = items.slice(from, from + pageSize).map((item) => forRevision(item, list, features));
  const next = from + pageSize;
  return {
    [list]: page,
    ...(next < items.length ? { nextCursor: writeCursor(list, next, items.length) } : {}),
  };
}

/** The list's text as the revision knows it: the catalog's own where it says nothing that the revision doesn't. */
function textFor(project: Project, list: ListName, features: RevisionFeatures): string {
  const text = project.catalog.text(list);
  const unknown = unknownIn(list, features);
  if (!unknown.some((member) => text.includes(`"${member}"`))) return text;
  const texts = (project.parts.texts ??= new Map<string, string>());
  const key = `${list} ${unknown.join()}`;
  let filtered = texts.get(key);
  if (filtered === undefined) {
    const items = project.catalog.items(list).map((item) => forRevision(item, list, features));
    texts.set(key, (filtered = JSON.stringify(items)));
  }
  return filtered;
}

function unknownIn(list: ListName, { unknownMembers }: RevisionFeatures): readonly string[] {
  const nested = list === 'prompts' ? unknownMembers.promptArgument : unknownMembers.annotations;
  return [...unknownMembers[SHAPES[list]], ...nested];
}

function forRevision(item: object, list: ListName, { unknownMembers }: RevisionFeatures): object {
  const known: { arguments?: object[]; annotations?: object } = without(item, unknownMembers[SHAPES[list]]);
  if (known.arguments !== undefined) {
    return {
      ...known,
      arguments: known.arguments.map((each) => without(each, unknownMembers.promptArgument)),
    };
  }
  if (known.annotations === undefined) return known;
  return { ...known, annotations: without(known.annotations, unknownMembers.annotations) };
}
