import type {
  LoginBinding,
  OperationBinding,
  SecuritySchemeBinding,
  ServerBinding,
  UpstreamBinding,
} from '../model/bindings.ts';
import type { SourceOptions } from '../config/options/sources.ts';
import { DiagnosticCollector } from '../diagnostics/collector.ts';
import { exampleBaseUrl } from '../model/base-url.ts';
import { variableSuffixOfHost } from '../model/credential-origins.ts';
import type { Origin } from '../model/origin.ts';
import type { ServerModel } from '../model/server-model.ts';
import type { Operation, SecurityScheme, SourceModel } from '../model/source-model.ts';
import { ownMember } from '../../templates/runtime/json-rpc.ts';
import { listHeaderVariables } from '../util/http-syntax.ts';
import { omitUndefined } from '../util/collections.ts';
import { isLoopback } from './security/credential-places.ts';
import { contentHash } from './names/shorter-name.ts';
import type { EnvironmentKeys } from './security/environment-keys.ts';
import { toVariableName } from '../model/variable-names.ts';

interface UpstreamChoices extends Pick<SourceOptions, 'headers'> {
  features?: readonly string[];
  keys: Pick<EnvironmentKeys, 'ifSet' | 'ifSetFor'>;
}

/** The scheme may be a variable. */
const absolute = /^(?:https?:\/\/|\{)/i;

/** Undefined without operations. Only schemes in use are bound, since each asks the user for a secret. */
export function deriveUpstream(
  source: SourceModel,
  operations: readonly Operation[],
  { headers, keys, features = [] }: UpstreamChoices,
  diagnostics: DiagnosticCollector,
  api?: ApiName,
): { upstream?: UpstreamBinding } {
  if (operations.length === 0) return {};
  const hasUsableUrl = (servers: readonly ServerBinding[]): boolean =>
    servers.some(({ url }) => absolute.test(url) && (url.includes('{') || URL.canParse(url)));
  const isUsable =
    hasUsableUrl(source.servers) || operations.every(({ servers = [] }) => hasUsableUrl(servers));
  if (!isUsable) {
    const example = exampleBaseUrl(source.servers);
    diagnostics.report('no-absolute-server', { example }, { at: source.origin });
  }
  const security = operations.some((one) => one.security === undefined) ? source.security : undefined;
  const requirements = [...(security ?? []), ...operations.flatMap((one) => one.security ?? [])];
  const ifSet = [...(keys.ifSet ?? []), ...operations.flatMap((operation) => keys.ifSetFor(operation) ?? [])];
  const used = new Set([...requirements.flatMap((requirement) => Object.keys(requirement)), ...ifSet]);

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
  const securitySchemes = Object.fromEntries(entries);

  return {
    upstream: {
      servers: source.servers,
      ...listOtherServers(source, operations),
      ...omitUndefined({ security, ifSet: keys.ifSet, headers }),
      securitySchemes: features.includes('login')
        ? addLogins(securitySchemes, source, diagnostics)
        : securitySchemes,
    },
  };
}

/** With `--base-url` in the place of all servers (ADR 10). An operation at the API's own origin keeps its path. */
export function replaceServers(source: SourceModel, baseUrl: string | undefined): SourceModel {
  if (baseUrl === undefined) return source;
  const root = addressOf(source.servers[0]);
  const capabilities = source.capabilities.map((capability) => {
    if (capability.kind !== 'operation' || capability.servers === undefined) return capability;
    const { servers, ...operation } = capability;
    // Relative to each other, where the document names no host.
    const from = root ?? new URL(baseUrl);
    const address = addressOf(servers[0], from);
    if (address === undefined || from.origin !== address.origin || from.href === address.href)
      return operation;
    const moved = new URL(baseUrl);
    [moved.pathname, moved.search] = [address.pathname, address.search];
    return { ...operation, servers: [{ url: moved.href }] };
  });
  return { ...source, servers: [{ url: baseUrl }], capabilities };
}

function addressOf(server: ServerBinding | undefined, base?: URL): URL | undefined {
  const url = server?.url.replace(
    /\{([^{}]+)\}/g,
    (_, name: string) => ownMember(server.variables, name)?.default ?? '',
  );
  return url !== undefined && URL.canParse(url, base?.href) ? new URL(url, base) : undefined;
}

/** Relative URLs of an API are relative to its server (OpenAPI 3.0.4, "Relative References in URLs"). */
export function resolveSchemeUrls(source: SourceModel, diagnostics: DiagnosticCollector): SourceModel {
  const [root] = source.servers;
  // A host that a variable chooses is known when the server runs: a default would get the secrets that are for another.
  const server = /^[^/]*\/\/[^/?#]*\{/.test(root?.url ?? '') ? undefined : addressOf(root);
  const resolve = (field: string, url: string | undefined, at: Origin): string | undefined => {
    if (url === undefined) return url;
    const isAbsolute = URL.canParse(url);
    const address =
      isAbsolute || (server !== undefined && URL.canParse(url, server.href))
        ? new URL(url, server)
        : undefined;
    if (address !== undefined && /^https?:$/.test(address.protocol)) return isAbsolute ? url : address.href;
    const because =
      address === undefined
        ? 'it is relative, and the document names no server with one host: set `--base-url`'
        : 'it is no URL of HTTP';
    diagnostics.report('field-without-effect', { field, because }, { at });
    return undefined;
  };
  const resolveScheme = (scheme: SecurityScheme): SecurityScheme => {
    const { origin } = scheme;
    if (scheme.type !== 'oauth2' && scheme.type !== 'openIdConnect') return scheme;
    const fields = Object.entries(scheme.login ?? {}) as [keyof LoginBinding, string][];
    const login = Object.fromEntries(
      fields.map(([field, url]) => [field, field === 'resource' ? url : resolve(field, url, origin)]),
    ) as LoginBinding;
    const whole = { ...scheme, ...(scheme.login && { login: omitUndefined(login) }) };
    if (whole.type === 'openIdConnect')
      return { ...whole, url: resolve('openIdConnectUrl', whole.url, origin) ?? whole.url };
    const { tokenUrl, metadataUrl, ...rest } = whole;
    return {
      ...rest,
      ...omitUndefined({
        tokenUrl: resolve('tokenUrl', tokenUrl, origin),
        metadataUrl: resolve('oauth2MetadataUrl', metadataUrl, origin),
      }),
    };
  };
  const schemes = Object.entries(source.securitySchemes);
  return {
    ...source,
    securitySchemes: Object.fromEntries(schemes.map(([name, scheme]) => [name, resolveScheme(scheme)])),
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

/** Maps variables whose values are sent as arguments, or in headers of single tools, to the names of these on the wire. */
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
    const { known = {}, parameters, body, headers = {} } = binding;
    const addVariable = (variable: string, name: string): void =>
      void variables.set(variable, (variables.get(variable) ?? new Set()).add(name));
    for (const [header, text] of Object.entries(headers))
      for (const variable of listHeaderVariables({ header: text })) addVariable(variable, `header ${header}`);
    const sent = [...parameters, ...(body?.properties ?? [])];
    for (const [argument, { env }] of Object.entries(known)) {
      if (env === undefined) continue;
      addVariable(env, sent.find((part) => part.argument === argument)?.name ?? argument);
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

/** Adds to each scheme where a person signs in. */
function addLogins(
  bindings: Record<string, SecuritySchemeBinding>,
  { securitySchemes }: SourceModel,
  diagnostics: DiagnosticCollector,
): Record<string, SecuritySchemeBinding> {
  const entries = Object.entries(bindings).map(([name, binding]): [string, SecuritySchemeBinding] => {
    const scheme = Object.hasOwn(securitySchemes, name) ? securitySchemes[name] : undefined;
    if (binding.type !== 'oauth2' || (scheme?.type !== 'oauth2' && scheme?.type !== 'openIdConnect'))
      return [name, binding];
    const { origin } = scheme;
    const discovery = scheme.type === 'openIdConnect' ? scheme.url : scheme.metadataUrl;
    const login = { ...omitUndefined({ metadataUrl: discovery }), ...scheme.login };
    const { authorizationUrl, deviceAuthorizationUrl, tokenUrl, metadataUrl, issuer } = login;
    const isDescribed = tokenUrl !== undefined && (authorizationUrl ?? deviceAuthorizationUrl) !== undefined;
    if (!isDescribed && (metadataUrl ?? issuer) === undefined) return [name, binding];
    const endpoints = { authorizationUrl, deviceAuthorizationUrl, tokenUrl, metadataUrl, issuer };
    const unsafe = Object.entries(endpoints).filter(([, url]) => url !== undefined && !isSecureUrl(url));
    const because = 'people sign in by https only, or by http on their own machine';
    for (const [field] of unsafe)
      diagnostics.report('field-without-effect', { field, because }, { at: origin });
    return [name, unsafe.length === 0 ? { ...binding, login, source: 'login' } : binding];
  });
  return Object.fromEntries(entries);
}

function isSecureUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname } = new URL(text);
  return protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname));
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
        // The metadata URL is used only if the document has no token URL.
        ...omitUndefined(
          scheme.tokenUrl === undefined ? { metadataUrl: scheme.metadataUrl } : { tokenUrl: scheme.tokenUrl },
        ),
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
