/** The environment variables of the APIs behind a server, in words: for `--help`, and for the compiler's files. */
import type {
  Bindings,
  SecuritySchemeBinding,
  ServerBinding,
  UpstreamBinding,
} from '../contract/bindings.ts';
import { apisOf, apiVariable, serverVariable } from '../contract/apis.ts';
import { hostSuffix, serverList } from '../upstream/server-url.ts';
import { type EnvironmentVariable, plain, secret } from '../contract/environment-variable.ts';

/** Told of one variable at most. */
const MOST_URLS = 3;

const CREDENTIALS: EnvironmentVariable = {
  ...plain(
    'API_CREDENTIALS',
    'Whether a request goes out only with the credentials that the API is said to need: required or optional.',
  ),
  default: 'required',
};

/** Those of every API behind the server. */
export function apiVariables(bindings: Pick<Bindings, 'upstream' | 'upstreams'>): EnvironmentVariable[] {
  return onceEach(apisOf(bindings).flatMap(upstreamVariables));
}

/** Those that set the base URL of each. */
export function baseUrlVariables(bindings: Pick<Bindings, 'upstream' | 'upstreams'>): string[] {
  return apisOf(bindings).map(({ name }) => apiVariable('API_BASE_URL', name));
}

/** The variables of an API behind the server, in the order people fill them in. */
export function upstreamVariables(upstream: UpstreamBinding | undefined): EnvironmentVariable[] {
  return upstream === undefined ? [] : onceEach(variablesOf(upstream));
}

/** Two schemes may share a variable when their names differ in punctuation alone. */
function onceEach(variables: EnvironmentVariable[]): EnvironmentVariable[] {
  return [...new Map(variables.map((variable) => [variable.name, variable])).values()];
}

function variablesOf({ name: api, ...upstream }: UpstreamBinding): EnvironmentVariable[] {
  const schemes = Object.entries(upstream.securitySchemes);
  const { servers, otherServers = [] } = upstream;
  const whose = api === undefined ? '' : ` of the API ${api}`;
  return [
    baseUrl(servers, servers.length + otherServers.length > 1, api),
    ...serverChoice(servers, api),
    ...serverVariables([...servers, ...otherServers], api),
    ...schemes.flatMap(([name, scheme]) => schemeVariables(`the security scheme ${name}${whose}`, scheme)),
    ...(schemes.length === 0 ? [] : [CREDENTIALS]),
    ...otherServers.flatMap((server) => otherBaseUrl(server, schemes.length > 0, api)),
  ];
}

/** Set to its default it would still decide against other servers and variables, so with those it has none. */
function baseUrl(
  [server]: ServerBinding[],
  isOneOfSeveral: boolean,
  api: string | undefined,
): EnvironmentVariable {
  const url = server === undefined ? '' : withDefaults(server);
  const known = /^https?:\/\//i.test(url);
  const isChoice = isOneOfSeveral || server?.variables !== undefined;
  const whose = api === undefined ? 'the API' : `the API ${api}`;
  const words = known
    ? `Base URL of ${whose}; replaces ${isChoice ? `those of the document, ${url} first` : 'the one of the document'}, path included.`
    : `Base URL of ${whose}, path included. Required: the document names no server by a full URL.`;
  return {
    ...plain(apiVariable('API_BASE_URL', api), words),
    required: !known,
    ...(known && !isChoice ? { default: url } : {}),
  };
}

function withDefaults({ url, variables = {} }: ServerBinding): string {
  return url.replace(/\{([^{}]*)\}/g, (whole, name: string) =>
    Object.hasOwn(variables, name) ? (variables[name]?.default ?? whole) : whole,
  );
}

function serverChoice(servers: ServerBinding[], api: string | undefined): EnvironmentVariable[] {
  if (servers.length < 2) return [];
  const words =
    `Which server of the API${api === undefined ? '' : ` ${api}`}, by number, name, URL or description, ` +
    `where no base URL is set: ${serverList(servers)}.`;
  return [{ ...plain(apiVariable('API_SERVER', api), words), default: '1' }];
}

