import { existsSync, realpathSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { isInside } from '../../util/ref-policy.ts';
import type { Fault } from '../options/fault.ts';
import type { ProjectConfig } from '../options/project-config.ts';
import { serversOf } from '../options/servers.ts';

interface SharedFolder {
  server: string;
  other: string;
  /** `output` of `server`. */
  folder: string;
  /** The relation of that folder to the one of `other`. */
  how: 'is' | 'is in' | 'is around';
  fault: Pick<Fault, 'path'>;
}

/** Finds servers with the same project folder, or with one inside of another's. `root` is the configuration's folder, absolute. */
export function sharedFolders(config: ProjectConfig, root: string): SharedFolder[] {
  const all = serversOf(config).flatMap(({ server, config: { output = '.' } }) =>
    server === undefined ? [] : [{ server, folder: output, place: settled(resolve(root, output)) }],
  );
  return all.flatMap(({ server, folder, place }, index) => {
    const other = all.slice(0, index).find((each) => relate(place, each.place) !== undefined);
    const how = other && relate(place, other.place);
    const fault = { path: ['servers', server, 'output'] };
    return other && how ? [{ server, other: other.server, folder, how, fault }] : [];
  });
}

function relate(place: string, other: string): SharedFolder['how'] | undefined {
  if (place === other) return 'is';
  if (isInside(other, place)) return 'is in';
  return isInside(place, other) ? 'is around' : undefined;
}

/** Follows links in the part of the path that exists. */
export function settled(place: string): string {
  if (existsSync(place)) return realpathSync(place);
  const parent = dirname(place);
  return parent === place ? place : join(settled(parent), relative(parent, place));
}
