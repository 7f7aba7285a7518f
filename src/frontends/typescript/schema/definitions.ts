import type { ts } from 'ts-morph';
import type { Codec } from '../../../../templates/runtime/contract/codec.ts';
import type { Definition } from './definition.ts';
import { type Direction, type Form, hasForm, type NoForm, type Place } from './form.ts';

/** The named types of one direction. */
export class Definitions {
  readonly #direction: Direction;
  /** In the order of reading. */
  readonly #byType = new Map<ts.Type, Definition>();
  /** The definition of each reference in a codec. */
  readonly targets = new Map<Codec, Definition>();
  #undecided: Definition[] = [];

  constructor(direction: Direction) {
    this.#direction = direction;
  }

  get all(): Definition[] {
    return [...this.#byType.values()];
  }

  of(type: ts.Type): Definition | undefined {
    return this.#byType.get(type);
  }

  add(
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

  refer(definition: Definition, place: Place): Form | NoForm {
    const { form, does, wish } = definition;
    if (form !== undefined && !hasForm(form)) return inUse(form, definition.place, place);
    const schema = { $ref: `#/$defs/${wish}` };
    definition.references.push(schema);
    if (does?.output === false || (form !== undefined && form.codec === undefined)) return { schema };
    const codec: Codec & { kind: 'ref' } = { kind: 'ref', name: wish };
    definition.codecReferences.push(codec);
    this.targets.set(codec, definition);
    return { schema, codec };
  }

  /** Returns the definitions added since the last call, whose codecs are not settled yet. */
  takeUndecided(): Definition[] {
    return this.#undecided.splice(0);
  }

  /** Forgets unfinished definitions. */
  abandon(): void {
    for (const { type, form } of this.all) if (form === undefined) this.#byType.delete(type);
  }
}

/** A named type without a form is a fault of its user. */
function inUse({ faults }: NoForm, declared: Place, used: Place): NoForm {
  return {
    faults: faults.map((fault) => (fault.place === declared ? { ...fault, place: used } : fault)),
  };
}
