/** `mcpgen serve --watch`: compiles again when a source changes, and replaces the running server. */
import type { Flags } from '../config/options/option-types.ts';
import { DiagnosticCollector } from '../diagnostics/collector.ts';
import type { Observer } from '../model/observer.ts';
import { watchFiles } from '../watch/watch.ts';
import { type Compiled, compileForServing } from './compiled-outcome.ts';
import { EXIT, type Outcome, outcomeWithoutSource, successOutcome } from './outcome.ts';
import type { Host } from './host.ts';
import { formatItemCounts, Rounds } from './rounds.ts';
import { serving } from './guard.ts';
import { type Replace, type ServedModel, serveModel } from '../serve/serve-model.ts';
import type { SourceOptions } from './sources.ts';

/** Reads the options; resolves to `undefined` after an error. */
export type ReadOptions = (
  diagnostics: DiagnosticCollector,
  observer?: Observer,
) => Promise<SourceOptions | undefined>;

export interface WatchedServer {
  readOptions: ReadOptions;
  args: readonly string[];
  /** Whether a failed first compilation waits for a change of the sources, instead of ending the command. */
  waits: boolean;
}

/** Resolves when the server has ended, or could not start. */
export async function serveWatching(
  { readOptions, args, waits }: WatchedServer,
  flags: Flags,
  host: Host,
): Promise<Outcome> {
  const ended = new AbortController();
  const rounds = new Rounds(flags, host, 'stderr');
  let server: Promise<number> | undefined;
  let replace: Promise<Replace> | undefined;
  let failed: Outcome | undefined;
  const start = (served: ServedModel): void => {
    replace = new Promise((resolve) => {
      server = serveModel(served, args, serving, resolve).finally(() => ended.abort());
    });
  };
  await watchFiles(
    async ({ changed, observer }) => {
      const begun = host.now();
      const { outcome, served } = await compileServed(readOptions, flags, { observer }, host);
      const stays = server === undefined ? 'no server is running yet' : 'the server continues unchanged';
      const phrases = [served === undefined ? stays : formatItemCounts(served.model)];
      const report = (more: readonly string[]): void =>
        rounds.reportRound({
          changed,
          outcome,
          phrases: [...phrases, ...more],
          milliseconds: host.now() - begun,
        });
      if (served === undefined) {
        if (server === undefined && !waits) failed = outcome;
        else report([]);
        if (failed !== undefined) return 'end';
        if (changed.length === 0) host.stderr.write('  Waiting for a change; Ctrl-C stops.\n');
        return false;
      }
      if (replace === undefined) {
        report([]);
        start(served);
        return true;
      }
      return await tryReplace(await replace, served, report, host);
    },
    AbortSignal.any([host.signal, ended.signal]),
  );
  const exitCode = (await server) ?? EXIT.fine;
  return failed ?? { ...successOutcome(null), exitCode };
}

async function tryReplace(
  replace: Replace,
  served: ServedModel,
  report: (phrases: readonly string[]) => void,
  host: Host,
): Promise<boolean> {
  try {
    const changed = await replace(served);
    report(changed.length === 0 ? [] : [`notified clients of ${changed.join(' and ')}`]);
    return true;
  } catch (thrown) {
    const reason = thrown instanceof Error ? thrown.message : String(thrown);
    host.stderr.write(`The server goes on with what it had: ${reason}\n`);
    return false;
  }
}

async function compileServed(
  readOptions: ReadOptions,
  flags: Flags,
  run: { observer: Observer },
  host: Host,
): Promise<Compiled> {
  const diagnostics = new DiagnosticCollector();
  const options = await readOptions(diagnostics, run.observer);
  if (options === undefined) return { outcome: outcomeWithoutSource(diagnostics) };
  return compileForServing({ ...options, ...run }, flags, host);
}
