import type { ServerBinding, UpstreamBinding } from '../../templates/runtime/contract/bindings.ts';
import { hostSuffix } from '../../templates/runtime/upstream/server-url.ts';
import type { DiagnosticCollector } from '../diagnostics/collector.ts';
import type { Operation, SourceModel } from '../model/source-model.ts';
import { deriveSecuritySchemes } from './security/security.ts';
import { definedMembers } from '../util/defined-members.ts';
import type { ApiName } from './security/security.ts';

/** The scheme may be a variable. */
const absolute = /^(?:https?:\/\/|\{)/i;

/** Undefined without operations. Only schemes in use are bound, since each asks the user for a secret. */
export function deriveUpstream(
  source: SourceModel,
  operations: readonly Operation[],
  baseUrl: string | undefined,
  diagnostics: DiagnosticCollector,
  api?: ApiName,
): { upstream?: UpstreamBinding } {
  if (operations.length === 0) return {};
  const isPlaced = (servers: readonly ServerBinding[]): boolean =>
    servers.some(({ url }) => absolute.test(url));
  if (baseUrl === undefined && !operations.every(({ servers = source.servers }) => isPlaced(servers)))
    diagnostics.report('no-absolute-server', {}, { at: source.origin });
  const requirements = [...(source.security ?? []), ...operations.flatMap(({ security }) => security ?? [])];
  return {
    upstream: {
      servers: baseUrl === undefined ? source.servers : [{ url: baseUrl }],
      ...otherServers(source, operations),
      ...definedMembers({ security: source.security }),
      securitySchemes: deriveSecuritySchemes(source, requirements, diagnostics, api),
    },
  };
}

/**
 * One server for each host of operations' own servers that the API itself does not use. Variables that belong to the
 * host are derived from it.
 */
function otherServers(
  { servers }: SourceModel,
  operations: readonly Operation[],
): Pick<UpstreamBinding, 'otherServers'> {
  const known = new Set(servers.map(hostSuffix));
  const others = new Map<string, ServerBinding>();
  for (const server of operations.flatMap((operation) => operation.servers?.slice(0, 1) ?? [])) {
    const host = hostSuffix(server);
    if (host !== undefined && !known.has(host) && !others.has(host)) others.set(host, server);
  }
  return others.size === 0 ? {} : { otherServers: [...others.values()] };
}
