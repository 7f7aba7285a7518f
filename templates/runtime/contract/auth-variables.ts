// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
import { plainVariable, secretVariable } from './common-variables.ts';
import type { EnvironmentVariable } from './feature.ts';
import { NODES } from './redis-variables.ts';

export const AUTH_VARIABLES: readonly EnvironmentVariable[] = [
  plainVariable(
    'MCP_AUTH_ISSUER',
    'Issuer of the tokens that the server accepts over HTTP, as they name it (iss); several are separated by commas. Required over HTTP.',
  ),
  plainVariable(
    'MCP_AUTH_AUDIENCE',
    'Over HTTP: whom tokens must be meant for (aud), which is the URL of this server, such as https://mcp.example.com/mcp; ' +
      'of several, separated by commas, one is enough. Required there.',
  ),
  plainVariable(
    'MCP_AUTH_RESOURCE',
    'URL of this server as clients know it, where the first of MCP_AUTH_AUDIENCE is none.',
  ),
  plainVariable(
    'MCP_AUTH_JWKS_URI',
    'Where the keys of the issuer are. Without it the issuer is asked (RFC 8414, OpenID Connect Discovery).',
  ),
  plainVariable(
    'MCP_AUTH_ALGORITHMS',
    'Algorithms that tokens may be signed with, separated by commas.',
    'RS256,RS384,RS512,PS256,PS384,PS512,ES256,ES384,ES512,EdDSA,Ed25519',
  ),
  plainVariable(
    'MCP_AUTH_PLAIN_JWT',
    '1: tokens of the type JWT, or of none, count too, which issuers before RFC 9068 send; else at+jwt alone.',
  ),
  plainVariable('MCP_AUTH_TRAILING_SLASH', '1: a slash at the end makes no other audience.'),
  plainVariable('MCP_AUTH_TOLERANCE_SECONDS', 'By how much the clocks of issuer and server may differ.', '5'),
  plainVariable(
    'MCP_AUTH_INTROSPECTION_URI',
    'Where tokens that are no JWT are asked about (RFC 7662). Without it they are refused.',
  ),
  plainVariable('MCP_AUTH_CLIENT_ID', 'Client id by which this server asks about tokens.'),
  secretVariable('MCP_AUTH_CLIENT_SECRET', 'Its secret.'),
  plainVariable(
    'MCP_AUTH_SERVER_POINTER',
    '1: /.well-known/oauth-authorization-server leads to the metadata of the first issuer, for clients of 2025-03-26.',
  ),
];

export const ON_BEHALF_VARIABLES: readonly EnvironmentVariable[] = [
  plainVariable(
    'MCP_AUTH_ON_BEHALF',
    'Where callers have credentials of their own for the API: whether a call without them is refused (required), or goes out ' +
      'with those of the server (optional). The configuration may require it as well.',
    'required',
  ),
  plainVariable(
    'MCP_AUTH_EXCHANGE_URI',
    "Token endpoint that exchanges a caller's token for one that the API takes (RFC 8693). Without it none is exchanged.",
  ),
  plainVariable('MCP_AUTH_EXCHANGE_CLIENT_ID', 'Client id by which this server asks there.'),
  secretVariable('MCP_AUTH_EXCHANGE_CLIENT_SECRET', 'Its secret.'),
  plainVariable('MCP_AUTH_EXCHANGE_CLIENT_AUTH', 'Where both stand: basic (HTTP Basic) or body.', 'basic'),
  plainVariable(
    'MCP_AUTH_EXCHANGE_AUDIENCE',
    'Whom the new token is for, as the token endpoint calls the API; several are separated by commas.',
  ),
  plainVariable('MCP_AUTH_EXCHANGE_RESOURCE', 'The same by URL (RFC 8707); several are separated by commas.'),
  plainVariable(
    'MCP_AUTH_EXCHANGE_SCOPES',
    'Scopes of the new token, separated by spaces. Without it those that the operation needs.',
  ),
  plainVariable(
    'MCP_AUTH_EXCHANGE_SUBJECT_TYPE',
    "Which type the caller's token is said to be: access_token or jwt.",
    'access_token',
  ),
  plainVariable(
    'MCP_AUTH_EXCHANGE_TOKEN_TYPE',
    'Which type is asked for: access_token or jwt.',
    'access_token',
  ),
];

export const BINDING_VARIABLES: readonly EnvironmentVariable[] = [
  plainVariable(
    'MCP_AUTH_DPOP',
    'Tokens that are bound to a key of their client by DPoP (RFC 9449): refused (off), accepted with a proof (allowed), or the only ' +
      'ones that are accepted (required).',
    'off',
  ),
  plainVariable(
    'MCP_AUTH_DPOP_NONCE',
    'required: each proof needs a nonce of the server, no older than five minutes, which costs clients a request more at first.',
    'off',
  ),
  plainVariable(
    'MCP_AUTH_MTLS',
    'allowed: tokens that are bound to a client certificate (RFC 8705) are accepted over connections with that certificate. ' +
      'Needs MCP_TLS_CERT: behind a proxy that ends TLS they are refused.',
    'off',
  ),
  NODES,
];
