/** `--watch` of the commands that write a project. */
import type { Flags } from '../config/options/option-types.ts';
import type { Stage } from '../api/options.ts';
import type { ServerGeneration } from '../api/check.ts';
import type { Observer } from '../model/observer.ts';
import { EXIT, type Outcome, successOutcome } from './outcome.ts';
import { createRemovalNotice, generationOutcome } from './generation-outcome.ts';
import type { Host } from './host.ts';
import { startProgress } from './progress.ts';
import { formatItemCounts, Rounds } from './rounds.ts';
import { formatCountWithNoun } from './words.ts';

export interface WatchedRun {
  onStage: (stage: Stage) => void;
  onRemoval: (dir: string, paths: readonly string[]) => void;
  observer: Observer;
}

/** Writes the project now and whenever a file of its sources changes, until Ctrl-C. An error leaves it as it was. */
export async function watchGeneration(
  subject: string,
  flags: Flags,
  host: Host,
  generate: (run: WatchedRun) => AsyncIterable<ServerGeneration>,
): Promise<Outcome> {
  const { watchFiles: watch } = await import('../watch/watch.ts');
  const onRemoval = createRemovalNotice(flags, host);
  const rounds = new Map<string, Rounds>();
  const findRounds = (server: string): Rounds => {
    const serverRounds = rounds.get(server) ?? new Rounds(flags, host, 'stdout');
    rounds.set(server, serverRounds);
    return serverRounds;
  };
  const quiet = flags.quiet === true || flags.json === true;
  await watch(async ({ changed, observer }) => {
    let begun = host.now();
    let isFine = true;
    const progress = startProgress(subject, changed.length === 0 ? flags : { quiet: true }, host);
    try {
      for await (const generation of generate({ onStage: progress.onStage, onRemoval, observer })) {
        const milliseconds = host.now() - begun;
        progress.done();
        const outcome = await generationOutcome(generation, flags, milliseconds, host);
        const { server } = generation;
        const description = describeGeneration(generation);
        findRounds(server ?? '').reportRound({
          server,
          changed,
          outcome,
          phrases: description,
          milliseconds,
        });
        isFine &&= outcome.exitCode === EXIT.fine;
        begun = host.now();
      }
    } finally {
      progress.done();
    }
    if (changed.length === 0 && !quiet) host.stderr.write('  Watching for changes; Ctrl-C ends.\n');
    return isFine;
  }, host.signal);
  return successOutcome(null);
}

function describeGeneration({ ok, model, report }: ServerGeneration): string[] {
  if (!ok || model === undefined || report === undefined) return ['the project stays as it was'];
  const count = report.written.length + report.removed.length;
  return [
    formatItemCounts(model),
    count === 0 ? 'no file changed' : `${formatCountWithNoun(count, 'file')} changed`,
  ];
}
