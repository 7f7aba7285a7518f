import { isRecord } from '../../../templates/runtime/contract/json-value.ts';
import type { ProjectConfig, ServerConfig } from './project-config.ts';

/** Settings that several servers cannot share. */
export const NOT_SHARED = ['output', 'name', 'registryName'] as const;

/** The members for sources, of which a server has one. A server with its own takes none from the shared settings. */
export const SOURCES = ['source', 'typescript', 'sources'];

export interface NamedServer {
  /** Absent if the configuration has one server. */
  server?: string;
  config: ServerConfig;
}

/** Each server with its own and the shared settings, in the order they are written. */
export function serversOf({ servers, ...shared }: ProjectConfig): NamedServer[] {
  if (servers === undefined) return [{ config: shared }];
  return Object.entries(servers).map(([server, own]) => ({
    server,
    config: withShared(shared, own, server),
  }));
}

/** Adds shared settings to those of a server. `name` and `output` default to the server's name. */
export function withShared<T extends object>(shared: T, own: T, server: string): T {
  const isOfItsOwn = SOURCES.some((member) => member in own);
  const taken = without(shared, ['servers', ...NOT_SHARED, ...(isOfItsOwn ? SOURCES : [])]);
  const all = { name: server, output: server, ...taken, ...own };
  return hasFunctions(all) || 'link' in own ? all : { ...without(all, ['link']), ...own };
}

export function hasFunctions(config: object): boolean {
  const several: unknown = 'sources' in config ? config.sources : [];
  return (
    'typescript' in config ||
    (Array.isArray(several) && several.some((source) => isRecord(source) && 'typescript' in source))
  );
}

function without<T extends object>(value: T, members: readonly string[]): Partial<T> {
  const rest: Partial<T> = { ...value };
  for (const member of members) Reflect.deleteProperty(rest, member);
  return rest;
}
