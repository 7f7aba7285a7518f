// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** The settings of APIs: their environment variables, and warnings about settings without which tools can't be called. */
import {
  type Bindings,
  type HttpBinding,
  type SecuritySchemeBinding,
  type ServerBinding,
  type UpstreamBinding,
  findApi,
  listApis,
} from '../contract/bindings.ts';
import {
  type EnvironmentVariable,
  HEADER_VARIABLE,
  LIMIT_VARIABLES,
  plainVariable,
  secretVariable,
  apiVariableName,
  serverChoiceVariable,
  warnMisspeltVariables,
} from '../contract/feature.ts';
import type { ServerInstance } from '../core/server-instance.ts';
import { chooseRequirement, describeUnsetVariables } from '../upstream/security.ts';
import {
  variableSuffixOfHost,
  resolveFixedHeaders,
  describeServers,
  chooseServerUrl,
} from '../upstream/upstream-settings.ts';
import { UpstreamError } from '../upstream/upstream-error.ts';

const MOST_URLS = 3;

const CREDENTIALS = plainVariable(
  'API_CREDENTIALS',
  'required: a call whose credentials are not set is refused; optional: it is sent without them.',
  'required',
);

export function apiVariables(bindings: Pick<Bindings, 'upstream' | 'upstreams'>): EnvironmentVariable[] {
  return dropDuplicateVariables(listApis(bindings).flatMap(upstreamVariables));
}

export function baseUrlVariables(bindings: Pick<Bindings, 'upstream' | 'upstreams'>): string[] {
  return listApis(bindings).map(({ name }) => apiVariableName('API_BASE_URL', name));
}

/** Two schemes share a variable if their names differ only in punctuation. */
function dropDuplicateVariables(variables: EnvironmentVariable[]): EnvironmentVariable[] {
  return [...new Map(variables.map((variable) => [variable.name, variable])).values()];
}

export function upstreamVariables(upstream: UpstreamBinding | undefined): EnvironmentVariable[] {
  if (upstream === undefined) return [];
  const { name: api, servers, otherServers = [] } = upstream;
  const schemes = Object.entries(upstream.securitySchemes);
  const ofApi = api === undefined ? '' : ` of the API ${api}`;
  const subject = api === undefined ? 'the API' : `the API ${api}`;
  return dropDuplicateVariables([
    baseUrlVariable(servers, servers.length + otherServers.length > 1, api),
    ...serverChoiceVariables(servers, api),
    ...serverVariables([...servers, ...otherServers], api),
    ...schemes.flatMap(([name, scheme]) => schemeVariables(`the security scheme ${name}${ofApi}`, scheme)),
    ...(schemes.length === 0 ? [] : [CREDENTIALS]),
    ...headerVariables(upstream),
    ...Object.entries(upstream.argumentVariables ?? {}).map(([name, sent]) =>
      (isSecretName(name) ? secretVariable : plainVariable)(
        name,
        `Sent to ${subject} as ${sent.join(', ')}.`,
      ),
    ),
    ...otherServers.flatMap((server) => otherServerVariables(server, schemes.length > 0, api)),
  ]);
}

/** Without a default if there are other servers or variables of servers: set to it, the variable would overrule them. */
function baseUrlVariable(
  [server]: ServerBinding[],
  isOneOfSeveral: boolean,
  api: string | undefined,
): EnvironmentVariable {
  const url = server === undefined ? '' : fillDefaultVariables(server);
  const known = /^https?:\/\//i.test(url);
  const isChoice = isOneOfSeveral || server?.variables !== undefined;
  const subject = api === undefined ? 'the API' : `the API ${api}`;
  const words = known
    ? `Base URL of ${subject}; replaces ${isChoice ? `those of the document, ${url} first` : 'the one of the document'}, path included.`
    : `Base URL of ${subject}, path included. Required: the document names no server by a full URL.`;
  const value = known && !isChoice ? url : undefined;
  return { ...plainVariable(apiVariableName('API_BASE_URL', api), words, value), required: !known };
}

function isSecretName(name: string): boolean {
  return /key|token|secret|passw|credential/i.test(name);
}

function fillDefaultVariables({ url, variables = {} }: ServerBinding): string {
  return url.replace(/\{([^{}]*)\}/g, (whole, name: string) =>
    Object.hasOwn(variables, name) ? (variables[name]?.default ?? whole) : whole,
  );
}

