/** Several servers in one configuration: what stands beside them holds for each that does not say otherwise. */
import { isRecord } from '../../../templates/runtime/contract/json-value.ts';
import type { ProjectConfig, ServerConfig } from './project-config.ts';

/** Settings that two servers cannot have in common. */
export const NOT_SHARED = ['output', 'name', 'registryName'] as const;

/** What says what is compiled. A server that states one of them takes none of the others over. */
const SOURCES = ['source', 'typescript', 'sources'];

/** The settings of one server. */
export interface NamedServer {
  /** Absent where the configuration is of one server alone. */
  server?: string;
  config: ServerConfig;
}

/** Each server with all its settings, in the order they are written. */
export function serversOf({ servers, ...shared }: ProjectConfig): NamedServer[] {
  if (servers === undefined) return [{ config: shared }];
  return Object.entries(servers).map(([server, own]) => ({
    server,
    config: withShared(shared, own, server),
  }));
}

/** A setting is taken over whole. Package and folder are called as the server is, unless it says otherwise. */
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
