/** Arguments that would change, by way of a function that merges them, what every object inherits. */
import { isRecord } from '../contract/json-value.ts';
import { NotRevivable } from './revive.ts';

/** @throws {NotRevivable} for a member `__proto__` or `constructor.prototype` at any depth */
export function refuseInherited(args: Record<string, unknown>): void {
  const own = inheritedIn(args);
  if (own !== undefined) throw new NotRevivable({ path: [], words: `must have no member \`${own}\`` });
  for (const name of Object.keys(args)) {
    const found = findInherited(args[name]);
    if (found !== undefined)
      throw new NotRevivable({ path: [name], words: `must have no member \`${found}\`` });
  }
}

/** Keeps its own stack: the depth of a value is its sender's choice. */
function findInherited(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const open: unknown[] = [value];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next !== 'object' || next === null) continue;
    const found = inheritedIn(next);
    if (found !== undefined) return found;
    for (const part of Object.values(next)) if (typeof part === 'object' && part !== null) open.push(part);
  }
  return undefined;
}

/** Text and numbers under these names are data: to assign them changes nothing. */
function inheritedIn(value: object): string | undefined {
  if (Object.hasOwn(value, '__proto__') && isRecord(Reflect.get(value, '__proto__'))) return '__proto__';
  if (!Object.hasOwn(value, 'constructor')) return undefined;
  const constructor: unknown = Reflect.get(value, 'constructor');
  return isRecord(constructor) && Object.hasOwn(constructor, 'prototype')
    ? 'constructor.prototype'
    : undefined;
}
