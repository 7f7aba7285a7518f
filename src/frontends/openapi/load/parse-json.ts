import { lineColumnOf } from '../../../diagnostics/locate/line-column.ts';
import { type JsonSyntaxError, findJsonSyntaxError } from './json-syntax.ts';
import { type LoadFailure, loadFailure } from './load-failure.ts';
import type { ParsedText } from './parsed-text.ts';

/** Parses JSON with `JSON.parse`; a syntax error comes back with its place. */
export function parseJson(text: string, source: string): ParsedText | LoadFailure {
  try {
    return { value: JSON.parse(text) as unknown, format: 'json' };
  } catch {
    return describe(findJsonSyntaxError(text), text, source);
  }
}

function describe(error: JsonSyntaxError | undefined, text: string, source: string): LoadFailure {
  const problem = error?.problem ?? 'the engine cannot read it';
  const place = lineColumnOf(text, error?.offset ?? 0);
  return loadFailure('invalid-json', { source, problem }, `it is not valid JSON: ${problem}`, {
    kind: 'code',
    file: source,
    ...place,
  });
}
