/**
 * The deepObject style. OpenAPI defines one level of scalars (`color[R]=100`); deeper values follow what frameworks
 * read: nested objects add a bracket (`a[b][c]=1`), arrays of scalars repeat `a[]=1` (PHP, Rails, qs), and arrays of
 * objects are numbered (`a[0][b]=1`), since repeating would lose which members belong together.
 */
import type { Pair, QueryStyle } from './query-style.ts';
import { valueText } from './value-text.ts';

/** The pairs of one parameter; a scalar, which the style does not define, is sent as `name=value`; nothing for null. */
export function deepObjectPairs(style: QueryStyle, value: unknown): Pair[] {
  const pairs: Pair[] = [];
  if (value !== null) addPairs(pairs, style, style.name, value);
  return pairs;
}

function addPairs(pairs: Pair[], style: QueryStyle, name: string, value: unknown): void {
  if (value === undefined) return;
  if (value === null || typeof value !== 'object') {
    pairs.push([style.encodeName(name), style.encodeValue(valueText(value))]);
  } else if (Array.isArray(value)) {
    value.forEach((item, index) => {
      const isNested = item !== null && typeof item === 'object';
      addPairs(pairs, style, `${name}[${isNested ? index : ''}]`, item);
    });
  } else {
    for (const [key, member] of Object.entries(value)) addPairs(pairs, style, `${name}[${key}]`, member);
  }
}
