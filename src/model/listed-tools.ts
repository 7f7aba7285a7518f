import { SURFACE_TOOLS, type SurfaceName } from '../../templates/runtime/contract/json-schema.ts';

interface Listing<T> {
  tools: readonly T[];
  /** Default `tools`. */
  surface?: SurfaceName;
}

/** The tools of the source that clients list: with `surface: search`, only pinned ones. */
export function listedTools<T extends { pin?: boolean }>({ tools, surface }: Listing<T>): readonly T[] {
  return surface === 'search' ? tools.filter(({ pin }) => pin === true) : tools;
}

/** How many tools clients list, the ones that search among them. */
export function countListed(server: Listing<{ pin?: boolean }>): number {
  const { surface = 'tools' } = server;
  return listedTools(server).length + (surface === 'tools' ? 0 : SURFACE_TOOLS.length);
}

/** Above one of these, `surface: auto` lists the tools that search. `budget.listTokens` may say another number of tokens. */
export const LARGE = { tools: 128, tokens: 25_000 } as const;

export function isLarge(tools: number, tokens: number, listTokens: number = LARGE.tokens): boolean {
  return tools > LARGE.tools || tokens > listTokens;
}
