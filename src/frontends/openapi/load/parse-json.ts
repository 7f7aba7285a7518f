import { lineColumnOf } from '../../../diagnostics/locate/line-column.ts';
import type { DocumentLimits } from './document-limits.ts';
import { isDeeper } from './json-depth.ts';
import { findDuplicateKeys } from './json-keys.ts';
import { type JsonSyntaxError, findJsonSyntaxError } from '../../../diagnostics/locate/json-syntax.ts';
import { type LoadFailure, loadFailure, tooDeep } from './load-failure.ts';
import type { ParsedText } from './parsed-text.ts';

type JsonLimits = Pick<DocumentLimits, 'jsonDepth' | 'duplicateKeys'>;

/**
 * Parses JSON with `JSON.parse`; a syntax error comes back with its place. Duplicate keys are looked for in texts of
 * up to `duplicateKeys` characters.
 */
export function parseJson(text: string, source: string, limits: JsonLimits): ParsedText | LoadFailure {
  const parsed = parse(text);
  if (parsed === undefined) return describe(findJsonSyntaxError(text), text, source);
  if (isDeeper(parsed.value, limits.jsonDepth)) return tooDeep(source, limits.jsonDepth);
  const duplicateKeys = text.length > limits.duplicateKeys ? [] : findDuplicateKeys(text, parsed.value);
  return { value: parsed.value, format: 'json', ...(duplicateKeys.length === 0 ? {} : { duplicateKeys }) };
}

function parse(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
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
