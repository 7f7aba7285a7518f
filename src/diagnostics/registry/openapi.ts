/** MCPG2xx: faults of an OpenAPI document, outside its schemas. */
import { defineDiagnostic } from '../define.ts';
import { quoteAsCodeSpan } from '../quoting.ts';
import { documentDiagnostics } from './openapi-documents.ts';

const accessDiagnostics = {
  'unknown-security-scheme': defineDiagnostic<{ name: string }>({
    code: 'MCPG223',
    severity: 'warning',
    message: ({ name }) =>
      `The security requirement ${name} names an undefined scheme, so the server sends no credential for it.`,
    hint: 'Add the scheme to `components/securitySchemes`, or correct the name.',
  }),
  'invalid-security-scheme': defineDiagnostic<{ name: string; problem: string }>({
    code: 'MCPG224',
    severity: 'warning',
    message: ({ name, problem }) => `The security scheme ${name} is ignored: ${problem}.`,
    hint: 'A scheme needs a `type` of apiKey, http, oauth2, openIdConnect or mutualTLS, and the members for that type.',
  }),
  'deprecated-security-scheme': defineDiagnostic<{ name: string }>({
    code: 'MCPG241',
    severity: 'info',
    message: ({ name }) => `The security scheme ${name} is deprecated. Operations that name it still use it.`,
    hint: 'If operations accept another scheme, set only the environment variables for that one.',
  }),
  'invalid-server': defineDiagnostic<{ problem: string }>({
    code: 'MCPG225',
    severity: 'warning',
    message: ({ problem }) => `A server is ignored: ${problem}.`,
    hint: 'A server needs a `url`, absolute with a host, or starting with `/`.',
  }),
  'server-variable-without-default': defineDiagnostic<{ name: string; url: string; variable: string }>({
    code: 'MCPG226',
    severity: 'warning',
    message: ({ name, url, variable }) =>
      `The variable {${name}} of the server ${url} has no default, so the server cannot be called until ${variable} is set.`,
    hint: 'Add `variables` with a `default`, set that variable at run time, or give the base URL with `--base-url`.',
  }),
  'no-absolute-server': defineDiagnostic({
    code: 'MCPG227',
    severity: 'warning',
    message: () => 'The document names no server with an absolute URL, so its tools cannot be called yet.',
    hint: 'Set the base URL with `--base-url` now, or with API_BASE_URL at run time.',
  }),
};

const bodyDiagnostics = {
  'several-bodies': defineDiagnostic<{ operation: string }>({
    code: 'MCPG233',
    severity: 'warning',
    message: ({ operation }) =>
      `${operation} describes its body more than once. The first body parameter is used.`,
    hint: 'Use one `in: body` parameter, or only `in: formData` ones.',
  }),
  'part-header-left-out': defineDiagnostic<{ name: string }>({
    code: 'MCPG239',
    severity: 'warning',
    message: ({ name }) =>
      `The required header ${name} of a part is not sent, since it has no fixed value. The API may refuse the call.`,
    hint: 'To send it, add a `const`, a single `enum` value or a `default` to its schema.',
  }),
  'field-without-effect': defineDiagnostic<{ field: string; because: string }>({
    code: 'MCPG240',
    severity: 'info',
    message: ({ field, because }) => `${quoteAsCodeSpan(field)} has no effect, since ${because}.`,
    hint: 'Remove it, or move it to where it applies.',
  }),
};

