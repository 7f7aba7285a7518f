import type { Stage } from '../compile.ts';
import type { GenerateOptions, Generation } from '../generate.ts';
import type { ReportFlags } from './flags.ts';
import { generationOutcome } from './generation-outcome.ts';
import type { Host } from './host.ts';
import type { Outcome } from './outcome.ts';
import { startProgress } from './progress.ts';

/** Runs a generation of `subject` (a source, or a project's folder) with progress and a clock, and says what came of it. */
export async function runGeneration(
  subject: string,
  options: Pick<GenerateOptions, 'check' | 'dryRun'> & { watch?: boolean },
  flags: ReportFlags,
  host: Host,
  work: (run: { onStage: (stage: Stage) => void }) => Promise<Generation>,
): Promise<Outcome> {
  const { watch = false, ...how } = options;
  if (watch) {
    const { watchGeneration } = await import('./watch-generation.ts');
    return watchGeneration(subject, { ...how, ...flags }, host, work);
  }
  const begun = host.now();
  const progress = startProgress(subject, flags, host);
  try {
    const generation = await work({ onStage: progress.onStage });
    return await generationOutcome(generation, { ...how, ...flags }, host.now() - begun, host);
  } finally {
    progress.done();
  }
}