function serverChoiceVariables(servers: ServerBinding[], api: string | undefined): EnvironmentVariable[] {
  if (servers.length < 2) return [];
  const words =
    `Which server of the API${api === undefined ? '' : ` ${api}`}, by number, name, URL or description, ` +
    `where no base URL is set: ${describeServers(servers)}.`;
  return [plainVariable(apiVariableName('API_SERVER', api), words, '1')];
}

/** A variable of several servers counts for each, and has no default if theirs differ. */
function serverVariables(servers: ServerBinding[], api: string | undefined): EnvironmentVariable[] {
  const uses = servers.flatMap(({ url, variables = {} }) =>
    Object.entries(variables).map(([name, variable]) => ({ name, url, ...variable })),
  );
  const names = new Set(uses.map(({ name }) => serverChoiceVariable(name, api)));
  return [...names].map((variable) => {
    const same = uses.filter(({ name }) => serverChoiceVariable(name, api) === variable);
    const urls = [...new Set(same.map(({ url }) => url))].slice(0, MOST_URLS).join(' and ');
    const allowed = findCommon(same.map((one) => one.enum?.join(', ')));
    const value = findCommon(same.map((one) => one.default));
    const words = `Value of {${same[0]?.name ?? variable}} in the server URL ${urls}`;
    return plainVariable(variable, `${words}${allowed === undefined ? '' : `: ${allowed}`}.`, value);
  });
}

function findCommon(values: (string | undefined)[]): string | undefined {
  return new Set(values).size === 1 ? values[0] : undefined;
}

/** The variable of the only API is a row of its feature. */
function headerVariables({ name: api, headers = {} }: UpstreamBinding): EnvironmentVariable[] {
  const named = Object.entries(headers).flatMap(([header, text]) =>
    [...text.matchAll(HEADER_VARIABLE)].flatMap(([, name]) =>
      name === undefined
        ? []
        : [secretVariable(name, `Part of the header ${header} of requests to the API.`)],
    ),
  );
  if (api === undefined) return named;
  const words = `Headers of requests to the API ${api}, as lines "Name: value" or a JSON object.`;
  return [...named, secretVariable(apiVariableName('API_HEADERS', api), words)];
}

function otherServerVariables(
  server: ServerBinding,
  hasCredentials: boolean,
  api: string | undefined,
): EnvironmentVariable[] {
  const host = variableSuffixOfHost(server);
  if (host === undefined) return [];
  const words =
    `Base URL in place of ${fillDefaultVariables(server)}, where some of the operations are. Without it ${apiVariableName('API_BASE_URL', api)}, ` +
    'where that is set, stands for this one too.' +
    (hasCredentials
      ? ` Credentials of its own: the variables of a security scheme with _${host} at the end.`
      : '');
  return [
    plainVariable(apiVariableName('API_BASE_URL', api, host), words),
    secretVariable(
      apiVariableName('API_HEADERS', api, host),
      `Headers of the requests that go to ${fillDefaultVariables(server)}; ${apiVariableName('API_HEADERS', api)} is not for them.`,
    ),
  ];
}

function schemeVariables(owner: string, scheme: SecuritySchemeBinding): EnvironmentVariable[] {
  switch (scheme.type) {
    case 'apiKey':
      return [secretVariable(scheme.env.key, `API key for ${owner}, sent as ${scheme.in} ${scheme.name}.`)];
    case 'basic':
      return [
        plainVariable(scheme.env.username, `User name for ${owner} (HTTP Basic).`),
        secretVariable(scheme.env.password, `Password for ${owner} (HTTP Basic).`),
      ];
    case 'bearer':
      return [secretVariable(scheme.env.token, `Bearer token for ${owner}.`)];
    case 'http':
      return [
        secretVariable(
          scheme.env.authorization,
          `Value for ${owner}, sent as Authorization: ${scheme.scheme} <value>.`,
        ),
      ];
    case 'mutualTLS':
      return [
        secretVariable(
          scheme.env.cert,
          `Client certificate for ${owner} (TLS): PEM, or the path of a file that holds it.`,
        ),
        secretVariable(scheme.env.key, `Its key, likewise; it may stand in the certificate's file.`),
        secretVariable(scheme.env.passphrase, `Passphrase of that key, where it has one.`),
      ];
    case 'oauth2':
      return listOAuthVariables(owner, scheme);
    case 'unsupported':
      return [];
  }
}

