import type { Flags } from '../config/options/option-types.ts';
import { DiagnosticCollector } from '../diagnostics/collector.ts';
import { pickOptions } from '../config/options/rows.ts';
import type { ServerGeneration } from '../api/check.ts';
import type { CompileOptions, ProjectOptions, Stage } from '../api/options.ts';
import { omitUndefined } from '../util/collections.ts';
import { type Outcome, type ServerOutcome, combineOutcomes, outcomeWithoutSource } from './outcome.ts';
import {
  makeCompileOptions,
  makeFunctionOptions,
  pickRunOptions,
  pickWriteOptions,
  printCommandLine,
  readPermissions,
} from './compile-options.ts';
import type { Host } from './host.ts';
import { startProgress } from './progress.ts';
import type { WatchedRun } from './watch-generation.ts';

export async function runOpenapi(source: string, flags: Flags, host: Host): Promise<Outcome> {
  const diagnostics = new DiagnosticCollector();
  const options = await makeCompileOptions(source, flags, host, diagnostics);
  return options === undefined
    ? outcomeWithoutSource(diagnostics)
    : runGeneration(source, options, flags, host);
}

export async function runTs(files: string[], flags: Flags, host: Host): Promise<Outcome> {
  const options = makeFunctionOptions(files, flags, host);
  return runGeneration(options.source, options, flags, host);
}

interface FirstRun {
  onStage: (stage: Stage) => void;
  onRemoval: (dir: string, paths: readonly string[]) => void;
}

async function runGeneration(
  source: string,
  options: CompileOptions,
  flags: Flags,
  host: Host,
): Promise<Outcome> {
  const { generate } = await import('../api/generate.ts');
  const target = { ...pickWriteOptions(flags), command: printCommandLine(host), env: host.env };
  return runGenerations(source, flags, host, async function* (run) {
    yield await generate({ ...options, ...target, ...run });
  });
}

export async function runRegeneration(
  dir: string,
  flags: Flags,
  runOptions: Pick<ProjectOptions, 'addTargets'>,
  host: Host,
): Promise<Outcome> {
  const { regenerateEach } = await import('../api/check.ts');
  const options = {
    ...pickRunOptions(host, flags),
    ...readPermissions(flags, host),
    ...pickOptions(flags, 'run'),
    ...omitUndefined({ output: flags.output, server: flags.server, addFeatures: flags.features }),
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
