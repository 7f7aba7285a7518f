import type { ts } from 'ts-morph';

import type { Codec } from '../../../../templates/runtime/contract/json-schema.ts';
import { type Direction, type Form, type NoForm, type Place, hasForm } from './form.ts';

export interface Described {
  /** The type, which tells it from others with the same name. */
  type: object;
  wish: string;
  /** Absent for a recursive type without a name, and for definitions of a `@schema`. */
  symbol: ts.Symbol | undefined;
  direction: Direction;
  /** Absent while a recursive type is being read. */
  form?: Form | NoForm;
  /** References get the name when all names are known. */
  references: { $ref?: string }[];
  codecReferences: (Codec & { kind: 'ref' })[];
}

export interface Definition extends Described {
  type: ts.Type;
  place: Place;
  /** Whether the codec changes values, for each direction; absent until that is known. */
  does?: Record<Direction, boolean>;
}

export class Definitions {
  readonly #direction: Direction;
  readonly #byType = new Map<ts.Type, Definition>();
  readonly targets = new Map<Codec, Definition>();
  #undecided: Definition[] = [];

  constructor(direction: Direction) {
    this.#direction = direction;
  }

  get all(): Definition[] {
    return [...this.#byType.values()];
  }

  definitionOf(type: ts.Type): Definition | undefined {
    return this.#byType.get(type);
  }

  addDefinition(
    type: ts.Type,
    { name, symbol }: { name: string; symbol: ts.Symbol | undefined },
    place: Place,
  ): Definition {
    const definition: Definition = {
      type,
      wish: name,
      symbol,
      direction: this.#direction,
      place,
      references: [],
      codecReferences: [],
    };
    this.#byType.set(type, definition);
    this.#undecided.push(definition);
    return definition;
  }

  makeReferenceForm(definition: Definition, place: Place): Form | NoForm {
    const { form, does, wish } = definition;
    if (form !== undefined && !hasForm(form)) return moveFaultsToUse(form, definition.place, place);
    const schema = { $ref: `#/$defs/${wish}` };
    definition.references.push(schema);
    if (does?.output === false || (form !== undefined && form.codec === undefined)) return { schema };
    const codec: Codec & { kind: 'ref' } = { kind: 'ref', name: wish };
    definition.codecReferences.push(codec);
    this.targets.set(codec, definition);
    return { schema, codec };
  }

  /** Returns definitions added since the last call, whose codecs are not settled yet. */
  takeUndecided(): Definition[] {
    return this.#undecided.splice(0);
  }

  dropUnfinished(): void {
    for (const { type, form } of this.all) if (form === undefined) this.#byType.delete(type);
  }
}

/** A named type without a JSON form is reported where the type is used. */
function moveFaultsToUse({ faults }: NoForm, declared: Place, used: Place): NoForm {
  return {
    faults: faults.map((fault) => (fault.place === declared ? { ...fault, place: used } : fault)),
  };
}

export type Owners = ReadonlyMap<object, Described>;

export function mapReferencesToDefinitions(definitions: readonly Described[]): Owners {
  const owners = new Map<object, Described>();
  for (const definition of definitions) {
    for (const reference of definition.references) owners.set(reference, definition);
    for (const reference of definition.codecReferences) owners.set(reference, definition);
  }
  return owners;
}

export function collectReached(forms: readonly Form[], owners: Owners): Described[] {
  const reached = new Set<Described>();
  for (const form of forms) collectReferences(form, owners, reached);
  // The loop also visits what it adds to the set.
  for (const { form } of reached)
    if (form !== undefined && hasForm(form)) collectReferences(form, owners, reached);
  return [...reached];
}

function collectReferences(value: unknown, owners: Owners, reached: Set<Described>): void {
  if (typeof value !== 'object' || value === null) return;
  const definition = owners.get(value);
  if (definition !== undefined) reached.add(definition);
  for (const part of Object.values(value)) collectReferences(part, owners, reached);
}
