/** Cuts the text of `catalog.json` into the texts of its lists, without parsing it. */
import type { Catalog } from '../catalog.ts';

/** A list as text (one line), or as items where the text had to be parsed. */
export type SplitCatalog = {
  [L in 'tools' | 'resources' | 'resourceTemplates' | 'prompts']: {
    text: string | undefined;
    items: Catalog[L] | undefined;
  };
} & { completions: boolean | undefined };

const HEADS = ['{"tools":[\n', '],\n"resources":[\n', '],\n"resourceTemplates":[\n', '],\n"prompts":[\n'];
const TAIL = /^\](?:,\n"completions":(true|false))?\}\s*$/;

/**
 * The layout that the compiler writes (see `Catalog`) has its line breaks between items only, so a line that starts
 * with `]` ends a list. Any other layout is parsed.
 */
export function splitCatalog(text: string): SplitCatalog {
  const starts: number[] = [];
  let at = 0;
  for (const head of HEADS) {
    const found = at === 0 ? (text.startsWith(head) ? 0 : -1) : text.indexOf(`\n${head}`, at - 1) + 1;
    if (found < at || (found === 0 && starts.length > 0)) return parseCatalog(text);
    at = found + head.length;
    starts.push(found);
  }
  const end = text.indexOf('\n]', at - 1) + 1;
  const tail = TAIL.exec(text.slice(end));
  if (end === 0 || tail === null) return parseCatalog(text);
  const list = (index: number) => {
    const from = (starts[index] ?? 0) + (HEADS[index]?.length ?? 0);
    const body = text.slice(from, starts[index + 1] ?? end);
    return { text: `[${body.replaceAll('\n', '')}]`, items: undefined };
  };
  return {
    tools: list(0),
    resources: list(1),
    resourceTemplates: list(2),
    prompts: list(3),
    completions: tail[1] === undefined ? undefined : tail[1] === 'true',
  };
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
