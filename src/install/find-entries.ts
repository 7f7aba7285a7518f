/** Looks a project's server up in the configurations of all clients. */
import { existsSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import { isRecord } from '../../templates/runtime/json-rpc.ts';
import {
  INSTALL_CLIENT_NAMES,
  type InstallClientName,
  type InstallScope,
} from '../config/options/install-options.ts';
import { DiagnosticError } from '../diagnostics/collector.ts';
import type { BuiltProject } from '../project/built-project.ts';
import { configPath, runReportingUnfitText, readAll } from './change-config.ts';
import { INSTALL_CLIENTS, type Machine } from './clients.ts';
import { readConfigFile } from './config-file.ts';
import { resolveEntryPath, isEntryOfProject } from './entry.ts';

export interface FoundEntry {
  client: InstallClientName;
  title: string;
  scope: InstallScope;
  file: string;
  name: string;
  /** Programs that the entry names but that do not exist. */
  missing: string[];
  /** The server answers for the API. */
  isMock: boolean;
}

export interface UnreadableConfig {
  title: string;
  problem: string;
  hint: string;
}

/** Entries that start the server, and those of its name that start a program that does not exist. */
export function findEntries(
  project: BuiltProject,
  machine: Machine,
  cwd: string,
): { entries: FoundEntry[]; unreadable: UnreadableConfig[] } {
  const entries: FoundEntry[] = [];
  const unreadable: UnreadableConfig[] = [];
  for (const client of INSTALL_CLIENT_NAMES)
    for (const scope of ['user', 'project'] as const)
      try {
        entries.push(...findEntriesIn(client, scope, project, machine, cwd));
      } catch (error) {
        if (!(error instanceof DiagnosticError)) throw error;
        const { title } = INSTALL_CLIENTS[client];
        unreadable.push(
          ...error.diagnostics.map(({ message, hint = '' }) => ({ title, problem: message, hint })),
        );
      }
  return { entries, unreadable };
}

function findEntriesIn(
  id: InstallClientName,
  scope: InstallScope,
  project: BuiltProject,
  machine: Machine,
  cwd: string,
): FoundEntry[] {
  const client = INSTALL_CLIENTS[id];
  const file = configPath(client, scope, machine, cwd);
  if (file === undefined) return [];
  const config = readConfigFile(file);
  const servers = runReportingUnfitText(config, () =>
    config.text.trim() === '' ? {} : readAll(client, config.text),
  );
  return Object.entries(isRecord(servers) ? servers : {}).flatMap(([name, entry]): FoundEntry[] => {
    const missing = findMissingPrograms(entry, cwd);
    const isMeant = isEntryOfProject(entry, project, cwd) || (name === project.name && missing.length > 0);
    if (!isMeant) return [];
    const isMock = isMockEntry(entry);
    return [{ client: id, title: client.title, scope, file, name, missing, isMock }];
  });
}

function isMockEntry(entry: unknown): boolean {
  if (!isRecord(entry)) return false;
  const { args, env } = entry;
  return (Array.isArray(args) && args.includes('--mock')) || (isRecord(env) && env['MCP_MOCK'] === '1');
}

function findMissingPrograms(entry: unknown, cwd: string): string[] {
  if (!isRecord(entry)) return [];
  const { command } = entry;
  const args: unknown[] = Array.isArray(entry['args']) ? entry['args'] : [];
  const [script] = args.filter((arg) => typeof arg === 'string').filter((arg) => /[\\/]main\.js$/.test(arg));
  const paths = [
    ...(typeof command === 'string' && isAbsolute(command) ? [command] : []),
    ...(script === undefined ? [] : [resolveEntryPath(script, cwd)]),
  ];
  return paths.filter((path) => !existsSync(path));
}
