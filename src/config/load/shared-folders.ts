/** Servers of one configuration whose projects would stand in one folder, or one in that of the other. */
import { existsSync, realpathSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import type { Fault } from '../options/fault.ts';
import type { ProjectConfig } from '../options/project-config.ts';
import { serversOf } from '../options/servers.ts';

export interface SharedFolder {
  server: string;
  other: string;
  /** Of `server`, as the configuration says it. */
  folder: string;
  /** How it is to that of `other`. */
  how: 'is' | 'is in' | 'is around';
  fault: Pick<Fault, 'path'>;
}

/** `root` is the folder of the configuration, absolute. */
export function sharedFolders(config: ProjectConfig, root: string): SharedFolder[] {
  const all = serversOf(config).flatMap(({ server, config: { output = '.' } }) =>
    server === undefined ? [] : [{ server, folder: output, place: settled(resolve(root, output)) }],
  );
  return all.flatMap(({ server, folder, place }, index) => {
    const other = all.slice(0, index).find((each) => howTo(place, each.place) !== undefined);
    const how = other && howTo(place, other.place);
    const fault = { path: ['servers', server, 'output'] };
    return other && how ? [{ server, other: other.server, folder, how, fault }] : [];
  });
}

function howTo(place: string, other: string): SharedFolder['how'] | undefined {
  if (place === other) return 'is';
  if (isBelow(place, other)) return 'is in';
  return isBelow(other, place) ? 'is around' : undefined;
}

function isBelow(place: string, folder: string): boolean {
  const way = relative(folder, place);
  return way !== '' && way !== '..' && !way.startsWith(`..${sep}`) && resolve(folder, way) === place;
}

/** Links followed, as far as there is something. */
export function settled(place: string): string {
  if (existsSync(place)) return realpathSync(place);
  const parent = dirname(place);
  return parent === place ? place : join(settled(parent), relative(parent, place));
}
