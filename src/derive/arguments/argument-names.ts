/**
 * Names of a tool's arguments. One key outside `^[A-Za-z0-9_.-]{1,64}$` makes some clients refuse the whole
 * conversation. Clashing arguments all get their place as a suffix, and none keeps the bare name.
 */
import type { ParameterLocation, PartBinding } from '../../../templates/runtime/contract/bindings.ts';
import { cleanName, contentHash, fitName, keepsLetters, withHash, withSuffix } from '../names/clean-name.ts';
import { groupBy } from '../../util/group-by.ts';
import type { JsonSchemaObject } from '../../../templates/runtime/contract/json-schema.ts';
import type { Parameter } from '../../model/source-model.ts';

export type ArgumentPlace = ParameterLocation | 'body';

export interface Placed {
  /** The name on the wire. */
  name: string;
  in: ArgumentPlace;
}

const longestArgument = 64;

const places: readonly ArgumentPlace[] = ['path', 'query', 'querystring', 'header', 'cookie', 'body'];

export interface ArgumentName {
  argument: string;
  /** Another item asks for the same name. */
  clashes: boolean;
}

export function nameArguments(items: readonly Placed[]): ArgumentName[] {
  const names = new Map<Placed, ArgumentName>();
  const taken = new Set<string>();
  const clashing: [Placed, string][] = [];
  for (const [argument, group] of groupBy(items, bareName)) {
    const [only, second] = group;
    if (only !== undefined && second === undefined) {
      names.set(only, { argument, clashes: false });
      taken.add(argument);
    } else clashing.push(...group.map((item): [Placed, string] => [item, toldName(item, argument)]));
  }
  for (const [item, name] of clashing.sort(([a], [b]) => byPlaceAndName(a, b))) {
    const argument = firstFree(withSuffix(name, item.in, longestArgument), taken);
    names.set(item, { argument, clashes: true });
    taken.add(argument);
  }
  return items.map((item) => names.get(item) ?? { argument: bareName(item), clashes: false });
}

function bareName({ name }: Placed): string {
  return readableName(name) || `value_${contentHash(name, 8)}`;
}

function readableName(name: string): string {
  return fitName(cleanName(name), longestArgument);
}

/**
 * Only the dropped letters may distinguish two names, so a hash is added. A counter would change with the document's
 * order.
 */
function toldName({ name }: Placed, bare: string): string {
  const readable = readableName(name);
  return readable === '' || keepsLetters(name, readable) ? bare : withHash(bare, name, longestArgument);
}

/** Whether the argument's name keeps all letters of the name on the wire. */
export function saysName(name: string): boolean {
  return keepsLetters(name, readableName(name));
}

function byPlaceAndName(a: Placed, b: Placed): number {
  return places.indexOf(a.in) - places.indexOf(b.in) || compare(a.name, b.name);
}

/** Code units compare equally on every machine, whatever its locale. */
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

export interface ToolArgument extends PartBinding {
  argument: string;
  /** The name on the wire. */
  name: string;
  in: ArgumentPlace;
  required: boolean;
  schema: JsonSchemaObject;
  /** Absent for properties of the body. */
  parameter?: Parameter;
}