const extensionDiagnostics = {
  'invalid-x-mcp': defineDiagnostic<{ key: string; expected: string }>({
    code: 'MCPG228',
    severity: 'warning',
    message: ({ key, expected }) => `${key} should be ${expected}. It is ignored.`,
    hint: 'x-mcp is true, false, or an object with name, title, description, annotations, scopes, resource, bodyMediaType, arguments, output, fields, pin, icons and _meta.',
  }),
  'argument-value-reference': defineDiagnostic({
    code: 'MCPG290',
    severity: 'error',
    message: () => 'The value of an argument contains `${`, which `x-mcp` does not replace.',
    hint: 'To send the value of a variable, write `env` with its name: the server reads it at each call.',
  }),
  'misplaced-argument-rule': defineDiagnostic({
    code: 'MCPG291',
    severity: 'warning',
    message: () => '`x-mcp` has no effect here, because this schema is no argument of a tool.',
    hint: 'Write it at a parameter itself (not at its `schema`), at a top-level property of a body, or in `x-mcp.arguments` of the operation.',
  }),
  'unknown-x-mcp-key': defineDiagnostic<{ key: string; suggestion: string }>({
    code: 'MCPG229',
    severity: 'warning',
    message: ({ key }) => `x-mcp has no member ${key}, so it has no effect.`,
    hint: ({ suggestion }) =>
      suggestion === ''
        ? 'Members are name, title, description, annotations, scopes, resource, icons, _meta, arguments, output, fields and enabled.'
        : `Did you mean \`${suggestion}\`?`,
  }),
  'invalid-prompt': defineDiagnostic<{ problem: string }>({
    code: 'MCPG230',
    severity: 'warning',
    message: ({ problem }) => `A prompt of x-mcp-prompts is omitted or incomplete: ${problem}.`,
    hint: 'A prompt needs a name, and `messages` of {role, text} or a `template`.',
  }),
  'unknown-prompt-placeholder': defineDiagnostic<{ placeholder: string; prompt: string; suggestion: string }>(
    {
      code: 'MCPG231',
      severity: 'warning',
      message: ({ placeholder, prompt }) =>
        `The prompt ${prompt} uses {{${placeholder}}}, but has no such argument. The placeholder stays in the text.`,
      hint: ({ suggestion }) =>
        suggestion === '' ? 'Add it to `arguments`.' : `Did you mean \`{{${suggestion}}}\`?`,
    },
  ),
};

const parameterDiagnostics = {
  'path-parameter-not-declared': defineDiagnostic<{ name: string; path: string }>({
    code: 'MCPG211',
    severity: 'warning',
    message: ({ name, path }) =>
      `No parameter describes the variable {${name}} in the path ${path}. mcpgen adds a required text argument.`,
    hint: 'Add a parameter with this name and `in: path`.',
  }),
  'parameter-ignored': defineDiagnostic<{ parameter: string; problem: string }>({
    code: 'MCPG212',
    severity: 'warning',
    message: ({ parameter, problem }) => `${parameter} is ignored: ${problem}.`,
    hint: 'A parameter needs a `name` that its place allows, and `in`: path, query, header, cookie, or since OpenAPI 3.2 querystring, which stands for all of the query.',
  }),
  'header-parameter-ignored': defineDiagnostic<{ name: string }>({
    code: 'MCPG218',
    severity: 'info',
    message: ({ name }) =>
      `The header parameter ${name} is ignored, since the request sets this header itself.`,
    hint: 'Accept and Content-Type come from the media types, Authorization from the security schemes, and headers of the connection from the HTTP client.',
  }),
  'parameter-without-schema': defineDiagnostic<{ name: string }>({
    code: 'MCPG220',
    severity: 'warning',
    message: ({ name }) =>
      `The parameter ${name} has neither schema nor content, so its argument accepts anything.`,
    hint: 'Add a `schema`.',
  }),
  'invalid-style': defineDiagnostic<{ name: string; setting: string; place: string }>({
    code: 'MCPG221',
    severity: 'warning',
    message: ({ name, setting, place }) =>
      `The parameter ${name} has ${quoteAsCodeSpan(setting)}, which is not valid for ${place}. The default is used.`,
    hint: 'Query: form, spaceDelimited, pipeDelimited, deepObject. Path: simple, label, matrix. Header: simple. Cookie: form, cookie. Swagger 2.0 has csv, ssv, tsv and pipes, and multi for the outer list in a query or form.',
  }),
};

export const openapiDiagnostics = {
  ...documentDiagnostics,
  ...parameterDiagnostics,
  ...bodyDiagnostics,
  ...accessDiagnostics,
  ...extensionDiagnostics,
};
