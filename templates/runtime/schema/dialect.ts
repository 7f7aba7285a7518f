/** Which keywords a schema's `$schema` puts in force (JSON Schema Core, section 8.1). */
import { isRecord } from '../contract/json-value.ts';

export interface Dialect {
  applicator: boolean;
  unevaluated: boolean;
  validation: boolean;
}

export const dialect2020: Dialect = { applicator: true, unevaluated: true, validation: true };

const metaSchema = 'https://json-schema.org/draft/2020-12/schema';
const vocabularyPrefix = 'https://json-schema.org/draft/2020-12/vocab/';
const knownVocabularies = new Set(
  ['core', 'applicator', 'unevaluated', 'validation', 'meta-data', 'format-annotation', 'content'].map(
    (name) => vocabularyPrefix + name,
  ),
);

/** Whether this is the URI of JSON Schema 2020-12 itself. */
export function is2020(uri: string): boolean {
  return uri === metaSchema || uri === `${metaSchema}#`;
}

/**
 * Reads the dialect a meta-schema describes; undefined when it builds on another draft, or demands a
 * vocabulary that is unknown here.
 */
export function readDialect(meta: unknown): Dialect | undefined {
  if (!isRecord(meta) || typeof meta.$schema !== 'string' || !is2020(meta.$schema)) return undefined;
  const vocabulary = meta.$vocabulary;
  if (!isRecord(vocabulary)) return dialect2020;
  const required = Object.keys(vocabulary).filter((uri) => vocabulary[uri] === true);
  if (!required.every((uri) => knownVocabularies.has(uri))) return undefined;
  const has = (name: string): boolean => Object.hasOwn(vocabulary, vocabularyPrefix + name);
  return { applicator: has('applicator'), unevaluated: has('unevaluated'), validation: has('validation') };
}
