/** The environment variables of every server, whatever it was made of. */
import { DEFAULT_LIMITS } from '../limits.ts';
import { defaultUpstreamLimits } from '../upstream-limits.ts';
import { type EnvironmentVariable, plain, secret } from '../contract/environment-variable.ts';
import { HTTP_LIMIT_VARIABLES, LIMIT_VARIABLES, type LimitVariable } from './limit-variables.ts';

/** Those of every server, after those of its API. */
export const SERVER_VARIABLES: readonly (EnvironmentVariable & { needsApi?: true })[] = [
  { ...plain('PORT', 'Port of the HTTP transport, where --port says nothing.'), default: '3000' },
  plain(
    'MCP_ALLOWED_ORIGINS',
    'Origins of web pages that may call over HTTP or WebSocket, separated by commas, such as https://app.example. ' +
      'On a loopback address pages of this machine may in any case.',
  ),
  plain(
    'MCP_ALLOWED_HOSTS',
    'Names that the HTTP server is called by, without ports, separated by commas, such as mcp.example.com. Without it ' +
      'any, but on a loopback address those of this machine and of MCP_ALLOWED_ORIGINS.',
  ),
  plain(
    'MCP_TRUSTED_PROXIES',
    'Addresses of proxies, or blocks such as 10.0.0.0/8, separated by commas, whose X-Forwarded-For says where requests ' +
      'come from; --trusted-proxy wins. Without it nobody is believed.',
  ),
  plain(
    'MCP_TLS_CERT',
    'File of the certificate (PEM) that HTTPS is served with; --tls-cert wins. Without it: HTTP.',
  ),
  plain(
    'MCP_TLS_KEY',
    'File of its key (PEM); --tls-key wins. Without it the key stands in the file of the certificate.',
  ),
  secret('MCP_TLS_PASSPHRASE', 'Passphrase of that key, where it has one.'),
  plain(
    'MCP_RATE_LIMIT',
    'Calls a minute of one client, by its subject or else its address, or off; --rate-limit wins. Without it: 6000 over ' +
      'HTTP, no limit on stdio.',
  ),
  plain(
    'MCP_CONNECTIONS',
    'Connections over HTTP of one address open at one time, or off; --connections wins. Those of trusted ' +
      'proxies are not counted. Without it: 4000.',
  ),
  ...HTTP_LIMIT_VARIABLES.map(({ limit, name, description }) => ({
    ...plain(name, description),
    default: String(DEFAULT_LIMITS[limit]),
  })),
  plain(
    'MCP_AUDIT',
    'Where a JSON line is written for each call of a tool: a file, or stderr; --audit wins. Without it none is.',
  ),
  {
    ...plain(
      'MCP_AUDIT_ARGUMENTS',
      'What such a line shows of arguments: types, or full for values without secrets.',
    ),
    default: 'types',
  },
  ofApi(
    plain(
      'MCP_PASS_HEADERS',
      'Headers of HTTP requests that go on to the API, separated by commas, such as X-Tenant; --pass-header wins.',
    ),
  ),
  ofApi(
    secret(
      'HTTPS_PROXY',
      'Proxy for an API at https, such as http://proxy.example:3128; HTTP_PROXY for one at http. NO_PROXY names hosts ' +
        'that need none, separated by commas; this machine never does.',
    ),
  ),
  ofApi(
    plain(
      'NODE_EXTRA_CA_CERTS',
      'File of certificates (PEM) of authorities that are trusted too. From the environment alone.',
    ),
  ),
  plain(
    'MCP_DOTENV',
    'File of variables that is read instead of .env beside package.json; --dotenv wins. From the environment alone.',
  ),
  plain(
    'MCP_MOCK',
    '1: no API and no function is called, and answers are made up from examples and schemas; as --mock.',
  ),
  ofApi(
    plain(
      'MCP_FILES_ROOT',
      'Folder whose files calls may send, as file:<path>, and where answers of many bytes are saved; --files wins. ' +
        'Without it there is none.',
    ),
  ),
  ...LIMIT_VARIABLES.map(ofLimit).map(ofApi),
  secret(
    'MCP_STATE_SECRET',
    'Signs what a call keeps between its questions to a client: 32 characters or more, the same for all instances ' +
      'of this server. Without it each process makes its own.',
  ),
];

/** Those of them that have an effect. */
export function variablesOfServer({ hasApi = true }: { hasApi?: boolean }): readonly EnvironmentVariable[] {
  return hasApi ? SERVER_VARIABLES : SERVER_VARIABLES.filter(({ needsApi }) => needsApi !== true);
}

/** Only calls of an API heed it. */
function ofApi(variable: EnvironmentVariable): EnvironmentVariable & { needsApi: true } {
  return { ...variable, needsApi: true };
}

function ofLimit({ limit, name, description }: LimitVariable): EnvironmentVariable {
  const value = defaultUpstreamLimits[limit];
  return { ...plain(name, description), ...(value === undefined ? {} : { default: String(value) }) };
}
