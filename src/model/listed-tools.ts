import type { SurfaceName } from './listed-items.ts';

interface Listing<T> {
  tools: readonly T[];
  /** Default `tools`. */
  surface?: SurfaceName;
}

/** The tools of the source that clients list: with `surface: search`, only pinned ones. */
export function toolsToList<T extends { pin?: boolean }>({ tools, surface }: Listing<T>): readonly T[] {
  return surface === 'search' ? tools.filter(({ pin }) => pin === true) : tools;
}

/** Above one of these, `surface: auto` lists the tools that search. `budget.listTokens` may say another number of tokens. */
export const LARGE = { tools: 128, tokens: 25_000 } as const;

export function isLargeList(tools: number, tokens: number, listTokens: number = LARGE.tokens): boolean {
  return tools > LARGE.tools || tokens > listTokens;
}
