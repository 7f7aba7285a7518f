/** Scenarios that need not pass, and why. */
export interface KnownScenarios {
  scenarios: string[];
  /** The versions of OpenAPI it holds for. Default all. */
  openapi?: string[];
  /** The document can't say what the scenario wants: it does not count. Default false: it counts as a miss. */
  inexpressible?: boolean;
  why: string;
}

export interface Score {
  openapi: string;
  scenarios: number;
  expressible: number;
  passed: number;
  /** Of what can be expressed, 0 to 1. */
  share: number;
  misses: { name: string; reason: string; exclusion?: KnownScenarios }[];
  /** Why the run fails, a line each. */
  faults: string[];
}

export function scoreOf(run: {
  openapi: string;
  scenarios: { name: string }[];
  /** By scenario, what went wrong with its requests. */
  faults: Map<string, string[]>;
  /** Of Spector's coverage file. */
  coverage: Record<string, string>;
  exclusions: KnownScenarios[];
  /** The least share. */
  wanted: number;
}): Score;
