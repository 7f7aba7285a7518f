/** What names must be, and that each stands once. */
import { fail } from './model-error.ts';

const itemName = /^[A-Za-z0-9_.-]{1,128}$/;
const argumentName = /^[A-Za-z0-9_.-]{1,64}$/;

export function assertItemName(name: string, what: string): void {
  if (!itemName.test(name)) fail(what, 'has an invalid name');
}

export function assertArgumentName(name: string, what: string): void {
  if (!argumentName.test(name)) fail(what, `has an invalid argument ${name}`);
}

export function assertUnique<T>(items: readonly T[], keyOf: (item: T) => string, kind: string): void {
  const seen = new Set<string>();
  for (const item of items) {
    const key = keyOf(item);
    if (seen.has(key)) fail(`${kind} ${key}`, 'stands twice');
    seen.add(key);
  }
}