/** Those of the servers' URLs. One that several have counts for each, whose defaults may differ: then none is told. */
function serverVariables(servers: ServerBinding[], api: string | undefined): EnvironmentVariable[] {
  const uses = servers.flatMap(({ url, variables = {} }) =>
    Object.entries(variables).map(([name, variable]) => ({ name, url, ...variable })),
  );
  const byName = new Map<string, VariableUse[]>();
  for (const use of uses) {
    const name = serverVariable(use.name, api);
    byName.set(name, [...(byName.get(name) ?? []), use]);
  }
  return [...byName].map(([name, alike]) => inServerUrls(name, alike));
}

interface VariableUse {
  name: string;
  url: string;
  default?: string;
  enum?: string[];
}

function inServerUrls(variable: string, uses: VariableUse[]): EnvironmentVariable {
  const urls = [...new Set(uses.map(({ url }) => url))].slice(0, MOST_URLS);
  const allowed = alike(uses.map((one) => one.enum?.join(', ')));
  const value = alike(uses.map((one) => one.default));
  const words =
    `Value of {${uses[0]?.name ?? variable}} in the server URL ${urls.join(' and ')}` +
    (allowed === undefined ? '' : `: ${allowed}`);
  return { ...plain(variable, `${words}.`), ...(value === undefined ? {} : { default: value }) };
}

/** Undefined where they differ. */
function alike(values: (string | undefined)[]): string | undefined {
  return new Set(values).size === 1 ? values[0] : undefined;
}

function otherBaseUrl(
  server: ServerBinding,
  hasCredentials: boolean,
  api: string | undefined,
): EnvironmentVariable[] {
  const host = hostSuffix(server);
  if (host === undefined) return [];
  const words =
    `Base URL in place of ${withDefaults(server)}, where some of the operations are. Without it ${apiVariable('API_BASE_URL', api)}, ` +
    'where that is set, stands for this one too.' +
    (hasCredentials
      ? ` Credentials of its own: the variables of a security scheme with _${host} at the end.`
      : '');
  return [plain(apiVariable('API_BASE_URL', api, host), words)];
}

/** `owner` says for which scheme a variable is. */
function schemeVariables(owner: string, scheme: SecuritySchemeBinding): EnvironmentVariable[] {
  switch (scheme.type) {
    case 'apiKey':
      return [secret(scheme.env.key, `API key for ${owner}, sent as ${scheme.in} ${scheme.name}.`)];
    case 'basic':
      return [
        plain(scheme.env.username, `User name for ${owner} (HTTP Basic).`),
        secret(scheme.env.password, `Password for ${owner} (HTTP Basic).`),
      ];
    case 'bearer':
      return [secret(scheme.env.token, `Bearer token for ${owner}.`)];
    case 'http':
      return [
        secret(
          scheme.env.authorization,
          `Value for ${owner}, sent as Authorization: ${scheme.scheme} <value>.`,
        ),
      ];
    case 'mutualTLS':
      return [
        secret(
          scheme.env.cert,
          `Client certificate for ${owner} (TLS): PEM, or the path of a file that holds it.`,
        ),
        secret(scheme.env.key, `Its key, likewise; it may stand in the certificate's file.`),
        secret(scheme.env.passphrase, `Passphrase of that key, where it has one.`),
      ];
    case 'oauth2':
      return oauthVariables(owner, scheme);
    case 'unsupported':
      return [];
  }
}

function oauthVariables(
  owner: string,
  { env, tokenUrl, metadataUrl }: Extract<SecuritySchemeBinding, { type: 'oauth2' }>,
): EnvironmentVariable[] {
  if (tokenUrl === undefined && metadataUrl === undefined)
    return [secret(env.token, `Access token for ${owner}.`)];
  return [
    plain(env.clientId, `OAuth client id for ${owner}.`),
    secret(env.clientSecret, `OAuth client secret for ${owner}.`),
    plain(env.scopes, `Scopes to ask for with ${owner}, separated by spaces.`),
    secret(env.token, `Access token for ${owner}, instead of client id and secret.`),
  ];
}
