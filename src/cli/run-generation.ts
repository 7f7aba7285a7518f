import type { Flags } from '../config/options/option-types.ts';
import { pickOptions } from '../config/options/rows.ts';
import type { ServerGeneration } from '../api/check.ts';
import type { Generation, ProjectOptions, Stage } from '../api/options.ts';
import { omitUndefined } from '../util/collections.ts';
import { type Outcome, type ServerOutcome, combineOutcomes } from './outcome.ts';
import { readPermissions, pickRunOptions } from './compile-options.ts';
import type { Host } from './host.ts';
import { startProgress } from './progress.ts';
import type { WatchedRun } from './watch-generation.ts';

interface FirstRun {
  onStage: (stage: Stage) => void;
  onRemoval: (dir: string, paths: readonly string[]) => void;
}

export async function runGeneration(
  source: string,
  flags: Flags,
  host: Host,
  generate: (run: WatchedRun | FirstRun) => Promise<Generation>,
): Promise<Outcome> {
  return runGenerations(source, flags, host, async function* (run) {
    yield await generate(run);
  });
}

export async function runRegeneration(
  dir: string,
  flags: Flags,
  runOptions: Pick<ProjectOptions, 'skip' | 'addTargets' | 'fetch'>,
  host: Host,
): Promise<Outcome> {
  const { regenerateEach } = await import('../api/check.ts');
  const options = {
    ...pickRunOptions(host, flags),
    ...readPermissions(flags, host),
    ...pickOptions(flags, 'run'),
    ...omitUndefined({ output: flags.output, server: flags.server }),
    ...runOptions,
    env: host.env,
  };
  return runGenerations(dir, flags, host, (run) => regenerateEach(dir, { ...options, ...run }));
}

async function runGenerations(
  subject: string,
  flags: Flags,
  host: Host,
  generate: (run: WatchedRun | FirstRun) => AsyncIterable<ServerGeneration>,
): Promise<Outcome> {
  if (flags.watch === true) {
    const { watchGeneration } = await import('./watch-generation.ts');
    return watchGeneration(subject, flags, host, generate);
  }
  const { createRemovalNotice, generationOutcome } = await import('./generation-outcome.ts');
  let begun = host.now();
  const progress = startProgress(subject, flags, host);
  const onRemoval = createRemovalNotice(flags, host);
  const outcomes: ServerOutcome[] = [];
  try {
    for await (const generation of generate({ onStage: progress.onStage, onRemoval })) {
      const outcome = await generationOutcome(generation, flags, host.now() - begun, host);
      outcomes.push({ outcome, server: generation.server });
      begun = host.now();
    }
    return combineOutcomes(outcomes, host, true);
  } finally {
    progress.done();
  }
}
