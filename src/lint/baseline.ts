/** Compares scores with those of an earlier report. */
import { isRecord } from '../../templates/runtime/contract/json-value.ts';
import { createDiagnostic, type Diagnostic } from '../diagnostics/collector.ts';
import type { Origin } from '../model/origin.ts';
import type { Scores } from './score.ts';

/** Scores of an earlier report by tool; `score` is the server's. */
export interface Baseline {
  score: number;
  tools: Map<string, number>;
}

/** Reads the report that `lint --json` printed. Returns the reason why it cannot be used. */
export function parseBaselineScores(text: string, server: string): Baseline | string {
  let report: unknown;
  try {
    report = JSON.parse(text);
  } catch {
    return 'it is no JSON';
  }
  const result = isRecord(report) ? report['result'] : undefined;
  if (!isRecord(result)) return 'it has no result of mcpgen lint';
  const all = isRecord(result['servers']) ? Object.values(result['servers']) : [result];
  const own =
    all.find((each) => isRecord(each) && each['name'] === server) ?? (all.length === 1 ? all[0] : undefined);
  if (!isRecord(own) || typeof own['score'] !== 'number' || !Array.isArray(own['tools']))
    return `it has no scores of ${server}`;
  const tools = (own['tools'] as unknown[]).flatMap((tool): [string, number][] =>
    isRecord(tool) && typeof tool['name'] === 'string' && typeof tool['score'] === 'number'
      ? [[tool['name'], tool['score']]]
      : [],
  );
  return { score: own['score'], tools: new Map(tools) };
}

/** New tools have no earlier score, and count in the server's. `origins` are the places of the tools. */
export function findDroppedScores(
  now: Scores,
  before: Baseline,
  allowed: number,
  origins: ReadonlyMap<string, Origin> = new Map(),
): Diagnostic[] {
  const pairs = [
    { subject: 'the server', before: before.score, now: now.score, at: undefined },
    ...now.tools.flatMap(({ name, score }) => {
      const earlier = before.tools.get(name);
      return earlier === undefined
        ? []
        : [{ subject: `\`${name}\``, before: earlier, now: score, at: origins.get(name) }];
    }),
  ];
  return pairs
    .filter((pair) => pair.before - pair.now > allowed)
    .map(({ at, ...pair }) => createDiagnostic('score-dropped', { ...pair, allowed }, { at }));
}
