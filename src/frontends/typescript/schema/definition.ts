import type { ts } from 'ts-morph';
import type { Codec } from '../../../../templates/runtime/functions/codec.ts';
import type { Direction, Form, NoForm, Place } from './form.ts';

/** A type that is described once, under a name, and referred to. */
export interface Definition {
  type: ts.Type;
  /** What it would be called, if nothing else were. */
  wish: string;
  /** Where it is declared; absent for a type without a name that contains itself. */
  symbol: ts.Symbol | undefined;
  direction: Direction;
  /** Where it is declared, as a place. */
  place: Place;
  /** Absent while it is being read: a type that contains itself. */
  form?: Form | NoForm;
  /** Whether its codec does something, as arguments are revived and as results are written; absent until it is known. */
  does?: Record<Direction, boolean>;
  /** Everything that refers to it; they get its name when all names are known. */
  references: { $ref?: string }[];
  codecReferences: (Codec & { kind: 'ref' })[];
}
