import type {
  OperationBinding,
  SecuritySchemeBinding,
  ServerBinding,
  UpstreamBinding,
} from '../../templates/runtime/contract/bindings.ts';
import { variableSuffixOfHost } from '../../templates/runtime/upstream/upstream-settings.ts';
import type { SourceOptions } from '../config/options/sources.ts';
import { DiagnosticCollector } from '../diagnostics/collector.ts';
import type { ServerModel } from '../model/server-model.ts';
import type { Operation, SecurityScheme, SourceModel } from '../model/source-model.ts';
import { omitUndefined } from '../util/collections.ts';
import { contentHash } from './names/clean-name.ts';
import type { EnvironmentKeys } from './security/environment-keys.ts';
import { toVariableName } from '../../templates/runtime/contract/feature.ts';

interface UpstreamChoices extends Pick<SourceOptions, 'baseUrl' | 'headers'> {
  keys: Pick<EnvironmentKeys, 'ifSet' | 'ifSetFor'>;
}

/** The scheme may be a variable. */
const absolute = /^(?:https?:\/\/|\{)/i;

/** Undefined without operations. Only schemes in use are bound, since each asks the user for a secret. */
export function deriveUpstream(
  source: SourceModel,
  operations: readonly Operation[],
  { baseUrl, headers, keys }: UpstreamChoices,
  diagnostics: DiagnosticCollector,
  api?: ApiName,
): { upstream?: UpstreamBinding } {
  if (operations.length === 0) return {};
  const hasUsableUrl = (servers: readonly ServerBinding[]): boolean =>
    servers.some(({ url }) => absolute.test(url) && (url.includes('{') || URL.canParse(url)));
  const isUsable =
    hasUsableUrl(source.servers) || operations.every(({ servers = [] }) => hasUsableUrl(servers));
  if (baseUrl === undefined && !isUsable) diagnostics.report('no-absolute-server', {}, { at: source.origin });
  const requirements = [...(source.security ?? []), ...operations.flatMap(({ security }) => security ?? [])];
  const ifSet = [...(keys.ifSet ?? []), ...operations.flatMap((operation) => keys.ifSetFor(operation) ?? [])];
  const used = new Set([...requirements.flatMap((requirement) => Object.keys(requirement)), ...ifSet]);
  return {
    upstream: {
      servers: baseUrl === undefined ? source.servers : [{ url: baseUrl }],
      ...listOtherServers(source, operations),
      ...omitUndefined({ security: source.security, ifSet: keys.ifSet, headers }),
      securitySchemes: deriveSecuritySchemes(source, used, diagnostics, api),
    },
  };
}

/**
 * Lists one server for each host of operations' own servers that the API itself does not use. Variables that
 * belong to the host are derived from it.
 */
function listOtherServers(
  { servers }: SourceModel,
  operations: readonly Operation[],
): Pick<UpstreamBinding, 'otherServers'> {
  const suffixes = new Set(servers.map(variableSuffixOfHost));
  const otherServers = new Map<string, ServerBinding>();
  for (const server of operations.flatMap((operation) => operation.servers?.slice(0, 1) ?? [])) {
    const host = variableSuffixOfHost(server);
    if (host !== undefined && !suffixes.has(host) && !otherServers.has(host)) otherServers.set(host, server);
  }
  return otherServers.size === 0 ? {} : { otherServers: [...otherServers.values()] };
}

/** Maps variables whose values are sent as arguments to the names of these on the wire. */
export function mapArgumentVariables(
  { tools, resources, resourceTemplates }: Pick<ServerModel, 'tools' | 'resources' | 'resourceTemplates'>,
  unlisted: readonly OperationBinding[],
): Record<string, string[]> | undefined {
  const work = [
    ...tools.map(({ binding }) => binding),
    ...[...resources, ...resourceTemplates, ...unlisted.map((binding) => ({ binding }))].map(
      ({ binding }) => binding.do,
    ),
  ];
  const variables = new Map<string, Set<string>>();
  for (const binding of work) {
    if (binding.kind !== 'http') continue;
    const { known = {}, parameters, body } = binding;
    const sent = [...parameters, ...(body?.properties ?? [])];
    for (const [argument, { env }] of Object.entries(known)) {
      if (env === undefined) continue;
      const name = sent.find((part) => part.argument === argument)?.name ?? argument;
      variables.set(env, (variables.get(env) ?? new Set()).add(name));
    }
  }
  if (variables.size === 0) return undefined;
  return Object.fromEntries([...variables].sort().map(([name, names]) => [name, [...names]]));
}

/** Digits of the hash that separates schemes with the same variable names. */
const HASH_DIGITS = 8;

export function schemeVariables(source: SourceModel): Set<string> {
  const suffixes = assignEnvironmentSuffixes(source, new DiagnosticCollector());
  const variables = Object.entries(source.securitySchemes).flatMap(([name, scheme]) => {
    const variableName = toVariableName(name);
    return [variableName, suffixes.get(name) ?? variableName].flatMap((suffix) =>
      listVariables(scheme, suffix),
    );
  });
  return new Set(variables);
}

/**
 * Binds the security schemes in use to the environment variables that hold their credentials. The
 * variables contain the API's name if another document would use the same ones.
 */
function deriveSecuritySchemes(
  source: SourceModel,
  used: ReadonlySet<string>,
  diagnostics: DiagnosticCollector,
  api?: ApiName,
): Record<string, SecuritySchemeBinding> {
  const suffixes = assignEnvironmentSuffixes(source, diagnostics, api);
  const entries = [...used].map((name): [string, SecuritySchemeBinding] => {
    const scheme = Object.hasOwn(source.securitySchemes, name) ? source.securitySchemes[name] : undefined;
    const binding: SecuritySchemeBinding =
      scheme === undefined
        ? { type: 'unsupported', reason: 'The document does not define it.' }
        : bindScheme(scheme, suffixes.get(name) ?? toVariableName(name));
    if (scheme !== undefined && binding.type === 'unsupported')
      diagnostics.report(
        'unsupported-security-scheme',
        { scheme: name, reason: binding.reason },
        { at: scheme.origin },
      );
    return [name, binding];
  });
  return Object.fromEntries(entries);
}

/**
 * Gives each scheme of the document a suffix, so that leaving operations out renames no variable. Clashing
 * schemes all get a hash of their name, so an added scheme never takes over another's variable. Among several
 * documents the API's name is added.
 */
function assignEnvironmentSuffixes(
  source: SourceModel,
  diagnostics: DiagnosticCollector,
  api?: ApiName,
): Map<string, string> {
  const schemes = Object.entries(source.securitySchemes).map(([name, scheme]) => {
    const variableName = toVariableName(name);
    const isShared = listVariables(scheme, variableName).some((variable) => api?.reserved.has(variable));
    const fullName = isShared && api !== undefined ? `${api.name}_${variableName}` : variableName;
    return { name, scheme, variableName, fullName, variables: listVariables(scheme, fullName) };
  });
  const seen = new Set<string>();
  const clashing = new Set(
    schemes.flatMap(({ variables }) => variables).filter((text) => seen.size === seen.add(text).size),
  );
  const suffixes = new Map<string, string>();
  for (const { name, scheme, variableName, fullName, variables } of schemes) {
    const isUnique = !variables.some((variable) => clashing.has(variable));
    const suffix = isUnique ? fullName : `${fullName}_${contentHash(name, HASH_DIGITS).toUpperCase()}`;
    suffixes.set(name, suffix);
    if (suffix !== variableName)
      diagnostics.report(
        'environment-name-clash',
        { scheme: name, from: variableName, to: suffix },
        { at: scheme.origin },
      );
  }
  return suffixes;
}

function listVariables(scheme: SecurityScheme, suffix: string): string[] {
  const binding = bindScheme(scheme, suffix);
  return binding.type === 'unsupported' ? [] : Object.values(binding.env);
}

function bindScheme(scheme: SecurityScheme, suffix: string): SecuritySchemeBinding {
  switch (scheme.type) {
    case 'apiKey':
      return {
        type: 'apiKey',
        in: scheme.in,
        name: scheme.name,
        env: { key: scheme.isParameter === true ? `HEADER_${suffix}` : `API_KEY_${suffix}` },
      };
    case 'http':
      return bindHttpScheme(scheme.scheme, suffix);
    case 'oauth2':
      return {
        type: 'oauth2',
        ...tokenEndpointOf(scheme),
        env: makeOAuthVariables(suffix),
      };
    case 'openIdConnect':
      return { type: 'oauth2', metadataUrl: scheme.url, env: makeOAuthVariables(suffix) };
    case 'mutualTLS':
      return {
        type: 'mutualTLS',
        env: { cert: `TLS_CERT_${suffix}`, key: `TLS_KEY_${suffix}`, passphrase: `TLS_PASSPHRASE_${suffix}` },
      };
  }
}

/**
 * Schemes that compute a value for each request, so none can be configured (IANA HTTP Authentication Scheme Registry,
 * and others in use).
 */
const COMPUTED = new Set(
  (
    'aws4-hmac-sha256 concealed digest dpop gnap hawk hmac hoba mutual negotiate ntlm oauth privatetoken ' +
    'scram-sha-1 scram-sha-256 signature'
  ).split(' '),
);

function bindHttpScheme(scheme: string, suffix: string): SecuritySchemeBinding {
  const kind = scheme.toLowerCase();
  if (kind === 'bearer') return { type: 'bearer', env: { token: `BEARER_TOKEN_${suffix}` } };
  if (kind === 'basic')
    return {
      type: 'basic',
      env: { username: `BASIC_USERNAME_${suffix}`, password: `BASIC_PASSWORD_${suffix}` },
    };
  if (COMPUTED.has(kind))
    return {
      type: 'unsupported',
      reason: `The HTTP scheme "${scheme}" needs more than a value that can be set beforehand.`,
    };
  return { type: 'http', scheme, env: { authorization: `AUTHORIZATION_${suffix}` } };
}

/** The metadata URL is used only if the document has no token URL. */
function tokenEndpointOf({ tokenUrl, metadataUrl }: Extract<SecurityScheme, { type: 'oauth2' }>): {
  tokenUrl?: string;
  metadataUrl?: string;
} {
  if (tokenUrl !== undefined) return { tokenUrl };
  return metadataUrl === undefined ? {} : { metadataUrl };
}

function makeOAuthVariables(suffix: string): Extract<SecuritySchemeBinding, { type: 'oauth2' }>['env'] {
  return {
    token: `BEARER_TOKEN_${suffix}`,
    clientId: `OAUTH_CLIENT_ID_${suffix}`,
    clientSecret: `OAUTH_CLIENT_SECRET_${suffix}`,
    scopes: `OAUTH_SCOPES_${suffix}`,
  };
}

export interface ApiName {
  name: string;
  reserved: ReadonlySet<string>;
}
