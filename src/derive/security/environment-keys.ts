/** Decides which credentials a request carries beside those that its `security` demands. */
import { getOwnMember } from '../../../templates/runtime/contract/json-value.ts';
import type { ServerBinding } from '../../../templates/runtime/contract/bindings.ts';
import type { DiagnosticCollector } from '../../diagnostics/collector.ts';
import { listOrigins } from '../../model/credential-origins.ts';
import type { Operation, Parameter, SecurityScheme, SourceModel } from '../../model/source-model.ts';
import { formatNameList } from '../../util/collections.ts';
import type { DeriveOptions } from '../options.ts';

/** Header parameters that hold a credential, if no scheme of the document is their key. */
const KEY_HEADERS = new Set(['authorization', 'x-api-key', 'api-key', 'x-auth-token', 'x-access-token']);

/** Adds a scheme for each header parameter whose value the environment has to give. */
export function addHeaderSchemes(source: SourceModel): SourceModel {
  const headers = new Map<string, Parameter>();
  for (const { name, in: place, isArgument, ...rest } of source.capabilities.flatMap((capability) =>
    capability.kind === 'operation' ? capability.parameters : [],
  ))
    if (place === 'header' && isArgument !== true && KEY_HEADERS.has(name.toLowerCase()))
      headers.set(name.toLowerCase(), headers.get(name.toLowerCase()) ?? { ...rest, name, in: place });
  const added = [...headers.values()]
    .filter((parameter) => findKeyScheme(parameter, source.securitySchemes) === undefined)
    .map(({ name, origin }): [string, SecurityScheme] => [
      Object.hasOwn(source.securitySchemes, name) ? `header ${name}` : name,
      { origin, type: 'apiKey', in: 'header', name, isParameter: true },
    ]);
  if (added.length === 0) return source;
  return { ...source, securitySchemes: { ...source.securitySchemes, ...Object.fromEntries(added) } };
}

/** Finds the scheme whose key the parameter is. */
function findKeyScheme(
  { in: place, name, isArgument }: Parameter,
  schemes: SourceModel['securitySchemes'],
): string | undefined {
  if (isArgument === true) return undefined;
  const isSameName = (other: string): boolean =>
    place === 'header' ? other.toLowerCase() === name.toLowerCase() : other === name;
  return Object.entries(schemes).find(
    ([, scheme]) => scheme.type === 'apiKey' && scheme.in === place && isSameName(scheme.name),
  )?.[0];
}

export interface EnvironmentKeys {
  /** The schemes of operations that say no `security`. */
  ifSet?: string[];
  /** Replaces `ifSet` for one operation. */
  ifSetFor: (operation: Operation) => string[] | undefined;
  isKey: (parameter: Parameter) => boolean;
}

type Options = Pick<DeriveOptions, 'credentials' | 'baseUrl'>;

export function deriveEnvironmentKeys(
  source: SourceModel,
  operations: readonly Operation[],
  { credentials, baseUrl }: Options,
  diagnostics: DiagnosticCollector,
): EnvironmentKeys {
  const { securitySchemes: schemes, security: general } = source;
  const declared = Object.keys(schemes).filter((name) => !isOfParameter(schemes[name]));
  const silent = operations.filter(({ security = general }) => security === undefined);
  const ifSet = credentials === 'demanded' || silent.length === 0 ? [] : declared;
  const servers = baseUrl === undefined ? source.servers : [{ url: baseUrl }];
  const reached = createOriginCheck(servers, operations, general);
  const listSchemesIfSilent = (operation: Operation): string[] =>
    operation.servers === undefined ? ifSet : ifSet.filter((name) => reached(name, operation.servers ?? []));
  const listKeySchemes = ({ parameters, security = general ?? [] }: Operation): string[] =>
    parameters
      .map((parameter) => findKeyScheme(parameter, schemes))
      .filter((name) => name !== undefined)
      .filter(
        (name) => security.length === 0 || !security.every((requirement) => Object.hasOwn(requirement, name)),
      );
  const ifSetFor = (operation: Operation): string[] | undefined => {
    const isSilent = (operation.security ?? general) === undefined;
    const schemeNames = [
      ...new Set([...(isSilent ? listSchemesIfSilent(operation) : []), ...listKeySchemes(operation)]),
    ];
    const usual = isSilent ? ifSet : [];
    return schemeNames.length === usual.length && schemeNames.every((name) => usual.includes(name))
      ? undefined
      : schemeNames;
  };
  reportOptionalCredentials(source, { silent, all: operations, ifSet }, listSchemesIfSilent, diagnostics);
  reportCredentialParameters(source, operations, diagnostics);
  return {
    ...(ifSet.length === 0 ? {} : { ifSet }),
    ifSetFor,
    isKey: (parameter) => findKeyScheme(parameter, schemes) !== undefined,
  };
}

