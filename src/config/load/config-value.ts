/** The text of a configuration as a value, in whichever form a person has written it. */
import { type LineColumn, lineColumnOf } from '../../diagnostics/locate/line-column.ts';
import { type LoadFailure, hasFailed } from '../../frontends/openapi/load/load-failure.ts';
import type { ParsedText } from '../../frontends/openapi/load/parsed-text.ts';
import type { Observer } from '../../model/observer.ts';

/** Why a text is no value. */
export interface ValueProblem {
  /** Ends the sentence that names the file. */
  problem: string;
  place?: LineColumn;
}

/** Bounds the nesting of a configuration; whatever nests deeper is something else. */
const MAX_DEPTH = 50;
const CONFLICT = /^<{7} .*$/m;

/** `path` is the file's, absolute. */
export async function configValue(
  path: string,
  text: string,
  observer?: Observer,
): Promise<{ value: unknown } | { problems: ValueProblem[] }> {
  const conflict = CONFLICT.exec(text);
  if (conflict !== null) {
    const problem = 'it has the marks of a merge conflict; keep one side of each, and delete the marks';
    return { problems: [{ problem, place: lineColumnOf(text, conflict.index) }] };
  }
  const end = /\.(json|ya?ml)$/.exec(path)?.[1];
  if (end !== undefined) return parsedValue(text, path, end === 'json');
  const { runConfig } = await import('./run-config.ts');
  const ran = await runConfig(path, text, observer);
  return 'problem' in ran ? { problems: [ran] } : ran;
}

async function parsedValue(
  text: string,
  path: string,
  isJson: boolean,
): Promise<{ value: unknown } | { problems: ValueProblem[] }> {
  const parsed = await (isJson ? parsedJson : parsedYaml)(text, path);
  if (hasFailed(parsed)) return { problems: [{ problem: parsed.reason, ...placeOf(parsed) }] };
  const { value, duplicateKeys = [] } = parsed;
  if (duplicateKeys.length === 0) return { value };
  return {
    problems: duplicateKeys.map(({ key, offset }) => ({
      problem: `it has ${JSON.stringify(key)} twice in one object`,
      place: lineColumnOf(text, offset),
    })),
  };
}

async function parsedJson(text: string, path: string): Promise<ParsedText | LoadFailure> {
  const { parseJson } = await import('../../frontends/openapi/load/parse-json.ts');
  // A space keeps the places as they are.
  return parseJson(text.replace(/^\ufeff/, ' '), path, { jsonDepth: MAX_DEPTH, duplicateKeys: Infinity });
}

async function parsedYaml(text: string, path: string): Promise<ParsedText | LoadFailure> {
  const { parseYaml } = await import('../../frontends/openapi/load/parse-yaml.ts');
  return parseYaml(text, path, MAX_DEPTH);
}

function placeOf(failure: LoadFailure): { place?: LineColumn } {
  let place: LineColumn | undefined;
  failure.report((_name, _parameters, { at } = {}) => {
    if (at?.kind === 'code') place = { line: at.line, column: at.column };
  });
  return place === undefined ? {} : { place };
}
