import type { ReportOptions } from '../config/options/option-types.ts';
import type { ServerGeneration } from '../api/check.ts';
import type { Stage } from '../api/compile.ts';
import type { GenerateOptions, Generation } from '../api/generate.ts';
import { combinedOutcome, type ServerOutcome } from './combined-outcome.ts';
import { generationOutcome } from './generation-outcome.ts';
import type { Host } from './host.ts';
import type { Outcome } from './outcome.ts';
import { startProgress } from './progress.ts';
import type { WatchedRun } from './watch-generation.ts';

/** Runs a generation of `subject` (a source, or a project's folder) with progress and a clock, and says what came of it. */
export async function runGeneration(
  subject: string,
  options: RunOptions,
  flags: ReportOptions,
  host: Host,
  work: (run: WatchedRun | FirstRun) => Promise<Generation>,
): Promise<Outcome> {
  return runGenerations(subject, options, flags, host, async function* (run) {
    yield await work(run);
  });
}

type RunOptions = Pick<GenerateOptions, 'check' | 'dryRun'> & { watch?: boolean };

interface FirstRun {
  onStage: (stage: Stage) => void;
}

/** `runGeneration` for the servers of a configuration, one after the other. */
export async function runGenerations(
  subject: string,
  options: RunOptions,
  flags: ReportOptions,
  host: Host,
  work: (run: WatchedRun | FirstRun) => AsyncIterable<ServerGeneration>,
): Promise<Outcome> {
  const { watch = false, ...how } = options;
  if (watch) {
    const { watchGeneration } = await import('./watch-generation.ts');
    return watchGeneration(subject, { ...how, ...flags }, host, work);
  }
  let begun = host.now();
  const progress = startProgress(subject, flags, host);
  const outcomes: ServerOutcome[] = [];
  try {
    for await (const generation of work({ onStage: progress.onStage })) {
      const outcome = await generationOutcome(generation, { ...how, ...flags }, host.now() - begun, host);
      const { server } = generation;
      outcomes.push({ outcome, ...(server && { server }) });
      begun = host.now();
    }
    return combinedOutcome(outcomes, host, true);
  } finally {
    progress.done();
  }
}
