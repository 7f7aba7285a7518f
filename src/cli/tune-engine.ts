import v8 from 'node:v8';

/** Flags by V8's major version: four times the engine's own patience. */
const patience: Record<string, readonly string[]> = {
  // Node 20
  '11': ['--interrupt-budget=270336'],
  // Node 22
  '12': ['--invocation-count-for-maglev=1600', '--invocation-count-for-turbofan=12000'],
  // Node 24
  '13': ['--invocation-count-for-maglev=1600', '--invocation-count-for-turbofan=12000'],
};

/**
 * Lets V8 wait for longer before it optimises a function: a run ends before most of that work pays (docs/adr/0044 has the figures).
 * A run that watches lasts, so its engine is left alone.
 */
export function tuneEngine(): void {
  for (const flag of engineFlags(process.versions.v8)) v8.setFlagsFromString(flag);
}

/** None for an engine that is not listed: V8 complains on stderr about a flag it does not know. */
export function engineFlags(version: string): readonly string[] {
  const [major = ''] = version.split('.');
  return patience[major] ?? [];
}
