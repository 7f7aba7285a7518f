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

/**
 * Finds files and folders that a configuration names and that do not exist, for one server or all. Its members need not be valid.
 * `folder` is that of the configuration, relative to `cwd`.
 */
export function missingFiles(
  config: unknown,
  server: string | undefined,
  { folder, cwd, observer }: { folder: string; cwd: string; observer?: Observer | undefined },
): Fault[] {
  const makeFault = ({ path, given }: Named, what: 'file' | 'folder'): Fault => ({
    path,
    problem: `names ${JSON.stringify(given)}, but no such ${what} exists (paths are relative to ${folder})`,
    missing: given,
  });
  const found = eachSettings(config, server).flatMap(({ settings, parentPath }) => {
    const files = filesIn(settings, parentPath).filter(({ given }) => {
      if (given === '-' || isUrl(given)) return false;
      const place = resolve(cwd, folder, moduleOf(given).path);
      observer?.file(place);
      return !existsSync(place);
    });
    const folders = listTexts(settings, ['templates', 'refRoot'], parentPath).filter(
      ({ given }) => !isFolder(resolve(cwd, folder, given)),
    );
    return [
      ...files.map((each) => makeFault(each, 'file')),
      ...folders.map((each) => makeFault(each, 'folder')),
    ];
  });
  // A shared setting is found for each server, and reported once.
  return [...new Map(found.map((fault) => [JSON.stringify(fault.path), fault])).values()];
}

/** `parentPath` is the path of the object that has a member: the server, or the whole configuration. */
interface Settings {
  settings: Record<string, unknown>;
  parentPath: (member: string) => Path;
}

function eachSettings(config: unknown, server: string | undefined): Settings[] {
  if (!isRecord(config)) return [];
  const { servers } = config;
  if (!isRecord(servers)) return [{ settings: config, parentPath: () => [] }];
  return Object.entries(servers).flatMap(([name, own]): Settings[] => {
    if (!isRecord(own) || (server !== undefined && server !== name)) return [];
    return [
      {
        settings: withShared(config, own, name),
        parentPath: (member) => (member in own ? ['servers', name] : []),
      },
    ];
  });
}

function filesIn(settings: Record<string, unknown>, parentPath: Settings['parentPath']): Named[] {
  const sources: unknown[] = Array.isArray(settings['sources']) ? settings['sources'] : [];
  const parent = parentPath('sources');
  return [
    ...listTexts(settings, ['source', 'overlays', 'helpers', 'hooks', 'routeMap'], parentPath),
    ...sources.flatMap((source, index) =>
      isRecord(source)
        ? listTexts(source, ['openapi', 'overlays', 'routeMap'], () => [...parent, 'sources', index])
        : [],
    ),
  ];
}

/** Members may be a text, a list of texts, or invalid. */
function listTexts(
  value: Record<string, unknown>,
  members: readonly string[],
  parentPath: Settings['parentPath'],
): Named[] {
  return members.flatMap((member) => {
    const path = [...parentPath(member), member];
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
