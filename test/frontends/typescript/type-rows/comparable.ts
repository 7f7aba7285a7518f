// The rows that other generators can be shown: types that stand alone, read as arguments.
import { fitting, intersections, unions } from './combined.ts';
import { builtIns, lists, objects } from './containers.ts';
import { docs } from './docs.ts';
import { generics, recursion, utilities } from './generics.ts';
import { enums, primitives, strings } from './primitives.ts';
import type { TypeRow } from './row.ts';

export { docs };
export type { TypeRow };

export const comparable: readonly TypeRow[] = [
  primitives,
  strings,
  enums,
  lists,
  objects,
  builtIns,
  utilities,
  generics,
  recursion,
  unions,
  fitting,
  intersections,
  docs,
]
  .flat()
  .filter(
    ({ direction, file, options }) => direction === undefined && file === undefined && options === undefined,
  );
