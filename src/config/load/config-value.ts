/** Reads the text of a configuration: JSON with comments, or a module. */
import { stripComments } from 'jsonc-parser';

import { type LineColumn, toLineColumn } from '../../util/text-lines.ts';
import { type LoadFailure, isLoadFailure } from '../../frontends/openapi/load/load-failure.ts';
import type { Observer } from '../../model/observer.ts';
import type { Fault } from '../options/shape.ts';

export interface ValueProblem {
  problem: string;
  place?: LineColumn;
}

/** Deepest nesting: no configuration is deeper. */
const MAX_DEPTH = 50;
const CONFLICT = /^<{7} .*$/m;

export async function parseConfigText(
  path: string,
  text: string,
  observer?: Observer,
): Promise<{ value: unknown } | { problems: ValueProblem[] }> {
  const conflict = CONFLICT.exec(text);
  if (conflict !== null) {
    const problem = 'it has the marks of a merge conflict; keep one side of each, and delete the marks';
    return { problems: [{ problem, place: toLineColumn(text, conflict.index) }] };
  }
  if (path.endsWith('.json')) return parseJsonConfig(text, path);
  const { runConfig } = await import('./run-module.ts');
  const ran = await runConfig(path, text, observer);
  return 'problem' in ran ? { problems: [ran] } : ran;
}

async function parseJsonConfig(
  text: string,
  path: string,
): Promise<{ value: unknown } | { problems: ValueProblem[] }> {
  const { parseJson } = await import('../../frontends/openapi/load/parse-json.ts');
  // Spaces in the place of comments and the byte order mark keep the positions.
  const parsed = parseJson(stripComments(text.replace(/^\ufeff/, ' '), ' '), path, { jsonDepth: MAX_DEPTH });
  if (isLoadFailure(parsed))
    return { problems: [{ problem: parsed.reason, ...findFailurePosition(parsed) }] };
  const { value, duplicateKeys = [] } = parsed;
  if (duplicateKeys.length === 0) return { value };
  return {
    problems: duplicateKeys.map(({ key, offset }) => ({
      problem: `it has ${JSON.stringify(key)} twice in one object`,
      place: toLineColumn(text, offset),
    })),
  };
}

function findFailurePosition(failure: LoadFailure): { place?: LineColumn } {
  let place: LineColumn | undefined;
  failure.report((_name, _parameters, { at } = {}) => {
    if (at?.kind === 'code') place = { line: at.line, column: at.column };
  });
  return place === undefined ? {} : { place };
}

/** Finds the positions of members in JSON; for a missing member that of its deepest existing parent. Code has none. */
export async function createPlaceFinder(
  name: string,
  text: string,
): Promise<(fault: Pick<Fault, 'path' | 'key'>) => LineColumn | undefined> {
  if (!name.endsWith('.json')) return () => undefined;
  const { JsonIndex } = await import('../../diagnostics/locate/json-index.ts');
  const index = new JsonIndex(text);
  return ({ path, key }) => {
    const tokens = [...path, ...[key ?? []].flat()].map(String);
    return toLineColumn(text, index.find(tokens, key === undefined ? 'value' : 'key').start);
  };
}
