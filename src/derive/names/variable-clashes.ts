/**
 * Checks that each environment variable has one use. A document could otherwise claim a variable to get another API's
 * credentials, so a shared variable is an error.
 */
import type { HttpBinding, ServerBinding, UpstreamBinding } from '../../model/bindings.ts';
import { hostOf } from '../../../templates/runtime/features/operation-servers.ts';
import type { DiagnosticCollector } from '../../diagnostics/collector.ts';
import { listHttpBindingsOfModel, variableSuffixOfHost } from '../../model/credential-origins.ts';
import type { SourceModel } from '../../model/source-model.ts';
import type { ServerSurface } from '../merge-surfaces.ts';
import { apiVariableName, serverChoiceVariableName } from '../../model/variable-names.ts';

export interface DocumentPart {
  source: SourceModel;
  surface: ServerSurface;
}

export function reportVariableClashes(
  parts: readonly DocumentPart[],
  diagnostics: DiagnosticCollector,
): void {
  const owners = new Map<string, string>();
  for (const { source, surface } of parts) {
    const { upstream } = surface;
    if (upstream === undefined) continue;
    const claimVariable = (variable: string, owner: string): boolean => {
      const other = owners.get(variable) ?? owner;
      owners.set(variable, other);
      if (other === owner) return true;
      diagnostics.report('variable-of-two', { variable, owner, other }, { at: source.origin });
      return false;
    };
    claimApiVariables(upstream, listHttpBindingsOfModel(surface), claimVariable);
  }
}

/** Returns false for a variable that belongs to another owner. */
type Claim = (variable: string, owner: string) => boolean;

function claimApiVariables(upstream: UpstreamBinding, requests: readonly HttpBinding[], claim: Claim): void {
  const { name: api, servers, securitySchemes } = upstream;
  const whose = api === undefined ? '' : ` of the API ${api}`;
  const operationServers = requests.flatMap((request) => request.servers ?? []);
  claim(apiVariableName('API_BASE_URL', api), `the base URL${whose}`);
  claim(apiVariableName('API_HEADERS', api), `the headers${whose}`);
  for (const name of new Set([...servers.slice(0, 1), ...operationServers].flatMap(listUrlVariables)))
    claim(serverChoiceVariableName(name, api), `{${name}} in server URLs${whose}`);
  const schemes = Object.entries(securitySchemes).map(([name, scheme]) => ({
    owner: `the security scheme ${JSON.stringify(name)}${whose}`,
    variables: scheme.type === 'unsupported' ? [] : Object.values(scheme.env),
  }));
  for (const { owner, variables } of schemes) variables.every((variable) => claim(variable, owner));
  for (const [place, suffix] of mapHostSuffixes(operationServers)) {
    if (!claim(apiVariableName('API_BASE_URL', api, suffix), `the base URL of ${place}${whose}`)) continue;
    claim(apiVariableName('API_HEADERS', api, suffix), `the headers of ${place}${whose}`);
    for (const { owner, variables } of schemes)
      variables.every((variable) => claim(`${variable}_${suffix}`, `${owner} at ${place}`));
  }
}

function listUrlVariables({ url }: ServerBinding): string[] {
  return [...url.matchAll(/\{([^{}]+)\}/g)].map(([, name = '']) => name);
}

/** Maps the hosts of operations' own servers to their suffixes in variables. */
function mapHostSuffixes(servers: readonly ServerBinding[]): Map<string, string> {
  const places = new Map<string, string>();
  for (const server of servers) {
    const suffix = variableSuffixOfHost(server);
    if (suffix !== undefined) places.set(describeHost(server), suffix);
  }
  return places;
}

/** A host that only the environment completes differs from a literal host of the same spelling. */
function describeHost(server: ServerBinding): string {
  const { url, variables = {} } = server;
  // Digits of a port are complete, so a variable behind them begins the path.
  const [scheme = '', , authority = ''] = url.replace(/(:\d+)(?=\{)/, '$1/').split('/');
  const open = listUrlVariables({ url: scheme + authority }).filter(
    (name) => !Object.hasOwn(variables, name) || variables[name]?.default === undefined,
  );
  const host = hostOf(server) ?? '';
  return open.length === 0 ? host : `${host} (with ${open.map((name) => `{${name}}`).join(' and ')})`;
}
