import v8 from 'node:v8';

/** Flags by V8's major version: four times the engine's defaults. */
const patience: Record<string, readonly string[]> = {
  // Node 20
  '11': ['--interrupt-budget=270336'],
  // Node 22
  '12': ['--invocation-count-for-maglev=1600', '--invocation-count-for-turbofan=12000'],
  // Node 24
  '13': ['--invocation-count-for-maglev=1600', '--invocation-count-for-turbofan=12000'],
};

/**
 * Lets V8 optimise functions later, since a run ends before most of that work pays off (figures: docs/adr/0044). Runs with
 * `--watch` last longer and keep the defaults.
 */
export function tuneEngine(): void {
  for (const flag of engineFlags(process.versions.v8)) v8.setFlagsFromString(flag);
}

/** An unlisted version gets no flags: V8 prints a warning for each flag that it does not know. */
export function engineFlags(version: string): readonly string[] {
  const [major = ''] = version.split('.');
  return patience[major] ?? [];
}
