/** The environment variables of a server's own APIs, for help, `.env.example` and the README. */
import { exampleBaseUrl } from '../model/base-url.ts';
import { type Bindings, type ServerBinding, type UpstreamBinding, listApis } from '../model/bindings.ts';
import { plainVariable, secretVariable, type EnvironmentVariable } from './environment-variable.ts';
import { listHeaderVariables } from '../util/http-syntax.ts';
import { apiVariableName, serverChoiceVariableName } from '../model/variable-names.ts';
import { variableSuffixOfHost } from '../model/credential-origins.ts';
import { listSchemeVariables } from './scheme-variables.ts';

const MOST_URLS = 3;
const MOST_SERVERS = 10;

const CREDENTIALS = plainVariable(
  'API_CREDENTIALS',
  'required: no call without credentials, also where the API allows it; optional: calls are sent without those that are not set. By default the document decides.',
);

export function listApiVariables(bindings: Pick<Bindings, 'upstream' | 'upstreams'>): EnvironmentVariable[] {
  return dropDuplicateVariables(listApis(bindings).flatMap(listUpstreamVariables));
}

/** Two schemes share a variable if their names differ only in punctuation. */
function dropDuplicateVariables(variables: EnvironmentVariable[]): EnvironmentVariable[] {
  return [...new Map(variables.map((variable) => [variable.name, variable])).values()];
}

export function listUpstreamVariables(upstream: UpstreamBinding | undefined): EnvironmentVariable[] {
  if (upstream === undefined) return [];
  const { name: api, servers, otherServers = [] } = upstream;
  const schemes = Object.entries(upstream.securitySchemes);
  const ofApi = api === undefined ? '' : ` of the API ${api}`;
  const subject = api === undefined ? 'the API' : `the API ${api}`;
  return dropDuplicateVariables([
    makeBaseUrlVariable(servers, servers.length + otherServers.length > 1, api),
    ...listServerVariables([...servers.slice(0, 1), ...otherServers], api),
    ...schemes.flatMap(([scheme, binding]) =>
      listSchemeVariables(binding).map(({ name, isSecret, holds, rest = '.' }) =>
        (isSecret ? secretVariable : plainVariable)(
          name,
          `${holds} for the security scheme ${scheme}${ofApi}${rest}`,
        ),
      ),
    ),
    ...(schemes.length === 0 ? [] : [CREDENTIALS]),
    ...listVariablesOfHeaders(upstream),
    ...Object.entries(upstream.argumentVariables ?? {}).map(([name, sent]) =>
      (/key|token|secret|passw|credential/i.test(name) || sent.some(isHeader)
        ? secretVariable
        : plainVariable)(name, `Sent to ${subject} as ${sent.join(', ')}.`),
    ),
    ...otherServers.flatMap((server) => listOtherServerVariables(server, schemes.length > 0, api)),
  ]);
}

/** As the compiler names headers of single tools, whose variables hold secrets. */
const isHeader = (name: string): boolean => name.startsWith('header ');

/** Without a default if there are other servers or variables of servers: set to it, the variable would overrule them. */
function makeBaseUrlVariable(
  servers: ServerBinding[],
  isOneOfSeveral: boolean,
  api: string | undefined,
): EnvironmentVariable {
  const [server] = servers;
  const url = server === undefined ? '' : fillDefaultVariables(server);
  const isAbsolute = /^https?:\/\//i.test(url);
  const isChoice = isOneOfSeveral || server?.variables !== undefined;
  const subject = api === undefined ? 'the API' : `the API ${api}`;
  const others = servers.length > 1 ? ` The document has also ${describeServers(servers.slice(1))}.` : '';
  const description = isAbsolute
    ? `Base URL of ${subject}; replaces ${isChoice ? `those of the document, ${url} first` : 'the one of the document'}, path included.${others}`
    : `Base URL of ${subject}, such as ${exampleBaseUrl(servers)}. Required: the document names no server by a full URL.`;
  const value = isAbsolute && !isChoice ? url : undefined;
  return {
    ...plainVariable(apiVariableName('API_BASE_URL', api), description, value),
    required: !isAbsolute,
  };
}

export function fillDefaultVariables({ url, variables = {} }: ServerBinding): string {
  return url.replace(/\{([^{}]*)\}/g, (whole, name: string) =>
    Object.hasOwn(variables, name) ? (variables[name]?.default ?? whole) : whole,
  );
}

function describeServers(servers: readonly ServerBinding[]): string {
  const listed = servers.slice(0, MOST_SERVERS).map(({ name, description, url }) => {
    const label = name ?? description;
    return label === undefined ? url : `${url} (${label})`;
  });
  return `${listed.join(', ')}${servers.length > MOST_SERVERS ? ', …' : ''}`;
}

/** A variable of several servers counts for each, and has no default if theirs differ. */
function listServerVariables(servers: ServerBinding[], api: string | undefined): EnvironmentVariable[] {
  const uses = servers.flatMap(({ url, variables = {} }) =>
    Object.entries(variables).map(([name, variable]) => ({ name, url, ...variable })),
  );
  const names = new Set(uses.map(({ name }) => serverChoiceVariableName(name, api)));
  return [...names].map((variable) => {
    const same = uses.filter(({ name }) => serverChoiceVariableName(name, api) === variable);
    const urls = [...new Set(same.map(({ url }) => url))].slice(0, MOST_URLS).join(' and ');
    const allowed = findCommonValue(same.map((one) => one.enum?.join(', ')));
    const value = findCommonValue(same.map((one) => one.default));
    const description = `Value of {${same[0]?.name ?? variable}} in the server URL ${urls}`;
    return plainVariable(variable, `${description}${allowed === undefined ? '' : `: ${allowed}`}.`, value);
  });
}

function findCommonValue(values: (string | undefined)[]): string | undefined {
  return new Set(values).size === 1 ? values[0] : undefined;
}

/** The variable of the only API is a row of its feature. */
function listVariablesOfHeaders({ name: api, headers = {} }: UpstreamBinding): EnvironmentVariable[] {
  const headerTexts = Object.entries(headers).flatMap(([header, text]) =>
    listHeaderVariables({ header: text }).map((name) =>
      secretVariable(name, `Part of the header ${header} of requests to the API.`),
    ),
  );
  if (api === undefined) return headerTexts;
  const description = `Headers of requests to the API ${api}, as lines "Name: value".`;
  return [...headerTexts, secretVariable(apiVariableName('API_HEADERS', api), description)];
}

function listOtherServerVariables(
  server: ServerBinding,
  hasCredentials: boolean,
  api: string | undefined,
): EnvironmentVariable[] {
  const host = variableSuffixOfHost(server);
  if (host === undefined) return [];
  const description =
    `Base URL in place of ${fillDefaultVariables(server)}, where some of the operations are. Without it ${apiVariableName('API_BASE_URL', api)}, ` +
    'where that is set, stands for this one too.' +
    (hasCredentials
      ? ` Credentials of its own: the variables of a security scheme with _${host} at the end.`
      : '');
  return [
    plainVariable(apiVariableName('API_BASE_URL', api, host), description),
    secretVariable(
      apiVariableName('API_HEADERS', api, host),
      `Headers of the requests that go to ${fillDefaultVariables(server)}; ${apiVariableName('API_HEADERS', api)} is not for them.`,
    ),
  ];
}
