/** MCPG2xx: servers and security schemes. */
import { define } from '../../define.ts';

export const accessDiagnostics = {
  'unknown-security-scheme': define<{ name: string }>({
    code: 'MCPG223',
    severity: 'warning',
    message: ({ name }) =>
      `The security requirement ${name} names an undefined scheme, so the server sends no credential for it.`,
    hint: 'Add the scheme to `components/securitySchemes`, or correct the name.',
    docs: {
      cause: 'The security scheme, which defines how to send the credential, is missing.',
      fix: 'Define the scheme. Names are case-sensitive.',
    },
  }),
  'invalid-security-scheme': define<{ name: string; problem: string }>({
    code: 'MCPG224',
    severity: 'warning',
    message: ({ name, problem }) => `The security scheme ${name} is ignored: ${problem}.`,
    hint: 'A scheme needs a `type` of apiKey, http, oauth2, openIdConnect or mutualTLS, and the members for that type.',
    docs: {
      cause: 'The scheme lacks information that is needed to send a credential.',
      fix: 'Correct the scheme.',
      example: 'securitySchemes: { key: { type: apiKey, in: body } }',
    },
  }),
  'deprecated-security-scheme': define<{ name: string }>({
    code: 'MCPG241',
    severity: 'info',
    message: ({ name }) => `The security scheme ${name} is deprecated. Operations that name it still use it.`,
    hint: 'If operations accept another scheme, set only the environment variables for that one.',
    docs: {
      cause:
        'A Security Scheme Object with `deprecated: true` (OpenAPI 3.2) still works, but new clients should not use it.',
      fix: 'Use another scheme of the document, or ignore this.',
      example: 'securitySchemes: { old: { type: http, scheme: basic, deprecated: true } }',
    },
  }),
  'invalid-server': define<{ problem: string }>({
    code: 'MCPG225',
    severity: 'warning',
    message: ({ problem }) => `A server is ignored: ${problem}.`,
    hint: 'A server needs a `url`, absolute or starting with `/`.',
    docs: {
      cause: 'The server cannot be called as described.',
      fix: 'Correct its URL, or set the base URL with `--base-url`.',
    },
  }),
  'server-variable-without-default': define<{ name: string; url: string; variable: string }>({
    code: 'MCPG226',
    severity: 'warning',
    message: ({ name, url, variable }) =>
      `The variable {${name}} of the server ${url} has no default, so the server cannot be called until ${variable} is set.`,
    hint: 'Add `variables` with a `default`, set that variable at run time, or give the base URL with `--base-url`.',
    docs: {
      cause: 'OpenAPI requires a default for each variable in a server URL.',
      fix: "Add the default, or set `API_SERVER_<VARIABLE>` in the server's environment.",
    },
  }),
  'no-absolute-server': define({
    code: 'MCPG227',
    severity: 'warning',
    message: () => 'The document names no server with an absolute URL, so its tools cannot be called yet.',
    hint: 'Set the base URL with `--base-url` now, or with API_BASE_URL at run time.',
    docs: {
      cause: 'The document has no `servers`, or only relative ones, and was not loaded from a URL.',
      fix: 'Add a server to the document, or give the base URL.',
    },
  }),
};
