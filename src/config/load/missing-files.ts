/** Files and folders that a configuration names, and that are not there. Some of its members may be wrong in other ways. */
import { existsSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { isRecord } from '../../../templates/runtime/contract/json-value.ts';
import type { Fault, Path } from '../options/fault.ts';
import { isUrl } from '../options/make-config.ts';
import { withShared } from '../options/servers.ts';
import { moduleOf } from '../options/user-code.ts';
import type { Observer } from '../../model/observer.ts';

interface Named {
  path: Path;
  given: string;
}

/** Those of one server, or of all. `folder` is that of the configuration, as it is given, from `cwd`. */
export function missingFiles(
  config: unknown,
  server: string | undefined,
  { folder, cwd, observer }: { folder: string; cwd: string; observer?: Observer | undefined },
): Fault[] {
  const faultOf = ({ path, given }: Named, what: 'file' | 'folder'): Fault => ({
    path,
    problem: `names ${JSON.stringify(given)}, but no such ${what} exists (paths are relative to ${folder})`,
    missing: given,
  });
  const found = eachSettings(config, server).flatMap(({ settings, homeOf }) => {
    const files = filesIn(settings, homeOf).filter(({ given }) => {
      if (given === '-' || isUrl(given)) return false;
      const place = resolve(cwd, folder, moduleOf(given).path);
      observer?.file(place);
      return !existsSync(place);
    });
    const folders = textsOf(settings, ['templates', 'refRoot'], homeOf).filter(
      ({ given }) => !isFolder(resolve(cwd, folder, given)),
    );
    return [...files.map((each) => faultOf(each, 'file')), ...folders.map((each) => faultOf(each, 'folder'))];
  });
  // What stands beside the servers is told once.
  return [...new Map(found.map((fault) => [JSON.stringify(fault.path), fault])).values()];
}

/** `homeOf` is what a member stands in. */
interface Settings {
  settings: Record<string, unknown>;
  homeOf: (member: string) => Path;
}

function eachSettings(config: unknown, server: string | undefined): Settings[] {
  if (!isRecord(config)) return [];
  const { servers } = config;
  if (!isRecord(servers)) return [{ settings: config, homeOf: () => [] }];
  return Object.entries(servers).flatMap(([name, own]): Settings[] => {
    if (!isRecord(own) || (server !== undefined && server !== name)) return [];
    const homeOf = (member: string): Path => (member in own ? ['servers', name] : []);
    return [{ settings: withShared(config, own, name), homeOf }];
  });
}

function filesIn(settings: Record<string, unknown>, homeOf: Settings['homeOf']): Named[] {
  const sources: unknown[] = Array.isArray(settings['sources']) ? settings['sources'] : [];
  return [
    ...textsOf(settings, ['source', 'overlays', 'helpers', 'hooks', 'routeMap'], homeOf),
    ...sources.flatMap((source, index) =>
      isRecord(source)
        ? textsOf(source, ['openapi', 'overlays', 'routeMap'], () => [...homeOf('sources'), 'sources', index])
        : [],
    ),
  ];
}

/** A member is a text, or a list of them, or something else altogether. */
function textsOf(
  value: Record<string, unknown>,
  members: readonly string[],
  homeOf: Settings['homeOf'],
): Named[] {
  return members.flatMap((member) => {
    const path = [...homeOf(member), member];
    const given = value[member];
    if (typeof given === 'string') return [{ path, given }];
    if (!Array.isArray(given)) return [];
    return given.flatMap((each: unknown, index) =>
      typeof each === 'string' ? [{ path: [...path, index], given: each }] : [],
    );
  });
}

function isFolder(place: string): boolean {
  return statSync(place, { throwIfNoEntry: false })?.isDirectory() === true;
}
