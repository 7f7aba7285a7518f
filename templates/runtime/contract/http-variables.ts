// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Flags and variables of the feature `http`. */
import { plainVariable, secretVariable } from './common-variables.ts';
import { DEFAULT_LIMITS, type EnvironmentVariable, type Feature, HTTP_LIMIT_VARIABLES } from './feature.ts';
import { limitVariables } from './limit-variables.ts';

export const HTTP_FLAGS: NonNullable<Feature['flags']> = {
  port: { value: 'n', example: '8080', help: 'HTTP port. Default: $PORT, else 3000' },
  host: {
    value: 'address',
    example: '127.0.0.1',
    help: 'HTTP address to bind; 0.0.0.0 lets other machines in. Default: 127.0.0.1',
  },
  path: { value: 'path', example: '/mcp', help: 'HTTP path of the endpoint. Default: /mcp' },
  'tls-cert': {
    value: 'file',
    example: './cert.pem',
    help: 'Serve HTTPS with this certificate (PEM), read again when it changes. Default: $MCP_TLS_CERT, else no TLS',
  },
  'tls-key': {
    value: 'file',
    example: './key.pem',
    help: 'Key of that certificate (PEM). Default: $MCP_TLS_KEY, else the file of the certificate',
  },
  'trusted-proxy': {
    value: 'address',
    example: '10.0.0.0/8',
    help: 'Proxy, or block of proxies, whose X-Forwarded-For names the client. Default: $MCP_TRUSTED_PROXIES, else none',
    repeatable: true,
  },
  connections: {
    value: 'n|off',
    example: '500',
    help: 'Open connections of one address; with --transport http. The lower of this and $MCP_CONNECTIONS. Default: 4000',
  },
  stateless: {
    help: 'Open no sessions: each request stands alone, and any node answers it; with --transport http. Default: $MCP_STATELESS',
  },
};

export const HTTP_VARIABLES: readonly EnvironmentVariable[] = [
  plainVariable('PORT', 'Port of the HTTP transport if --port is absent.', '3000'),
  plainVariable(
    'MCP_ALLOWED_ORIGINS',
    'Origins of web pages that may call over HTTP, separated by commas, such as https://app.example. ' +
      'On a loopback address pages of this machine always may.',
  ),
  plainVariable(
    'MCP_ALLOWED_HOSTS',
    'Host names that HTTP requests may use, without ports, separated by commas, such as mcp.example.com. If unset, any; on a ' +
      'loopback address those of this machine and of MCP_ALLOWED_ORIGINS.',
  ),
  plainVariable(
    'MCP_TRUSTED_PROXIES',
    'Addresses of proxies, or blocks such as 10.0.0.0/8, separated by commas, whose X-Forwarded-For names the client; ' +
      '--trusted-proxy wins. If unset, X-Forwarded-For is ignored.',
  ),
  plainVariable(
    'MCP_TLS_CERT',
    'File of the certificate (PEM) for HTTPS; --tls-cert wins. If unset, the server speaks HTTP.',
  ),
  plainVariable(
    'MCP_TLS_KEY',
    'File of its key (PEM); --tls-key wins. If unset, the key is read from the file of the certificate.',
  ),
  secretVariable('MCP_TLS_PASSPHRASE', 'Passphrase of that key, if it has one.'),
  plainVariable(
    'MCP_CONNECTIONS',
    'Open HTTP connections of one address, or off; the lower of this and --connections. Those of trusted proxies are not counted. If both are unset: 4000.',
  ),
  plainVariable(
    'MCP_DRAIN_DELAY_MS',
    'Milliseconds for which requests are still taken after SIGTERM, while /readyz answers 503: balancers need time to notice it.',
    '0',
  ),
  plainVariable(
    'MCP_WELL_KNOWN_OPENAI_APPS_CHALLENGE',
    'Text at /.well-known/openai-apps-challenge, by which ChatGPT checks the domain. Any MCP_WELL_KNOWN_<NAME> is served at ' +
      '/.well-known/<name>, as text.',
  ),
  plainVariable('MCP_STATELESS', '1: no sessions are opened, like --stateless.', '0'),
  ...limitVariables(HTTP_LIMIT_VARIABLES, DEFAULT_LIMITS),
];
