/** The docs that `@param` tags hold for an argument and for its members (JSDoc, "Parameters with properties"). */
import type { Docs, DocTag } from './doc-text.ts';
import { type Carried, carried, isParam, withDefault } from './carried.ts';
import { definedMembers } from '../../../util/defined-members.ts';

/** Docs by path from the value: `''` is the value, `.page.size` a member, `.lines[].text` a member of items. */
export type Said = ReadonlyMap<string, Docs>;

/** A `@param` tag, its argument, and the path from there. */
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

/** Collects the docs of one argument, even if its name differs between tags. */
export function saidBy(tags: readonly ParamTag[]): Said {
  const said = new Map<string, Docs>();
  for (const { way, named } of tags)
    said.set(way, withSaid(said.get(way) ?? { tags: [] }, withDefault(named)));
  return said;
}

/** Narrows the docs to a part of the value; undefined if there are none. */
export function saidWithin(said: Said | undefined, step: string): Said | undefined {
  if (said === undefined) return undefined;
  const inner = [...said].flatMap(([way, docs]): [string, Docs][] => {
    const rest = way.slice(step.length);
    return way.startsWith(step) && /^(?:[.[]|$)/.test(rest) ? [[rest, docs]] : [];
  });
  return inner.length === 0 ? undefined : new Map(inner);
}

export function saysMore(said: Said | undefined): boolean {
  return said !== undefined && [...said.keys()].some((way) => way !== '');
}

/** The declaration's own docs come first; tags that both have count once. */
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
