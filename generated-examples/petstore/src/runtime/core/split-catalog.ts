/** Cuts the text of `catalog.json` into the texts of its lists, without parsing it. */
import type { Catalog } from '../contract/catalog.ts';

/** A list as text (one line), or as items where the text had to be parsed. */
export type SplitCatalog = {
  [L in 'tools' | 'resources' | 'resourceTemplates' | 'prompts']: {
    text: string | undefined;
    items: Catalog[L] | undefined;
  };
} & { completions: boolean | undefined };

/** The members in the compiler's order. */
const MEMBERS = ['tools', 'resources', 'resourceTemplates', 'prompts', 'completions'] as const;

/**
 * In the layout that the compiler writes (see `Catalog`), each member begins a line with its name, and no item's line
 * does, since an item is an object. Any other layout is parsed.
 */
export function splitCatalog(text: string): SplitCatalog {
  const values = cutMembers(text);
  const [tools, resources, resourceTemplates, prompts, completions] = values;
  if ([tools, resources, resourceTemplates, prompts].some((value) => !isList(value)))
    return parseCatalog(text);
  const list = (value: string | undefined) => ({ text: value?.replaceAll('\n', ''), items: undefined });
  return {
    tools: list(tools),
    resources: list(resources),
    resourceTemplates: list(resourceTemplates),
    prompts: list(prompts),
    completions: completions === undefined ? undefined : completions === 'true',
  };
}

/** The text of each member's value; shorter than `MEMBERS` where one is not found in its place. */
function cutMembers(text: string): string[] {
  const starts: number[] = [];
  const ends: number[] = [];
  let from = text.startsWith('{\n"tools": ') ? 1 : text.length;
  for (const name of MEMBERS) {
    const head = `\n"${name}": `;
    const at = text.indexOf(head, from);
    if (at === -1) break;
    ends.push(at - 1);
    starts.push((from = at + head.length));
  }
  ends.push(text.lastIndexOf('\n}'));
  return starts.map((start, index) => text.slice(start, ends[index + 1]));
}

function isList(value: string | undefined): boolean {
  return value === '[]' || (value !== undefined && value.startsWith('[\n{') && value.endsWith('}\n]'));
}

function parseCatalog(text: string): SplitCatalog {
  const catalog: Partial<Catalog> = JSON.parse(text);
  const list = <T>(items: T[] = []) => ({ text: undefined, items });
  return {
    tools: list(catalog.tools),
    resources: list(catalog.resources),
    resourceTemplates: list(catalog.resourceTemplates),
    prompts: list(catalog.prompts),
    completions: catalog.completions,
  };
}
