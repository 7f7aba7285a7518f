import type { ts } from 'ts-morph';
import type { Codec } from '../../../../templates/runtime/contract/codec.ts';
import type { Direction, Form, NoForm, Place } from './form.ts';

/** A type that has a name, is described once, and is referred to. */
export interface Described {
  /** Separates types that have the same name. */
  type: object;
  /** The preferred name. */
  wish: string;
  /** Where it is declared; absent for a type without a name that contains itself, and for what a `@schema` defines. */
  symbol: ts.Symbol | undefined;
  direction: Direction;
  /** Absent while it is being read: a type that contains itself. */
  form?: Form | NoForm;
  /** Everything that refers to it; they get its name when all names are known. */
  references: { $ref?: string }[];
  codecReferences: (Codec & { kind: 'ref' })[];
}

/** A type of the program. */
export interface Definition extends Described {
  type: ts.Type;
  /** Where it is declared, as a place. */
  place: Place;
  /** Whether its codec does something, as arguments are revived and as results are written; absent until it is known. */
  does?: Record<Direction, boolean>;
}
