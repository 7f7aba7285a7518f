/** The environment variables of the APIs behind a server, for `--help` and for the compiler's files. */
import type {
  Bindings,
  SecuritySchemeBinding,
  ServerBinding,
  UpstreamBinding,
} from '../contract/bindings.ts';
import { apisOf, apiVariable, serverVariable } from '../contract/apis.ts';
import { hostSuffix, serverList } from '../upstream/server-url.ts';
import { type EnvironmentVariable, plain, secret } from '../contract/environment-variable.ts';

/** The description of a variable names at most so many URLs. */
const MOST_URLS = 3;

const CREDENTIALS: EnvironmentVariable = {
  ...plain(
    'API_CREDENTIALS',
    'Whether a request goes out only with the credentials that the API is said to need: required or optional.',
  ),
  default: 'required',
};

export function apiVariables(bindings: Pick<Bindings, 'upstream' | 'upstreams'>): EnvironmentVariable[] {
  return unique(apisOf(bindings).flatMap(upstreamVariables));
}

export function baseUrlVariables(bindings: Pick<Bindings, 'upstream' | 'upstreams'>): string[] {
  return apisOf(bindings).map(({ name }) => apiVariable('API_BASE_URL', name));
}

/** Two schemes share a variable if their names differ only in punctuation. */
function unique(variables: EnvironmentVariable[]): EnvironmentVariable[] {
  return [...new Map(variables.map((variable) => [variable.name, variable])).values()];
}

/** The variables of one API, in the order people fill them in. */
export function upstreamVariables(upstream: UpstreamBinding | undefined): EnvironmentVariable[] {
  if (upstream === undefined) return [];
  const { name: api, servers, otherServers = [] } = upstream;
  const schemes = Object.entries(upstream.securitySchemes);
  const ofApi = api === undefined ? '' : ` of the API ${api}`;
  return unique([
    baseUrl(servers, servers.length + otherServers.length > 1, api),
    ...serverChoice(servers, api),
    ...serverVariables([...servers, ...otherServers], api),
    ...schemes.flatMap(([name, scheme]) => schemeVariables(`the security scheme ${name}${ofApi}`, scheme)),
    ...(schemes.length === 0 ? [] : [CREDENTIALS]),
    ...otherServers.flatMap((server) => otherBaseUrl(server, schemes.length > 0, api)),
  ]);
}

/** The variable has no default if there are other servers or variables of servers: set to it, it would overrule them. */
function baseUrl(
  [server]: ServerBinding[],
  isOneOfSeveral: boolean,
  api: string | undefined,
): EnvironmentVariable {
  const url = server === undefined ? '' : withDefaults(server);
  const known = /^https?:\/\//i.test(url);
  const isChoice = isOneOfSeveral || server?.variables !== undefined;
  const subject = api === undefined ? 'the API' : `the API ${api}`;
  const words = known
    ? `Base URL of ${subject}; replaces ${isChoice ? `those of the document, ${url} first` : 'the one of the document'}, path included.`
    : `Base URL of ${subject}, path included. Required: the document names no server by a full URL.`;
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

/** A variable of several servers counts for each, and has no default if theirs differ. */
function serverVariables(servers: ServerBinding[], api: string | undefined): EnvironmentVariable[] {
  const uses = servers.flatMap(({ url, variables = {} }) =>
    Object.entries(variables).map(([name, variable]) => ({ name, url, ...variable })),
  );
  const names = new Set(uses.map(({ name }) => serverVariable(name, api)));
  return [...names].map((variable) => {
    const same = uses.filter(({ name }) => serverVariable(name, api) === variable);
    const urls = [...new Set(same.map(({ url }) => url))].slice(0, MOST_URLS).join(' and ');
    const allowed = findCommon(same.map((one) => one.enum?.join(', ')));
    const value = findCommon(same.map((one) => one.default));
    const words = `Value of {${same[0]?.name ?? variable}} in the server URL ${urls}`;
    return {
      ...plain(variable, `${words}${allowed === undefined ? '' : `: ${allowed}`}.`),
      ...(value === undefined ? {} : { default: value }),
    };
  });
}

function findCommon(values: (string | undefined)[]): string | undefined {
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
