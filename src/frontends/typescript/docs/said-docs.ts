/** What `@param` says of an argument, and of what is within it (JSDoc, "Parameters with properties"). */
import type { Docs, DocTag } from './doc-text.ts';
import { type Carried, carried, isParam, withDefault } from './carried.ts';
import { definedMembers } from '../../../util/defined-members.ts';

/** By the way from the value: `''` is itself, `.page` and `.page.size` its members, `.lines[].text` those of its items. */
export type Said = ReadonlyMap<string, Docs>;

/** A `@param` as a tag, the argument that it names, and the way from there. */
export interface ParamTag {
  tag: DocTag;
  head: string;
  way: string;
  named: Carried;
}

export function paramTags({ tags }: Docs): ParamTag[] {
  return tags.filter(isParam).flatMap((tag) => {
    const named = carried(tag);
    if (named === undefined) return [];
    const head = /^[^.[]*/.exec(named.name)?.[0] ?? '';
    return [{ tag, head, way: named.name.slice(head.length), named }];
  });
}

/** Of one argument, whatever name it has in each tag. */
export function saidBy(tags: readonly ParamTag[]): Said {
  const said = new Map<string, Docs>();
  for (const { way, named } of tags)
    said.set(way, withSaid(said.get(way) ?? { tags: [] }, withDefault(named)));
  return said;
}

/** Of a part of the value; undefined where nothing is. */
export function saidWithin(said: Said | undefined, step: string): Said | undefined {
  if (said === undefined) return undefined;
  const inner = [...said].flatMap(([way, docs]): [string, Docs][] => {
    const rest = way.slice(step.length);
    return way.startsWith(step) && /^(?:[.[]|$)/.test(rest) ? [[rest, docs]] : [];
  });
  return inner.length === 0 ? undefined : new Map(inner);
}

/** Whether something is said of what is within the value, and not of itself alone. */
export function saysMore(said: Said | undefined): boolean {
  return said !== undefined && [...said.keys()].some((way) => way !== '');
}

/** Words of the declaration's own come first; a tag that both have read is one. */
export function withSaid(own: Docs, said: Docs | undefined): Docs {
  if (said === undefined) return own;
  const known = new Set(own.tags.map(({ file, offset }) => `${file.fileName} ${offset}`));
  const { description, tags, mentions = [] } = said;
  return {
    ...definedMembers({ description }),
    ...own,
    tags: [...own.tags, ...tags.filter(({ file, offset }) => !known.has(`${file.fileName} ${offset}`))],
    mentions: [...(own.mentions ?? []), ...mentions],
  };
}
