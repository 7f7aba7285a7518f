/** MCPG4xx: credentials, their variables and origins, and texts that instruct a model. */
import { defineDiagnostic } from '../define.ts';
import { quoteAsCodeSpan } from '../quoting.ts';

export const securityDiagnostics = {
  'environment-name-clash': defineDiagnostic<{ scheme: string; from: string; to: string }>({
    code: 'MCPG414',
    severity: 'info',
    message: ({ scheme, from, to }) =>
      `Environment variables of the security scheme "${scheme}" end in \`_${to}\`, since those of another scheme would also end in \`_${from}\`.`,
  }),
  'unsupported-security-scheme': defineDiagnostic<{ scheme: string; reason: string }>({
    code: 'MCPG415',
    severity: 'warning',
    message: ({ scheme, reason }) =>
      `The server cannot send credentials for the security scheme "${scheme}". ${reason} The API will refuse calls that need it.`,
    hint: 'Add the credentials in the `beforeRequest` hook of `src/handlers/`.',
  }),
  'impossible-scope': defineDiagnostic<{ scope: string; item: string }>({
    code: 'MCPG426',
    severity: 'warning',
    message: ({ scope, item }) =>
      `Callers of \`${item}\` need the scope ${quoteAsCodeSpan(JSON.stringify(scope))}, which clients cannot request: scopes allow only ASCII without spaces, quotes or backslashes. Only tokens that list it in \`scp\` are accepted.`,
    hint: 'Rename it for this server with `auth.scopeMap`, or set `x-mcp.scopes` on the operation.',
  }),
  'exchange-for-no-scheme': defineDiagnostic<{ scheme: string; suggestion: string }>({
    code: 'MCPG427',
    message: ({ scheme, suggestion }) =>
      `\`auth.exchange\` names ${quoteAsCodeSpan(scheme)}, but the server uses no security scheme with this name that sends a token.${suggestion}`,
    hint: 'Name an `http` scheme with `bearer`, an `oauth2` or an `openIdConnect` scheme. With several APIs, use `<api>/<scheme>`.',
  }),
  'variable-of-two': defineDiagnostic<
    { variable: string; owner: string; other: string } | { documents: string }
  >({
    code: 'MCPG428',
    message: (parameters) =>
      'documents' in parameters
        ? `Two documents of this server are called ${parameters.documents}, so one could receive the environment variables of the other.`
        : `The environment variable ${parameters.variable} would apply to both ${quoteAsCodeSpan(parameters.other)} and ${quoteAsCodeSpan(parameters.owner)}, so one could receive the value of the other.`,
    hint: (parameters) =>
      'documents' in parameters
        ? 'Give each one a `prefix` in `sources`.'
        : 'Rename one of them in the document or with an overlay, or omit the operations of one with `--exclude`.',
  }),
  'credentials-unencrypted': defineDiagnostic<{ origin: string; credentials: string }>({
    code: 'MCPG431',
    severity: 'warning',
    message: ({ origin, credentials }) =>
      `${credentials} would be sent to ${origin} without TLS, so anyone on the network path can read them.`,
    hint: 'Write the https URL under `servers`, or set it with `--base-url` (`baseUrl` in a configuration).',
  }),
  'server-inward': defineDiagnostic<{ origin: string }>({
    code: 'MCPG432',
    severity: 'warning',
    message: ({ origin }) =>
      `A document from the internet names the server ${origin}, an address in the private network of this MCP server.`,
    hint: 'Set the URL of the API with `baseUrl`.',
  }),
  'token-endpoint-elsewhere': defineDiagnostic<{ origin: string; credential: string }>({
    code: 'MCPG433',
    severity: 'warning',
    message: ({ origin, credential }) =>
      `${credential} would be sent to ${origin}, a different site than the API.`,
    hint: 'Check that the documentation of the API names this authorization server.',
  }),
  'instruction-like-text': defineDiagnostic<{ what: string; words: string }>({
    code: 'MCPG440',
    severity: 'warning',
    message: ({ what, words }) => `${what} reads like an instruction to a model: "${words}".`,
    hint: 'Check the whole text. Reword it with an overlay or `x-mcp.description`, or omit the operation with `--exclude`.',
  }),
  'credentials-if-set': defineDiagnostic<{ schemes: string } | { operations: number; servers: string }>({
    code: 'MCPG441',
    severity: 'info',
    message: (parameters) => {
      if ('schemes' in parameters)
        return `The document has no \`security\`, so each call sends the credentials of ${parameters.schemes} that are set.`;
      const { operations, servers } = parameters;
      return `${operations} ${operations === 1 ? 'operation has a server of its own' : 'operations have servers of their own'} (${servers}): credentials are not sent there.`;
    },
    hint: (parameters) =>
      'servers' in parameters
        ? 'Add `security` to the operations that need them, in the document or with an overlay.'
        : 'To send them only where an operation demands them, add `security: []` to the root of the document with an overlay.',
  }),
  'parameter-is-credential': defineDiagnostic<{
    name: string;
    place: string;
    operations: number;
    holds: string;
  }>({
    code: 'MCPG443',
    severity: 'info',
    message: ({ name, place, operations, holds }) =>
      `The ${place} parameter ${name} of ${operations} ${operations === 1 ? 'operation' : 'operations'} ${holds}: its value comes from the environment, not from an argument.`,
    hint: 'To keep an argument, set `x-mcp: { argument: true }` on the parameter.',
  }),
};
