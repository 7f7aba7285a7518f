/** Bounds on the work and the size of one sample. */
export const sampleLimits = {
  /** Values inside one another. A place deeper than this has no sample. */
  depth: 40,
  /** Levels at which `full` still adds the members that are not required. */
  fullDepth: 4,
  /** Members that `full` adds to all objects together, beside the required ones. */
  fullMembers: 400,
  /** Times one schema may be entered from within itself. */
  repeats: 2,
  /** Places sampled, and values tried, until none is found. */
  work: 20_000,
  /** Items of an array, and UTF-16 code units of a text, that a schema may demand; more has no sample. */
  size: 10_000,
  /** Texts made from one pattern until one fits it. */
  patternTries: 60,
} as const;
