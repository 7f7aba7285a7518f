/**
 * The origins that requests and credentials may go to, for all servers that the environment can choose. `mcpgen.lock`
 * remembers them, so that a document cannot redirect a credential without consent.
 */
import {
  type Bindings,
  type HttpBinding,
  type SecuritySchemeBinding,
  type ServerBinding,
  type UpstreamBinding,
  listApis,
  listSchemesUsedIfSet,
} from './bindings.ts';
import { listHeaderVariables } from '../util/http-syntax.ts';
import { apiVariableName, toVariableName } from './variable-names.ts';
import { hostOf } from '../../templates/runtime/features/operation-servers.ts';
import type { ServerModel } from './server-model.ts';

/** Credentials are named by their variable: `{ "API_KEY_SHOP": ["https://api.example.com"] }`. */
export type CredentialOrigins = Record<string, string[]>;

/** The key for all requests, with or without credentials. */
export const REQUESTS = 'requests';

/** Limit of combined values of server variables. Beyond it only the template counts. */
const MOST_COMBINED = 256;

/** A base for URLs that are relative to an unknown server. */
const NOWHERE = 'https://relative.invalid';

export function listHttpBindingsOfModel({
  tools,
  resources,
  resourceTemplates,
}: Pick<ServerModel, 'tools' | 'resources' | 'resourceTemplates'>): HttpBinding[] {
  const read = [...resources, ...resourceTemplates].map(({ binding }) => binding.do);
  return [...tools.map(({ binding }) => binding), ...read].filter((one) => one.kind === 'http');
}

export function originsOfModel(model: ServerModel): CredentialOrigins {
  return mapCredentialOrigins(listApis(model), listHttpBindingsOfModel(model));
}

export function originsOfBindings(bindings: Bindings): CredentialOrigins {
  const { tools, resources, resourceTemplates } = bindings;
  const work = [tools, resources, resourceTemplates].flatMap((items) =>
    Object.values<{ do: { kind: string } }>(items).map((item) => item.do),
  );
  return mapCredentialOrigins(
    listApis(bindings),
    work.filter((one): one is HttpBinding => one.kind === 'http'),
  );
}

