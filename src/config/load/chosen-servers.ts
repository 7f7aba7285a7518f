/** The servers of a configuration that a run is about. */
import { join } from 'node:path';
import { suggest } from '../../../templates/runtime/contract/suggest.ts';
import type { ProjectConfig } from '../options/project-config.ts';
import { type NamedServer, serversOf } from '../options/servers.ts';
import { type ConfigRun, readConfig, type ReadConfig } from './read-config.ts';

/** Which project is meant, and with what its configuration is read. */
export interface ProjectRun extends ConfigRun {
  /** The project's folder, in place of what the configuration says. */
  output?: string | undefined;
}

/** One server of a configuration, with what was read beside it. */
export interface ReadServer extends NamedServer, Omit<ReadConfig, 'config'> {
  /** The configuration that it is a server of. */
  whole: ProjectConfig;
}

/** The server that is meant; `undefined`, and reported, where none is. */
export async function readServer(
  dir: string,
  run: ProjectRun,
  taker: string,
): Promise<ReadServer | undefined> {
  const all = (await readServers(dir, run)) ?? [];
  if (all.length < 2) return all[0];
  reportSeveral(all, taker, run);
  return undefined;
}

/** Those that are meant, in the order they are written. `undefined` after an error. */
export async function readServers(dir: string, run: ProjectRun): Promise<ReadServer[] | undefined> {
  const read = await readConfig(dir, run);
  if (read === undefined) return undefined;
  const { config, ...rest } = read;
  const all = serversOf(config);
  const chosen = run.server === undefined ? all : all.filter(({ server }) => server === run.server);
  if (chosen.length > 0) return chosen.map((each) => ({ ...rest, ...each, whole: config }));
  reportUnknown(all, read, run);
  return undefined;
}

function reportUnknown(
  all: readonly NamedServer[],
  { dir, name }: ReadConfig,
  { server: given = '', diagnostics }: ProjectRun,
): void {
  const names = all.flatMap(({ server }) => server ?? []);
  const near = suggest(given, names);
  diagnostics.report('unknown-server', {
    file: join(dir, name),
    server: given,
    known: names.join(', '),
    near: near ?? '',
  });
}

/** `taker` is what takes one alone. */
export function reportSeveral(all: readonly ReadServer[], taker: string, { diagnostics }: ProjectRun): void {
  const [first] = all;
  if (first === undefined) return;
  const names = all.flatMap(({ server }) => server ?? []);
  diagnostics.report('server-not-named', {
    file: join(first.dir, first.name),
    taker,
    known: names.join(', '),
    first: names[0] ?? '',
  });
}
