import type { Described } from './definition.ts';
import { type Form, hasForm } from './form.ts';

/** The definition that each reference, of a schema or a codec, points to. */
export type Owners = ReadonlyMap<object, Described>;

export function ownersOf(definitions: readonly Described[]): Owners {
  const owners = new Map<object, Described>();
  for (const definition of definitions) {
    for (const reference of definition.references) owners.set(reference, definition);
    for (const reference of definition.codecReferences) owners.set(reference, definition);
  }
  return owners;
}

/** The definitions that the forms refer to, also by way of others, in the order in which they are referred to. */
export function reach(forms: readonly Form[], owners: Owners): Described[] {
  const reached = new Set<Described>();
  for (const form of forms) visit(form, owners, reached);
  // A set goes on to what is added to it on the way.
  for (const { form } of reached) if (form !== undefined && hasForm(form)) visit(form, owners, reached);
  return [...reached];
}

function visit(value: unknown, owners: Owners, reached: Set<Described>): void {
  if (typeof value !== 'object' || value === null) return;
  const definition = owners.get(value);
  if (definition !== undefined) reached.add(definition);
  for (const part of Object.values(value)) visit(part, owners, reached);
}
