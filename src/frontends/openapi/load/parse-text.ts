import type { DocumentLimits } from './document-limits.ts';
import { type LoadFailure, hasFailed } from './load-failure.ts';
import { parseJson } from './parse-json.ts';
import { parseYaml } from './parse-yaml.ts';
import type { ParsedText } from './parsed-text.ts';

type TextLimits = Pick<DocumentLimits, 'depth' | 'jsonDepth' | 'duplicateKeys'>;

/**
 * JSON when the first significant character is a bracket, else YAML. A file that calls itself YAML may also be
 * one flow collection, which starts like JSON.
 */
export function parseText(text: string, source: string, limits: TextLimits): ParsedText | LoadFailure {
  // A page for people at the address of a document: its kind says more than a syntax error would.
  if (/^\s*</.test(text)) return { value: text, format: 'yaml' };
  if (!/^\s*[{[]/.test(text)) return parseYaml(text, source, limits.depth);
  const json = parseJson(text, source, limits);
  if (!hasFailed(json) || !/\.ya?ml$/i.test(source)) return json;
  const yaml = parseYaml(text, source, limits.depth);
  return hasFailed(yaml) ? json : yaml;
}
