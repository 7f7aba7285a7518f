import type { DocumentLimits } from './document-limits.ts';
import { type LoadFailure, hasFailed } from './load-failure.ts';
import { parseJson } from './parse-json.ts';
import { parseYaml } from './parse-yaml.ts';
import type { ParsedText } from './parsed-text.ts';

type TextLimits = Pick<DocumentLimits, 'depth' | 'jsonDepth' | 'duplicateKeys'>;

/** Texts that begin with a bracket are JSON, else YAML. A `.yaml` file may also begin like JSON. */
export function parseText(text: string, source: string, limits: TextLimits): ParsedText | LoadFailure {
  // An HTML page is reported as such rather than as a syntax error.
  if (/^\s*</.test(text)) return { value: text, format: 'yaml' };
  if (!/^\s*[{[]/.test(text)) return parseYaml(text, source, limits.depth);
  const json = parseJson(text, source, limits);
  if (!hasFailed(json) || !/\.ya?ml$/i.test(source)) return json;
  const yaml = parseYaml(text, source, limits.depth);
  return hasFailed(yaml) ? json : yaml;
}
