/** Finds line and column only of printed diagnostics, since the search through a large document takes long. */
import type { Origin } from '../../model/origin.ts';
import { omitUndefined } from '../../util/collections.ts';

interface TextPosition {
  line: number;
  column: number;
  length: number;
}

export interface Places {
  /** `undefined` if the text is unknown or does not have the place. */
  locate: (origin: Origin) => TextPosition | undefined;
  textOf: (file: string) => string | undefined;
}

export const noPlaces: Places = { locate: () => undefined, textOf: () => undefined };

export interface ResolvedPlace {
  file: string;
  pointer?: string;
  position?: TextPosition;
}

export function resolveOrigin(origin: Origin, places: Places): ResolvedPlace {
  if (origin.kind === 'code') {
    const { file, line, column } = origin;
    return { file, position: { line, column, length: 1 } };
  }
  const position = places.locate(origin);
  return { file: origin.file, pointer: origin.pointer, ...omitUndefined({ position }) };
}

/** `petstore.yaml:19:20`, or just the file. */
export function formatPlace({ file, position }: ResolvedPlace): string {
  return position === undefined ? file : `${file}:${position.line}:${position.column}`;
}
