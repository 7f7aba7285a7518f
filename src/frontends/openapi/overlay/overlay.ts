/** An OpenAPI Overlay (specification 1.0 and 1.1): changes to a document, in order. */
import type { DocumentOrigin } from '../../../model/origin.ts';
import { escapeToken } from '../reference/json-pointer.ts';

export interface Overlay {
  /** As origins name it. */
  file: string;
  /** The document it was written for, as an absolute URI; absent when it does not say, or the text is no URI. */
  extends?: string;
  actions: readonly Action[];
}

/** One change, of every place that `target` selects. */
export type Action = {
  /** A JSONPath query (RFC 9535). */
  target: string;
  /** Where the action stands. */
  at: DocumentOrigin;
} & Change;

export type Change =
  | { kind: 'update'; value: unknown }
  /** `from` is a JSONPath query that selects one place of the document. */
  | { kind: 'copy'; from: string }
  | { kind: 'remove' }
  /** It says neither. */
  | { kind: 'none' };

/** Why an action cannot be carried out, as a clause without a full stop. */
export class OverlayMisfit extends Error {}

/** Why a query is not carried to its end: nothing is wrong with it, but it takes too much work. */
export class OverlayTooCostly extends OverlayMisfit {}

/** The place of a member of what stands at `origin`. */
export function within(origin: DocumentOrigin, token: string | number): DocumentOrigin {
  return { ...origin, pointer: `${origin.pointer}/${escapeToken(String(token))}` };
}