function listOAuthVariables(
  owner: string,
  { env, tokenUrl, metadataUrl }: Extract<SecuritySchemeBinding, { type: 'oauth2' }>,
): EnvironmentVariable[] {
  if (tokenUrl === undefined && metadataUrl === undefined)
    return [secretVariable(env.token, `Access token for ${owner}.`)];
  return [
    plainVariable(env.clientId, `OAuth client id for ${owner}.`),
    secretVariable(env.clientSecret, `OAuth client secret for ${owner}.`),
    plainVariable(env.scopes, `Scopes to ask for with ${owner}, separated by spaces.`),
    secretVariable(env.token, `Access token for ${owner}, instead of client id and secret.`),
  ];
}

/** A document may have a thousand tools, so warnings are few and name few tools. */
const MOST_REASONS = 5;
const MOST_NAMES = 5;

/**
 * Returns a sentence or two for each reason. Tools with a handler of their own are left out, and credentials are not demanded
 * if a hook or a token exchange may bring them.
 * @param isListed false for a tool that was deselected
 */
export function findMissingSettings(
  server: ServerInstance,
  bindings: Bindings,
  isListed: (tool: string) => boolean,
): string[] {
  const { tools: own = {} } = server.handlers;
  const names = Object.keys(bindings.tools).filter(isListed);
  const byReason = new Map<string, string[]>();
  for (const name of names) {
    const binding = bindings.tools[name]?.do;
    if (binding?.kind !== 'http' || Object.hasOwn(own, name)) continue;
    const reason = findCallObstacle(server, findApi(bindings, binding), binding);
    if (reason !== undefined) byReason.set(reason, [...(byReason.get(reason) ?? []), name]);
  }
  const rest = [...byReason].slice(MOST_REASONS).flatMap(([, each]) => each);
  const warnings = [...byReason].slice(0, MOST_REASONS);
  if (rest.length > 0) warnings.push(['Each has its own reason, which a call tells.', rest]);
  const words = warnings.map(([reason, each]) => `${nameTools(each, names.length)} ${reason}`);
  const known = [...apiVariables(bindings), CREDENTIALS, { name: 'API_HEADERS' }].map(({ name }) => name);
  return [
    ...warnMisspeltVariables(
      server.env,
      'API_',
      new Set([...known, ...LIMIT_VARIABLES.map(([, name]) => name)]),
    ),
    ...warnIgnoredHeaders(server, bindings),
    ...words,
  ];
}

/** Headers for all APIs would bring the secrets of one to another. */
function warnIgnoredHeaders({ env }: ServerInstance, { upstreams }: Bindings): string[] {
  if (upstreams === undefined || !env['API_HEADERS']) return [];
  const own = upstreams.map(({ name }) => apiVariableName('API_HEADERS', name)).join(', ');
  return [`API_HEADERS is ignored: it goes with one API, and this server has several. Set ${own} instead.`];
}

function findCallObstacle(
  instance: ServerInstance,
  api: UpstreamBinding,
  binding: HttpBinding,
): string | undefined {
  const { auth, env, baseUrl = '', defaultBaseUrl = '', handlers } = instance;
  let server: URL;
  try {
    server = chooseServerUrl(api, binding, { env, baseUrl, defaultBaseUrl });
  } catch (thrown) {
    if (thrown instanceof UpstreamError) return thrown.message;
    throw thrown;
  }
  const fixed = resolveFixedHeaders(api, binding, { env, baseUrl, defaultBaseUrl });
  const access = { api, binding, env, server, fixed };
  const { beforeRequest, upstreamCredentials } = handlers;
  const isBrought = beforeRequest !== undefined || upstreamCredentials !== undefined;
  const isExchanged = auth !== undefined && Boolean(env['MCP_AUTH_EXCHANGE_URI']);
  if (isBrought || isExchanged || chooseRequirement(access) !== undefined) return undefined;
  return `The API needs credentials: in the environment of this server set ${describeUnsetVariables(access)}.`;
}

function nameTools(names: readonly string[], all: number): string {
  if (names.length === all) return 'No tool can be called yet.';
  const more = names.length - MOST_NAMES;
  const rest = more > 0 ? `, and ${more} more` : '';
  return `These tools can't be called yet: ${names.slice(0, MOST_NAMES).join(', ')}${rest}.`;
}
