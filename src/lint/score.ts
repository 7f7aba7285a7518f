/** Scores of a server and its tools, from the findings. */
import type { Diagnostic } from '../diagnostics/collector.ts';
import { toolsToList } from '../model/listed-tools.ts';
import type { ServerModel, Tool } from '../model/server-model.ts';
import type { Finding } from './rule.ts';
import { COMPILED_COSTS, RULES } from './rules.ts';

export interface ToolScore {
  name: string;
  /** 0 to 100. */
  score: number;
  /** Names of the rules that took points. */
  findings: string[];
}

export interface Scores {
  /** 0.6 of the mean and 0.4 of the lowest score (Glama, Tool Definition Quality Score, read 2026-11). */
  score: number;
  /** With a search surface, of the tools that are listed beside those that search; absent without any. */
  listedScore?: number;
  tools: ToolScore[];
}

const MEAN = 0.6;
const LOWEST = 0.4;

/** `found` are the diagnostics of compiling. */
export function scoreTools(
  model: ServerModel,
  findings: readonly Finding[],
  diagnostics: readonly Diagnostic[],
): Scores {
  const { tools } = model;
  const lost = new Map(tools.map(({ name }) => [name, new Map<string, number>()]));
  const most = new Map<string, number>(RULES.map(({ name, cost }) => [name, cost]));
  for (const { rule, tools: names, cost = most.get(rule) ?? 0 } of findings)
    for (const name of names) subtractPoints(lost.get(name), rule, cost, most.get(rule) ?? 0);
  for (const { name: rule, origin } of diagnostics) {
    const cost = COMPILED_COSTS[rule];
    const tool = cost === undefined ? undefined : tools.find((tool) => isPlaceInTool(tool, origin));
    if (cost !== undefined && tool !== undefined) subtractPoints(lost.get(tool.name), rule, cost, cost);
  }
  const scores = tools.map(({ name }) => {
    const costs = [...(lost.get(name) ?? [])].filter(([, cost]) => cost > 0);
    const score = roundScore(Math.max(0, 100 - costs.reduce((sum, [, cost]) => sum + cost, 0)));
    return { name, score, findings: costs.map(([rule]) => rule) };
  });
  const all = { score: averageScores(scores.map(({ score }) => score)), tools: scores };
  const names = new Set(toolsToList(model).map(({ name }) => name));
  if (names.size === 0 || names.size === tools.length) return all;
  const listed = scores.filter(({ name }) => names.has(name)).map(({ score }) => score);
  return { ...all, listedScore: averageScores(listed) };
}

function subtractPoints(
  lost: Map<string, number> | undefined,
  rule: string,
  cost: number,
  highestCost: number,
): void {
  lost?.set(rule, Math.min(highestCost, (lost.get(rule) ?? 0) + cost));
}

/** A server without tools has nothing to improve. */
export function averageScores(scores: readonly number[]): number {
  if (scores.length === 0) return 100;
  const mean = scores.reduce((sum, score) => sum + score, 0) / scores.length;
  const lowest = scores.reduce((least, score) => Math.min(least, score), 100);
  return roundScore(MEAN * mean + LOWEST * lowest);
}

function roundScore(score: number): number {
  return Math.round(score * 10) / 10;
}

/** Whether a place is the tool's, or inside of it. */
export function isPlaceInTool({ origin }: Tool, place: Diagnostic['origin']): boolean {
  if (place === undefined || place.file !== origin.file) return false;
  if (origin.kind === 'code' || place.kind === 'code')
    return JSON.stringify(origin) === JSON.stringify(place);
  return place.pointer === origin.pointer || place.pointer.startsWith(`${origin.pointer}/`);
}
