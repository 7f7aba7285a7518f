/** Checks a configuration for what needs consent (code to run, variables of the environment in requests) and for files that are missing. */
import { existsSync, realpathSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

import { isRecord } from '../../../templates/runtime/json-rpc.ts';
import type { DiagnosticCollector } from '../../diagnostics/collector.ts';
import type { Observer } from '../../model/observer.ts';
import type { CodeOrigin } from '../../model/origin.ts';
import { isUrl } from '../options/make-config.ts';
import { addSharedSettings } from '../options/parse-config.ts';
import { type Permissions, formatConsentOption } from '../options/permissions.ts';
import type { Fault, Path } from '../options/shape.ts';
import { parseModuleName } from '../options/user-code.ts';
import type { FilledText } from './interpolate.ts';

interface Run extends Permissions {
  diagnostics: DiagnosticCollector;
  server?: string | undefined;
}

interface Finding {
  path: Path;
  isError: boolean;
  report: (at: CodeOrigin | undefined) => void;
}

/** Finds what needs consent in the settings of the chosen servers. `folder` is that of the configuration. */
export function findConsentNeeds(
  value: unknown,
  texts: readonly FilledText[],
  folder: string,
  run: Run,
): Finding[] {
  const isOfChosenServer = ([member, name]: Path): boolean =>
    run.server === undefined || member !== 'servers' || name === run.server;
  const all = [
    ...(run.noCode === true ? findCodeNeeds(value, folder, run) : []),
    ...texts.flatMap((text) => findVariablesNeedingConsent(text, run)),
  ];
  return all.filter(({ path }) => isOfChosenServer(path));
}

function findCodeNeeds(value: unknown, folder: string, { diagnostics }: Run): Finding[] {
  if (!isRecord(value)) return [];
  const servers = isRecord(value['servers']) ? Object.entries(value['servers']) : [];
  const all: [Path, unknown][] = [
    [[], value],
    ...servers.map(([name, serverConfig]): [Path, unknown] => [['servers', name], serverConfig]),
  ];
  return all.flatMap(([home, settings]) =>
    ['hooks', 'helpers'].flatMap((member): Finding[] => {
      const moduleName = isRecord(settings) ? settings[member] : undefined;
      if (typeof moduleName !== 'string') return [];
      const file = join(folder, parseModuleName(moduleName).path);
      const report = (at: CodeOrigin | undefined): void =>
        diagnostics.report('code-refused', { file, because: `"${member}" names it` }, { at });
      return [{ path: [...home, member], isError: true, report }];
    }),
  );
}

/** Members of a server's settings that mcpgen itself requests, if they are URLs. */
const REQUESTED = /^(?:source|overlays\/\d+|sources\/\d+\/(?:openapi|overlays\/\d+))$/;

function findVariablesNeedingConsent(
  { path, filled, names }: FilledText,
  { diagnostics, allowEnv = [], command }: Run,
): Finding[] {
  const member = path.slice(path[0] === 'servers' ? 2 : 0).join('/');
  if (/^(?:sources\/\d+\/)?baseUrl$/.test(member)) {
    const report = (at: CodeOrigin | undefined): void =>
      diagnostics.report('base-url-variable', { names: joinNames(names) }, { at });
    return [{ path, isError: false, report }];
  }
  const refusedNames = [...new Set(names)].filter((name) => !allowEnv.includes(name));
  if (!REQUESTED.test(member) || !isUrl(filled) || refusedNames.length === 0) return [];
  const consent = formatConsentOption('--allow-env', refusedNames, command);
  const parameters = {
    names: joinNames(refusedNames),
    list: refusedNames.join(','),
    consent,
    by: 'url' as const,
  };
  const report = (at: CodeOrigin | undefined): void =>
    diagnostics.report('variable-in-request', parameters, { at });
  return [{ path, isError: true, report }];
}

function joinNames(names: readonly string[]): string {
  return [...new Set(names)].join(' and ');
}

interface Named {
  path: Path;
  reference: string;
}

/**
 * Finds files and folders that a configuration names and that do not exist, for one server or all. Its members need not be valid.
 * `folder` is that of the configuration, relative to `cwd`.
 */
export function findMissingFiles(
  config: unknown,
  server: string | undefined,
  { folder, cwd, observer }: { folder: string; cwd: string; observer?: Observer | undefined },
): Fault[] {
  const makeFault = ({ path, reference }: Named, what: 'file' | 'folder'): Fault => ({
    path,
    problem: `names ${JSON.stringify(reference)}, but no such ${what} exists (paths are relative to ${folder})`,
    missing: reference,
  });
  const missingFaults = listServerSettings(config, server).flatMap(({ settings, parentPath }) => {
    const files = listReferencedFiles(settings, parentPath).filter(({ reference }) => {
      if (reference === '-' || isUrl(reference)) return false;
      const place = resolve(cwd, folder, parseModuleName(reference).path);
      observer?.file(place);
      return !existsSync(place);
    });
    const folders = listMemberTexts(settings, ['templates', 'refRoot'], parentPath).filter(
      ({ reference }) => !isFolder(resolve(cwd, folder, reference)),
    );
    return [
      ...files.map((file) => makeFault(file, 'file')),
      ...folders.map((folder) => makeFault(folder, 'folder')),
    ];
  });
  // A shared setting is found for each server, and reported once.
  return [...new Map(missingFaults.map((fault) => [JSON.stringify(fault.path), fault])).values()];
}

/** `parentPath` is the path of the object that has a member: the server, or the whole configuration. */
interface Settings {
  settings: Record<string, unknown>;
  parentPath: (member: string) => Path;
}

function listServerSettings(config: unknown, server: string | undefined): Settings[] {
  if (!isRecord(config)) return [];
  const { servers } = config;
  if (!isRecord(servers)) return [{ settings: config, parentPath: () => [] }];
  return Object.entries(servers).flatMap(([name, serverSettings]): Settings[] => {
    if (!isRecord(serverSettings) || (server !== undefined && server !== name)) return [];
    return [
      {
        settings: addSharedSettings(config, serverSettings, name),
        parentPath: (member) => (member in serverSettings ? ['servers', name] : []),
      },
    ];
  });
}

function listReferencedFiles(settings: Record<string, unknown>, parentPath: Settings['parentPath']): Named[] {
  const sources: unknown[] = Array.isArray(settings['sources']) ? settings['sources'] : [];
  const parent = parentPath('sources');
  return [
    ...listMemberTexts(
      settings,
      ['source', 'overlays', 'workflows', 'helpers', 'hooks', 'routeMap'],
      parentPath,
    ),
    ...sources.flatMap((source, index) =>
      isRecord(source)
        ? listMemberTexts(source, ['openapi', 'overlays', 'routeMap'], () => [...parent, 'sources', index])
        : [],
    ),
  ];
}

function listMemberTexts(
  value: Record<string, unknown>,
  members: readonly string[],
  parentPath: Settings['parentPath'],
): Named[] {
  return members.flatMap((member) => {
    const path = [...parentPath(member), member];
    const memberValue = value[member];
    if (typeof memberValue === 'string') return [{ path, reference: memberValue }];
    if (!Array.isArray(memberValue)) return [];
    return memberValue.flatMap((element: unknown, index) =>
      typeof element === 'string' ? [{ path: [...path, index], reference: element }] : [],
    );
  });
}

function isFolder(place: string): boolean {
  return statSync(place, { throwIfNoEntry: false })?.isDirectory() === true;
}

/** Follows links in the part of the path that exists. */
export function resolveExistingLinks(place: string): string {
  if (existsSync(place)) return realpathSync(place);
  const parent = dirname(place);
  return parent === place ? place : join(resolveExistingLinks(parent), relative(parent, place));
}
