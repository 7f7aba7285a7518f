import { SURFACE_TOOLS } from '../../templates/runtime/contract/json-schema.ts';
import type { ServerModel, Tool } from './server-model.ts';

type Listing = Pick<ServerModel, 'tools' | 'surface'>;

/** The tools of the source that clients list: with `surface: search`, only pinned ones. */
export function listedTools({ tools, surface }: Listing): Tool[] {
  return surface === 'search' ? tools.filter(({ pin }) => pin === true) : tools;
}

/** How many tools clients list, the ones that search among them. */
export function countListed(model: Listing): number {
  const { surface = 'tools' } = model;
  return listedTools(model).length + (surface === 'tools' ? 0 : SURFACE_TOOLS.length);
}

/** Above one of these, `surface: auto` lists the tools that search. `budget.listTokens` may say another number of tokens. */
export const LARGE = { tools: 128, tokens: 25_000 } as const;

export function isLarge(tools: number, tokens: number, listTokens: number = LARGE.tokens): boolean {
  return tools > LARGE.tools || tokens > listTokens;
}
