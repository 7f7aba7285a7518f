/** Arrays: as few items as are allowed, but one where it says what the array is of. */
import { isEqual } from '../contract/equality.ts';
import type { Json, JsonSchema } from '../contract/json-schema.ts';
import { isSchema } from '../contract/subschemas.ts';
import { type Facts, schemasOf, strictest } from './facts.ts';
import { sampleLimits } from './limits.ts';
import type { Members, Place } from './sampler.ts';

export function sampleArray(facts: Facts, place: Place, members: Members): Json[] | undefined {
  const least = leastItems(facts);
  const most = strictest(facts, 'maxItems', Math.min) ?? Infinity;
  if (least > most || least > sampleLimits.size) return undefined;
  const items: Json[] = [];
  const count = Math.min(Math.max(least, usualItems(facts, members)), most);
  for (let nth = place.nth; items.length < count; nth++) {
    const item = nextItem(facts, items, { depth: place.depth + 1, nth }, members);
    if (item === undefined) break;
    items.push(item);
  }
  return items.length < least ? undefined : items;
}

function leastItems(facts: Facts): number {
  const minItems = strictest(facts, 'minItems', Math.max) ?? 0;
  const contained = facts.parts.map(({ contains, minContains = 1 }) =>
    contains === undefined ? 0 : minContains,
  );
  return Math.max(minItems, ...contained);
}

/** A tuple whole, one item of a list; none of what sampling already is within. */
function usualItems(facts: Facts, members: Members): number {
  const prefix = Math.max(0, ...facts.parts.map(({ prefixItems }) => prefixItems?.length ?? 0));
  const schemas = itemSchemas(facts, 0);
  if (prefix > 0) return prefix;
  return members.isWithin(schemas) ? 0 : 1;
}

/** What applies to the item at an index. */
function itemSchemas({ parts }: Facts, index: number): JsonSchema[] {
  return parts.flatMap(({ prefixItems = [], items, unevaluatedItems }) => {
    const schema = prefixItems[index] ?? items ?? unevaluatedItems;
    return isSchema(schema) ? [schema] : [];
  });
}

/** The nth value, or one of the next where items must differ. */
function nextItem(facts: Facts, items: readonly Json[], place: Place, members: Members): Json | undefined {
  const contains = schemasOf(facts, 'contains');
  const own = itemSchemas(facts, items.length);
  const unique = facts.parts.some(({ uniqueItems }) => uniqueItems === true);
  for (let more = 0; more < 20; more++) {
    const at = { ...place, nth: place.nth + more };
    const item = members.sample([...own, ...contains], at) ?? members.sample(own, at);
    if (item === undefined) return undefined;
    if (!unique || !items.some((one) => isEqual(one, item))) return item;
  }
  return undefined;
}
