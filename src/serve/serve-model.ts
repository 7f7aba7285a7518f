/** Runs a server from its model, with the same runtime as in emitted projects. */
import { join } from 'node:path';
import type { ChangedList } from '../../templates/runtime/core/replace-server.ts';
import type { ServerDefinition } from '../../templates/runtime/definition.ts';
import type { Watch } from '../../templates/runtime/main/process-context.ts';
import { noteFile } from '../diagnostics/running-code.ts';
import { type Served, ServedFiles } from './served-files.ts';

/** Replaces the running server. Rejects if the next one cannot be served; the old one then stays. */
export type Replace = (next: Served) => Promise<ChangedList[]>;

/** The process that a server takes over. */
export interface Serving {
  process: NodeJS.Process;
  /** Ends the command's diversion of stdout and its guard. */
  release: () => void;
}

/**
 * Serves until the client disconnects or a signal stops the process. `args` are for the server. Resolves to the exit code.
 *
 * @param begun receives the function that replaces the server, before the first message is read
 */
export async function serveModel(
  served: Served,
  args: readonly string[],
  { process: host, release }: Serving,
  begun?: (replace: Replace) => void,
): Promise<number> {
  const { run } = await import('../../templates/runtime/main/run.ts');
  release();
  // Stack traces then point into the user's source.
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