function isOfParameter(scheme: SecurityScheme | undefined): boolean {
  return scheme?.type === 'apiKey' && scheme.isParameter === true;
}

/** Makes a test of whether a scheme's credential goes to given servers anyway: the API's, or those of operations that demand it. */
function createOriginCheck(
  servers: readonly ServerBinding[],
  operations: readonly Operation[],
  general: SourceModel['security'],
): (scheme: string, servers: readonly ServerBinding[]) => boolean {
  const roots = servers.flatMap((server) => listOrigins(server));
  const demanded = new Map<string, string[]>();
  for (const { servers: operationServers = [], security = general ?? [] } of operations)
    for (const name of new Set(security.flatMap((requirement) => Object.keys(requirement))))
      demanded.set(name, [
        ...(demanded.get(name) ?? []),
        ...operationServers.flatMap((server) => listOrigins(server, roots)),
      ]);
  return (scheme, servers) => {
    const origins = new Set([...roots, ...(demanded.get(scheme) ?? [])]);
    return servers.flatMap((server) => listOrigins(server, roots)).every((origin) => origins.has(origin));
  };
}

function reportOptionalCredentials(
  { origin: at }: SourceModel,
  { silent, all, ifSet }: { silent: readonly Operation[]; all: readonly Operation[]; ifSet: string[] },
  ofSilent: (operation: Operation) => string[],
  diagnostics: DiagnosticCollector,
): void {
  if (ifSet.length === 0) return;
  const names = ifSet.map((name) => `\`${name}\``);
  const counts = { silent: silent.length, all: all.length, schemes: formatNameList(names, MOST_NAMES) };
  diagnostics.report('credentials-if-set', counts, { at });
  const without = silent.filter((operation) => ofSilent(operation).length < ifSet.length);
  const [first] = without;
  if (first === undefined) return;
  const origins = [...new Set(without.flatMap(({ servers = [] }) => servers.map(({ url }) => url)))];
  const parameters = { operations: without.length, servers: formatNameList(origins, MOST_NAMES) };
  diagnostics.report('credentials-if-set', parameters, { at: first.origin });
}

const MOST_NAMES = 5;

/** Reports each scheme once. */
function reportCredentialParameters(
  { securitySchemes: schemes }: SourceModel,
  operations: readonly Operation[],
  diagnostics: DiagnosticCollector,
): void {
  const byScheme = new Map<string, Parameter[]>();
  for (const parameter of operations.flatMap(({ parameters }) => parameters)) {
    const name = findKeyScheme(parameter, schemes);
    if (name !== undefined) byScheme.set(name, [...(byScheme.get(name) ?? []), parameter]);
  }
  for (const [scheme, parameters] of byScheme) {
    const [first] = parameters;
    if (first === undefined) continue;
    const { name, in: place, origin: at } = first;
    const holds = isOfParameter(getOwnMember(schemes, scheme))
      ? 'holds a credential'
      : `is the key of the security scheme "${scheme}"`;
    const count = parameters.length;
    diagnostics.report('parameter-is-credential', { name, place, operations: count, holds }, { at });
  }
}
