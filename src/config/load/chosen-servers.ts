import { join } from 'node:path';
import { suggest } from '../../../templates/runtime/contract/suggest.ts';
import type { ProjectConfig } from '../options/project-config.ts';
import { type NamedServer, serversOf } from '../options/servers.ts';
import { type ConfigRun, readConfig, type ReadConfig } from './read-config.ts';

export interface ProjectRun extends ConfigRun {
  /** The project's folder, instead of the configuration's `output`. */
  output?: string | undefined;
}

/** One server of a configuration. */
export interface ReadServer extends NamedServer, Omit<ReadConfig, 'config'> {
  /** The configuration with all of its servers. */
  whole: ProjectConfig;
}

/** The only server, or the chosen one. `taker` names the command, for the error if there are several. */
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

/** The chosen server, or all in the order they are written. `undefined` after an error. */
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

/** `taker` names the command, which takes one server. */
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
