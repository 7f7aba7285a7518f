import type { Described } from './definition.ts';
import { type Form, hasForm } from './form.ts';

export type Owners = ReadonlyMap<object, Described>;

export function ownersOf(definitions: readonly Described[]): Owners {
  const owners = new Map<object, Described>();
  for (const definition of definitions) {
    for (const reference of definition.references) owners.set(reference, definition);
    for (const reference of definition.codecReferences) owners.set(reference, definition);
  }
  return owners;
}

/** Lists the definitions that the forms refer to, also indirectly, in order. */
export function reach(forms: readonly Form[], owners: Owners): Described[] {
  const reached = new Set<Described>();
  for (const form of forms) visit(form, owners, reached);
  // The loop also visits what it adds to the set.
  for (const { form } of reached) if (form !== undefined && hasForm(form)) visit(form, owners, reached);
  return [...reached];
}

function visit(value: unknown, owners: Owners, reached: Set<Described>): void {
  if (typeof value !== 'object' || value === null) return;
  const definition = owners.get(value);
  if (definition !== undefined) reached.add(definition);
  for (const part of Object.values(value)) visit(part, owners, reached);
}
