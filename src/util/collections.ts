export { omitUndefined } from '../../templates/runtime/contract/json-value.ts';

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
