import type { ts } from 'ts-morph';
import type { Codec } from '../../../../templates/runtime/contract/codec.ts';
import type { Direction, Form, NoForm, Place } from './form.ts';

/** A named type, described once and referred to. */
export interface Described {
  /** Separates types with the same name. */
  type: object;
  wish: string;
  /** Absent for a recursive type without a name, and for definitions of a `@schema`. */
  symbol: ts.Symbol | undefined;
  direction: Direction;
  /** Absent while a recursive type is being read. */
  form?: Form | NoForm;
  /** All references, which get the name when all names are known. */
  references: { $ref?: string }[];
  codecReferences: (Codec & { kind: 'ref' })[];
}

export interface Definition extends Described {
  type: ts.Type;
  /** The place of the declaration. */
  place: Place;
  /** Whether the codec changes values, for each direction; absent until that is known. */
  does?: Record<Direction, boolean>;
}
