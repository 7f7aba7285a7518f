import { setOwnMember } from './json-value.ts';

type Defined<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

/** Omits members that are `undefined`: optional members may be absent, but not `undefined`. */
export function omitUndefined<T extends object>(members: T): Defined<T>;
export function omitUndefined(members: object): object {
  const defined: Record<string, unknown> = {};
  for (const name of Object.keys(members)) {
    const value: unknown = Reflect.get(members, name);
    if (value !== undefined) setOwnMember(defined, name, value);
  }
  return defined;
}

/** `Map.groupBy`, which Node 20 lacks. Groups are in the order of their first members. */
export function groupBy<T, K>(items: readonly T[], keyOf: (item: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
}

/** `a, b, c and 4 more` */
export function formatNameList(names: readonly string[], limit = 10): string {
  const more = names.length - limit;
  return `${names.slice(0, limit).join(', ')}${more > 0 ? ` and ${String(more)} more` : ''}`;
}

/** The members of these names that are not `undefined`. */
export function pickMembers<T extends object, K extends keyof T>(item: T, names: readonly K[]): Pick<T, K> {
  return Object.fromEntries(
    names.filter((name) => item[name] !== undefined).map((name) => [name, item[name]]),
  ) as Pick<T, K>;
}
