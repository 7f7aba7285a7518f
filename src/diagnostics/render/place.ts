/** Line and column are found only for what is printed: a walk through a 13 MB document per diagnostic is not free. */
import type { Origin } from '../../model/origin.ts';
import { definedMembers } from '../../util/defined-members.ts';

/** Where an origin stands in the text of its file. */
interface TextPosition {
  line: number;
  column: number;
  length: number;
}

/** What the renderers ask of a run. */
export interface Places {
  /** `undefined` when the text is not at hand or the place is not in it. */
  locate: (origin: Origin) => TextPosition | undefined;
  textOf: (file: string) => string | undefined;
}

/** For diagnostics that have no source at all. */
export const noPlaces: Places = { locate: () => undefined, textOf: () => undefined };

/** An origin with its position, as far as it is known. */
export interface ResolvedPlace {
  file: string;
  pointer?: string;
  position?: TextPosition;
}

export function resolvePlace(origin: Origin, places: Places): ResolvedPlace {
  if (origin.kind === 'code') {
    const { file, line, column } = origin;
    return { file, position: { line, column, length: 1 } };
  }
  const position = places.locate(origin);
  return { file: origin.file, pointer: origin.pointer, ...definedMembers({ position }) };
}

/** `petstore.yaml:19:20`, or just the file. */
export function placeLabel({ file, position }: ResolvedPlace): string {
  return position === undefined ? file : `${file}:${position.line}:${position.column}`;
}
