/** Names definitions by content and place, so that the order does not matter. */
import type { ts } from 'ts-morph';
import type { Described } from './definition.ts';
import { hasForm } from './form.ts';
import { ownersOf, type Owners } from './reach.ts';
import { hash } from './type-name.ts';

/** Definitions with equal content share a name, usually one for each direction. */
export interface NamedGroup {
  name: string;
  members: Described[];
  wish: string;
  /** The number of other types with the same wish. */
  rivals: number;
}

export function settleNames(definitions: readonly Described[]): NamedGroup[] {
  const owner = ownersOf(definitions);
  const classes = classify(definitions, owner);
  const wishes = groupBy([...groupBy(definitions, (each) => classes.get(each) ?? '').values()], ([first]) =>
    first === undefined ? '' : first.wish,
  );
  const taken = new Set(wishes.keys());
  return [...wishes].flatMap(([wish, groups]) => nameGroups(wish, groups, classes, taken));
}

/** Splits classes by content until the references of all members agree (partition refinement). */
function classify(definitions: readonly Described[], owner: Owners): Map<Described, string> {
  let classes = new Map(definitions.map((each) => [each, each.wish]));
  for (let count = 0; ;) {
    const next = new Map(
      definitions.map((each) => [each, `${each.wish} ${hash(formatContent(each, classes, owner))}`]),
    );
    const size = new Set(next.values()).size;
    classes = next;
    if (size === count) return classes;
    count = size;
  }
}

function formatContent({ form }: Described, classes: Map<Described, string>, owner: Owners): string {
  if (form === undefined || !hasForm(form)) return '';
  return JSON.stringify([form.schema, form.codec], (_, value: unknown) => {
    const target = typeof value === 'object' && value !== null ? owner.get(value) : undefined;
    return target === undefined
      ? value
      : { ...(value as object), $ref: classes.get(target), name: undefined };
  });
}

function nameGroups(
  wish: string,
  groups: Described[][],
  classes: Map<Described, string>,
  taken: Set<string>,
): NamedGroup[] {
  if (groups.length === 1) return groups.map((members) => ({ name: wish, members, wish, rivals: 0 }));
  // A type that differs by direction only has no rival.
  const rivals = new Set(groups.map(([first]) => first?.type)).size - 1;
  const suffixes = deriveSuffixes(groups, classes);
  return groups.map((members, index) => {
    const name = firstFree(`${wish}_${suffixes[index] ?? ''}`.replace(/_$/, ''), wish, taken);
    return { name, members, wish, rivals };
  });
}

/** Tells rivals apart by the end of their paths, then by direction, then by a hash of the content. */
function deriveSuffixes(groups: readonly Described[][], classes: Map<Described, string>): string[] {
  const firsts = groups.map(([first]) => first);
  const directions = firsts.map((first) => (first?.direction === 'output' ? 'output' : ''));
  const isOneType = new Set(firsts.map((first) => first?.type)).size === 1;
  if (isOneType && new Set(directions).size === groups.length) return directions;
  const paths = firsts.map((first) => pathWords(first?.symbol));
  for (let count = 1; count <= Math.max(...paths.map(({ length }) => length)); count += 1) {
    const ends = paths.map((words) => words.slice(-count).join('_'));
    if (!ends.includes('') && new Set(ends).size === ends.length) return ends;
  }
  return firsts.map((first) => hash(first === undefined ? '' : (classes.get(first) ?? '')).slice(0, 6));
}

function pathWords(symbol: ts.Symbol | undefined): string[] {
  const file = symbol?.declarations?.[0]?.getSourceFile().fileName ?? '';
  const path = file.replace(/^.*\/node_modules\//, '').replace(/\.(?:d\.)?[cm]?[jt]sx?$/, '');
  return path
    .split('/')
    .map((part) => part.replaceAll(/[^A-Za-z0-9]+/g, '_').replaceAll(/^_+|_+$/g, ''))
    .filter((part) => part !== '');
}

/** The result may be another type's wish. */
function firstFree(name: string, wish: string, taken: Set<string>): string {
  let free = name;
  for (let count = 2; free !== wish && taken.has(free); count += 1) free = `${name}_${count}`;
  taken.add(free);
  return free;
}

function groupBy<T>(values: readonly T[], keyOf: (value: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const value of values) {
    const group = groups.get(keyOf(value));
    if (group === undefined) groups.set(keyOf(value), [value]);
    else group.push(value);
  }
  return groups;
}
