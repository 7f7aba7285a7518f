/** Runs a server straight from its model, with the very runtime that emitted projects carry. */
import { join } from 'node:path';
import type { ChangedList } from '../../templates/runtime/core/replace-server.ts';
import type { ServerDefinition } from '../../templates/runtime/definition.ts';
import type { Watch } from '../../templates/runtime/main/process-context.ts';
import { noteFile } from '../diagnostics/running-code.ts';
import { type Served, ServedFiles } from './served-files.ts';

/** Puts another server in the place of the one that runs. Rejects when it can't be served; then the old one stays. */
export type Replace = (next: Served) => Promise<ChangedList[]>;

/** The process that a server takes over. */
export interface Serving {
  process: NodeJS.Process;
  /** Gives up what the command has diverted in it. */
  release: () => void;
}

/**
 * Serves until the client goes or the process is told to stop. `args` are the server's. Resolves to the exit code.
 *
 * @param begun called when the server is there, before its first message is read; with it the server may be replaced
 */
export async function serveModel(
  served: Served,
  args: readonly string[],
  { process: host, release }: Serving,
  begun?: (replace: Replace) => void,
): Promise<number> {
  const { run } = await import('../../templates/runtime/main/run.ts');
  release();
  // An error of the user's code shows where it stands in what he wrote.
  if (served.app !== undefined) host.setSourceMapsEnabled(true);
  const files = new ServedFiles();
  host.once('exit', () => files.remove());
  host.argv.splice(2, host.argv.length, ...args);
  const { root = '', files: code = [] } = served.app ?? {};
  for (const { path, built } of code) if (built) noteFile(join(root, path.replace(/^src\/app\//, '')));
  const load = async (): Promise<{ server: ServerDefinition }> => ({ server: await files.write(served) });
  if (begun === undefined) return run(load, host);
  const { replaceServer } = await import('../../templates/runtime/core/replace-server.ts');
  const watch: Watch = (live, open) => {
    begun(async (next) => replaceServer(live, await open(await files.write(next), live.current)));
  };
  return run(load, host, { watch });
}
