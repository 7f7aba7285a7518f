/** Decides which credentials a request carries beside those that its `security` demands. */
import { ownMember } from '../../../templates/runtime/json-rpc.ts';
import type { DiagnosticCollector } from '../../diagnostics/collector.ts';
import { listOrigins } from '../../model/credential-origins.ts';
import type { Operation, Parameter, SecurityScheme, SourceModel } from '../../model/source-model.ts';
import { formatNameList, groupBy } from '../../util/collections.ts';
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
  /** The schemes of a document that says `security` nowhere. */
  ifSet?: string[];
  /** Replaces `ifSet` for one operation. */
  ifSetFor: (operation: Operation) => string[] | undefined;
  isKey: (parameter: Parameter) => boolean;
  /** Headers of the configuration that the operation's requests have. */
  fixedHeaders: (operation: Operation) => string[];
}

type Options = Pick<DeriveOptions, 'baseUrl' | 'headers'>;

export function deriveEnvironmentKeys(
  source: SourceModel,
  operations: readonly Operation[],
  { baseUrl, headers = {} }: Options,
  diagnostics: DiagnosticCollector,
): EnvironmentKeys {
  const { securitySchemes: schemes, security: general } = source;
  const declared = Object.keys(schemes).filter((name) => !isOfParameter(schemes[name]));
  // Where the document says `security` anywhere, an operation that says nothing is public (OpenAPI, Operation Object).
  const isSaid =
    general !== undefined ||
    source.capabilities.some((one) => one.kind === 'operation' && one.security !== undefined);
  const ifSet = isSaid || operations.length === 0 ? [] : declared;
  const servers = baseUrl === undefined ? source.servers : [{ url: baseUrl }];
  const roots = servers.flatMap((server) => listOrigins(server));
  const isElsewhere = (operation: Operation): boolean =>
    (operation.servers ?? [])
      .flatMap((server) => listOrigins(server, roots))
      .some((one) => !roots.includes(one));
  const listKeySchemes = ({ parameters, security = general ?? [] }: Operation): string[] =>
    parameters
      .map((parameter) => findKeyScheme(parameter, schemes))
      .filter((name) => name !== undefined)
      .filter(
        (name) => security.length === 0 || !security.every((requirement) => Object.hasOwn(requirement, name)),
      );
  const ifSetFor = (operation: Operation): string[] | undefined => {
    const schemeNames = [
      ...new Set([...(isElsewhere(operation) ? [] : ifSet), ...listKeySchemes(operation)]),
    ];
    return schemeNames.length === ifSet.length && schemeNames.every((name) => ifSet.includes(name))
      ? undefined
      : schemeNames;
  };
  reportOptionalCredentials(source, ifSet, operations.filter(isElsewhere), diagnostics);
  reportCredentialParameters(source, operations, diagnostics);
  return {
    ...(ifSet.length === 0 ? {} : { ifSet }),
    ifSetFor,
    isKey: (parameter) => findKeyScheme(parameter, schemes) !== undefined,
    fixedHeaders: (operation) =>
      Object.keys({ ...(isElsewhere(operation) ? {} : headers), ...operation.xMcp?.headers }),
  };
}

function isOfParameter(scheme: SecurityScheme | undefined): boolean {
  return scheme?.type === 'apiKey' && scheme.isParameter === true;
}

function reportOptionalCredentials(
  { origin: at }: SourceModel,
  ifSet: string[],
  elsewhere: readonly Operation[],
  diagnostics: DiagnosticCollector,
): void {
  if (ifSet.length === 0) return;
  const schemes = formatNameList(
    ifSet.map((name) => `\`${name}\``),
    MOST_NAMES,
  );
  diagnostics.report('credentials-if-set', { schemes }, { at });
  const [first] = elsewhere;
  if (first === undefined) return;
  const origins = [...new Set(elsewhere.flatMap(({ servers = [] }) => servers.map(({ url }) => url)))];
  const parameters = { operations: elsewhere.length, servers: formatNameList(origins, MOST_NAMES) };
  diagnostics.report('credentials-if-set', parameters, { at: first.origin });
}

const MOST_NAMES = 5;

/** Reports each scheme once. */
function reportCredentialParameters(
  { securitySchemes: schemes }: SourceModel,
  operations: readonly Operation[],
  diagnostics: DiagnosticCollector,
): void {
  const all = operations.flatMap(({ parameters }) => parameters);
  for (const [scheme, parameters] of groupBy(all, (one) => findKeyScheme(one, schemes))) {
    const [first] = parameters;
    if (first === undefined || scheme === undefined) continue;
    const { name, in: place, origin: at } = first;
    const holds = isOfParameter(ownMember(schemes, scheme))
      ? 'holds a credential'
      : `is the key of the security scheme "${scheme}"`;
    const count = parameters.length;
    diagnostics.report('parameter-is-credential', { name, place, operations: count, holds }, { at });
  }
}
