/** MCPG2xx: where an API is, and what it asks of callers. */
import { define } from '../../define.ts';

export const accessDiagnostics = {
  'unknown-security-scheme': define<{ name: string }>({
    code: 'MCPG223',
    severity: 'warning',
    message: ({ name }) =>
      `The security requirement ${name} names a scheme that the document does not describe, so no credential is sent for it.`,
    hint: 'Add the scheme to `components/securitySchemes`, or correct the name.',
    docs: {
      cause: 'How to send the credential is written in the security scheme, which is missing.',
      fix: 'Describe the scheme. Names are case-sensitive.',
    },
  }),
  'invalid-security-scheme': define<{ name: string; problem: string }>({
    code: 'MCPG224',
    severity: 'warning',
    message: ({ name, problem }) => `The security scheme ${name} is ignored: ${problem}.`,
    hint: 'A scheme has a `type` of apiKey, http, oauth2, openIdConnect or mutualTLS, and what that type needs.',
    docs: {
      cause: 'The scheme lacks what is needed to send a credential.',
      fix: 'Correct the scheme.',
      example: 'securitySchemes: { key: { type: apiKey, in: body } }',
    },
  }),
  'deprecated-security-scheme': define<{ name: string }>({
    code: 'MCPG241',
    severity: 'info',
    message: ({ name }) => `The security scheme ${name} is deprecated. It is used where operations name it.`,
    hint: 'Where operations accept another scheme too, set the environment variables of that one alone.',
    docs: {
      cause:
        'A Security Scheme Object may say `deprecated: true` (OpenAPI 3.2): it works still, and should not be used in new work.',
      fix: 'Choose another scheme that the document offers, or ignore this.',
      example: 'securitySchemes: { old: { type: http, scheme: basic, deprecated: true } }',
    },
  }),
  'invalid-server': define<{ problem: string }>({
    code: 'MCPG225',
    severity: 'warning',
    message: ({ problem }) => `A server is ignored: ${problem}.`,
    hint: 'A server has a `url`, absolute or starting with `/`.',
    docs: {
      cause: 'The server cannot be called as it is described.',
      fix: 'Correct its URL, or set the base URL with `--base-url`.',
    },
  }),
  'server-variable-without-default': define<{ name: string; url: string; variable: string }>({
    code: 'MCPG226',
    severity: 'warning',
    message: ({ name, url, variable }) =>
      `The variable {${name}} of the server ${url} has no default, so the server cannot be called before ${variable} is set.`,
    hint: 'Add `variables` with a `default`, set that variable when the server runs, or give the base URL with `--base-url`.',
    docs: {
      cause: 'OpenAPI demands a default for each variable of a server URL.',
      fix: 'Add the default, or set `API_SERVER_<VARIABLE>` in the environment of the server.',
    },
  }),
  'no-absolute-server': define({
    code: 'MCPG227',
    severity: 'warning',
    message: () =>
      'The document does not say where the API is, so its tools cannot be called yet: it names no server with an absolute URL.',
    hint: 'Set the base URL with `--base-url` now, or with API_BASE_URL when the server runs.',
    docs: {
      cause: 'The document has no `servers`, or only relative ones, and was not loaded from a URL.',
      fix: 'Add a server to the document, or give the base URL.',
    },
  }),
};