/** @param choice which of the servers that an operation or an API lists count. Default: all, since the environment chooses */
export function mapCredentialOrigins(
  apis: readonly UpstreamBinding[],
  requests: readonly HttpBinding[],
  choice: (servers: readonly ServerBinding[]) => readonly ServerBinding[] = (servers) => servers,
): CredentialOrigins {
  const originsByCredential = new Map<string, Set<string>>();
  const addOrigins = (credential: string, origins: readonly string[]): void => {
    const known = originsByCredential.get(credential) ?? new Set();
    originsByCredential.set(credential, known);
    for (const origin of origins) known.add(origin);
  };
  for (const api of apis) {
    const roots = new Map(choice(api.servers).map((server) => [server, listOrigins(server)]));
    const bases = [...roots.values()].flat();
    const apiRequests = requests.filter((one) => one.api === api.name);
    if (apiRequests.length > 0) addOrigins(headersVariableOf(api), bases);
    for (const name of listHeaderVariables(api.headers)) addOrigins(name, bases);
    for (const request of apiRequests) {
      const { servers } = request;
      const { security = api.security ?? [] } = request;
      const names = new Set([
        ...security.flatMap((requirement) => Object.keys(requirement)),
        ...listSchemesUsedIfSet(api, request),
      ]);
      const schemes = [...names].flatMap((name) =>
        Object.hasOwn(api.securitySchemes, name) ? (api.securitySchemes[name] ?? []) : [],
      );
      for (const server of choice(servers ?? api.servers)) {
        const origins = (servers === undefined && roots.get(server)) || listOrigins(server, bases);
        addOrigins(REQUESTS, origins);
        if (/\?/.test(server.url) || /@/.test(authorityOfUrl(server.url)))
          addOrigins(apiVariableName('API_BASE_URL', api.name), origins);
        // `x-mcp` may name any variable of the environment.
        for (const { env } of Object.values(request.known ?? {}))
          if (env !== undefined) addOrigins(env, origins);
        for (const name of listHeaderVariables(request.headers)) addOrigins(name, origins);
        // A host of an operation's own server may have separate credentials.
        const host = servers === undefined ? undefined : variableSuffixOfHost(server);
        const ends = host === undefined ? [''] : ['', `_${host}`];
        if (host !== undefined) addOrigins(`${headersVariableOf(api)}_${host}`, origins);
        for (const scheme of schemes)
          for (const [variable, places] of listSecretDestinations(scheme, origins))
            for (const end of ends) addOrigins(`${variable}${end}`, places);
      }
    }
  }

  const all = [...originsByCredential].filter(([, origins]) => origins.size > 0);
  all.sort(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(all.map(([name, origins]) => [name, [...origins].sort()]));
}

/** The end of the variables for an operation's own host, such as `FILES_API_TEST`. The compiler refuses two hosts with the same. */
export function variableSuffixOfHost(server: ServerBinding): string | undefined {
  const host = hostOf(server);
  return host && toVariableName(host);
}

const headersVariableOf = ({ name }: UpstreamBinding): string => apiVariableName('API_HEADERS', name);

/** Whether the variable is `API_HEADERS`, which every API has, and which holds no credential until somebody sets it. */
export function isHeadersVariable(credential: string): boolean {
  return /^API_HEADERS(?:_|$)/.test(credential);
}

/**
 * Origins are spelled as `URL` does. A host that depends on the environment keeps the document's template:
 * `https://{region}.example.com`.
 */
export function listOrigins(server: ServerBinding, bases: readonly string[] = []): string[] {
  const url = server.url.replace(/[\t\n\r]/g, '').trim();
  const { variables = {} } = server;
  const listVariableValues = (name: string): string[] => {
    const { default: fallback, enum: allowed = [] } =
      (Object.hasOwn(variables, name) && variables[name]) || {};
    return [...new Set([fallback ?? [], allowed].flat())];
  };
  const isOpen = (name: string): boolean =>
    !Object.hasOwn(variables, name) || variables[name]?.enum === undefined;
  const authority = authorityOfUrl(url);
  const names = [...new Set([...authority.matchAll(TEMPLATE)].map(([, name = '']) => name))];
  const filled = listCombinations(names.map(listVariableValues)).map((values) =>
    authority.replace(TEMPLATE, (_, name: string) => values[names.indexOf(name)] ?? ''),
  );
  const whole = url.replace(TEMPLATE, (template, name: string) => listVariableValues(name)[0] ?? template);
  const origins = [whole, ...filled].flatMap((text) => resolveOrigins(text, bases));
  const isTemplate = names.some(isOpen) || (names.length > 0 && filled.length === 0);
  return isTemplate && /^(?:[a-z][a-z0-9+.-]*:|\{|[/\\]{2})/i.test(authority)
    ? [
        ...origins,
        authority.replace(/[^\w.:/{}[\]-]/gu, (letter) => `%${(letter.codePointAt(0) ?? 0).toString(16)}`),
      ]
    : origins;
}

const TEMPLATE = /\{([^{}]+)\}/g;

/** The part of a URL that contains the host (WHATWG URL); later parts do not change the destination. */
function authorityOfUrl(url: string): string {
  const plain = url.replace(TEMPLATE, (template) => 'x'.repeat(template.length));
  const [authority = ''] = /^(?:[^:/?#\\]*:)?[/\\]*[^/?#\\]*/.exec(plain) ?? [];
  return url.slice(0, authority.length);
}

/** All combinations of one value from each list; empty if there are too many. */
function listCombinations(lists: readonly string[][]): string[][] {
  if (lists.reduce((product, list) => product * list.length, 1) > MOST_COMBINED) return [];
  return lists.reduce<string[][]>(
    (all, list) => all.flatMap((before) => list.map((value) => [...before, value])),
    [[]],
  );
}

function resolveOrigins(url: string, bases: readonly string[]): string[] {
  const from = URL.canParse(url) ? [undefined] : [...bases.filter((base) => URL.canParse(base)), NOWHERE];
  return from
    .filter((base) => URL.canParse(url, base))
    .map((base) => new URL(url, base))
    .filter(({ protocol, origin }) => /^https?:$/.test(protocol) && origin !== NOWHERE)
    .map(({ origin }) => origin);
}

/** The secret variables of a scheme, with the origins that they are sent to. */
function listSecretDestinations(
  scheme: SecuritySchemeBinding,
  servers: readonly string[],
): [variable: string, origins: readonly string[]][] {
  switch (scheme.type) {
    case 'apiKey':
      return [[scheme.env.key, servers]];
    case 'basic':
      return [[scheme.env.password, servers]];
    case 'bearer':
      return [[scheme.env.token, servers]];
    case 'http':
      return [[scheme.env.authorization, servers]];
    case 'mutualTLS':
      return [[scheme.env.key, servers.filter((origin) => !origin.startsWith('http:'))]];
    case 'oauth2': {
      const endpoint = scheme.metadataUrl ?? scheme.tokenUrl;
      const { authorizationUrl, deviceAuthorizationUrl, tokenUrl, metadataUrl, issuer } = scheme.login ?? {};
      const issuers = [
        endpoint,
        authorizationUrl,
        deviceAuthorizationUrl,
        tokenUrl,
        metadataUrl,
        issuer,
      ].flatMap((url) => (url === undefined ? [] : resolveOrigins(url, [])));
      return [
        [scheme.env.token, servers],
        [scheme.env.clientSecret, issuers],
        // Where a person signs in must not change unnoticed either.
        ...(scheme.login === undefined ? [] : [[scheme.env.clientId, issuers] as [string, string[]]]),
      ];
    }
    case 'unsupported':
      return [];
  }
}
