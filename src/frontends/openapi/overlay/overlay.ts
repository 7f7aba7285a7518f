/** An OpenAPI Overlay (specification 1.0 and 1.1): changes to a document, in order. */
import type { DocumentOrigin } from '../../../model/origin.ts';
import { escapeToken } from '../reference/json-pointer.ts';

export interface Overlay {
  file: string;
  /** The document it was written for; absent if it names none, or no valid URI. */
  extends?: string;
  actions: readonly Action[];
}

/** One change of all places that `target` selects. */
export type Action = {
  /** A JSONPath query (RFC 9535). */
  target: string;
  at: DocumentOrigin;
} & Change;

export type Change =
  | { kind: 'update'; value: unknown }
  /** `from` is a JSONPath query that selects one place of the document. */
  | { kind: 'copy'; from: string }
  | { kind: 'remove' }
  /** It says neither. */
  | { kind: 'none' };

/** Explains an impossible action as a clause without a full stop. */
export class OverlayMisfit extends Error {}

/** The query is valid, but too expensive. */
export class OverlayTooCostly extends OverlayMisfit {}

export function within(origin: DocumentOrigin, token: string | number): DocumentOrigin {
  return { ...origin, pointer: `${origin.pointer}/${escapeToken(String(token))}` };
}
