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
