import type { Exclusion, Miss } from './exclusions.d.mts';

/** What the calls of some tools came to. */
export interface Counts {
  tools: number;
  calls: number;
  /** One for each call that the judge had something against. */
  misses: unknown[];
}

export interface Judged extends Counts {
  document: string;
  peer?: Counts & { failed?: string };
}

export interface Sum {
  tools: number;
  calls: number;
  valid: number;
  /** 0 to 1. */
  share: number;
}

export interface Summary {
  /** That were counted: those that the judge can judge. */
  documents: number;
  ours: Sum;
  peer: Sum & { documents: number };
  /** Why the run fails, a line each. */
  faults: string[];
}

/** `wanted`: the least share of valid requests, and the least number of documents. */
export function summarize(
  run: { judged: Judged[]; exclusions: Exclusion[]; unknown: Miss[]; unneeded: Exclusion[] },
  wanted: { share: number; documents: number },
): Summary;
