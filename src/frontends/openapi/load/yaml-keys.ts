/** Finds all repeated keys of YAML mappings; the parser stops at the first. */
import { EVENT_ID, type Event, getScalarValue } from 'js-yaml';
import { scalarSpan } from '../../../diagnostics/locate/scalar-span.ts';
import { type DuplicateKey, KeyGatherer } from './duplicate-keys.ts';

export function findDuplicateKeys(events: readonly Event[], text: string): DuplicateKey[] {
  const gatherer = new KeyGatherer();
  /** For each open mapping, whether a key comes next. */
  const open: ('key' | 'value' | 'item')[] = [];
  for (const event of events) {
    if (event.type === EVENT_ID.POP) {
      open.pop();
      gatherer.leave();
      continue;
    }
    const role = open.at(-1) ?? 'item';
    if (role === 'key' && event.type === EVENT_ID.SCALAR) {
      const key = getScalarValue(text, event);
      // Merge keys may be repeated.
      if (key !== '<<') gatherer.key(key, scalarSpan(event).start);
    }
    if (role !== 'item') open[open.length - 1] = role === 'key' ? 'value' : 'key';
    if (event.type === EVENT_ID.SCALAR || event.type === EVENT_ID.ALIAS) continue;
    const isMapping = event.type === EVENT_ID.MAPPING;
    open.push(isMapping ? 'key' : 'item');
    gatherer.enter(isMapping ? 'mapping' : 'list');
  }
  return gatherer.found;
}
