/**
 * Names of a tool's arguments. One key outside `^[A-Za-z0-9_.-]{1,64}$` makes some clients refuse the whole
 * conversation. On a clash every clashing argument is told by its place, and none keeps the bare name.
 */
import type { ParameterLocation } from '../../templates/runtime/bindings.ts';
import { cleanName, fitName, withSuffix } from './clean-name.ts';
import { groupBy } from './group-by.ts';

export type ArgumentPlace = ParameterLocation | 'body';

export interface Placed {
  /** The name on the wire. */
  name: string;
  in: ArgumentPlace;
}

export const longestArgument = 64;

const places: readonly ArgumentPlace[] = ['path', 'query', 'querystring', 'header', 'cookie', 'body'];

/** One argument name for each item, in the items' order. */
export function nameArguments(items: readonly Placed[]): string[] {
  const names = new Map<Placed, string>();
  const taken = new Set<string>();
  const clashing: [Placed, string][] = [];
  for (const [name, group] of groupBy(items, bareName)) {
    const [only, second] = group;
    if (only !== undefined && second === undefined) {
      names.set(only, name);
      taken.add(name);
    } else clashing.push(...group.map((item): [Placed, string] => [item, name]));
  }
  for (const [item, name] of clashing.sort(([a], [b]) => byPlaceAndName(a, b))) {
    const free = firstFree(withSuffix(name, item.in, longestArgument), taken);
    names.set(item, free);
    taken.add(free);
  }
  return items.map((item) => names.get(item) ?? bareName(item));
}

function bareName({ name, in: place }: Placed): string {
  return fitName(cleanName(name) || `${place}_value`, longestArgument);
}

function byPlaceAndName(a: Placed, b: Placed): number {
  return places.indexOf(a.in) - places.indexOf(b.in) || compare(a.name, b.name);
}

/** By code unit: the same on every machine, whatever its locale. */
function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

function firstFree(name: string, taken: ReadonlySet<string>): string {
  if (!taken.has(name)) return name;
  for (let number = 2; ; number++) {
    const numbered = withSuffix(name, String(number), longestArgument);
    if (!taken.has(numbered)) return numbered;
  }
}
