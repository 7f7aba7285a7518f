import { fail } from './model-error.ts';

const itemName = /^[A-Za-z0-9_.-]{1,128}$/;
const argumentName = /^[A-Za-z0-9_.-]{1,64}$/;

export function assertItemName(name: string, what: string): void {
  if (!itemName.test(name))
    fail(
      what,
      'has a name that clients refuse: letters, digits, "_", "-" and "." may stand there, 128 at most',
    );
}

export function assertArgumentName(name: string, what: string): void {
  if (!argumentName.test(name))
    fail(
      what,
      `has an argument that clients refuse, ${JSON.stringify(name)}: letters, digits, "_", "-" and "." may stand there, 64 at most`,
    );
}

export function assertUnique<T>(items: readonly T[], keyOf: (item: T) => string, kind: string): void {
  const seen = new Set<string>();
  for (const item of items) {
    const key = keyOf(item);
    if (seen.has(key)) fail(`${kind} ${key}`, 'stands twice, and clients would see one');
    seen.add(key);
  }
}
