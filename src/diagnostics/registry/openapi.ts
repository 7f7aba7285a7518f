/** MCPG2xx: faults of an OpenAPI document, outside its schemas. */
import { defineDiagnostic } from '../define.ts';
import { quoteAsCodeSpan } from '../quoting.ts';
import { documentDiagnostics } from './openapi-documents.ts';

const accessDiagnostics = {
  'invalid-security-scheme': defineDiagnostic<{ name: string; problem: string } | { unknownName: string }>({
    code: 'MCPG224',
    severity: 'warning',
    message: (parameters) =>
      'unknownName' in parameters
        ? `The security requirement ${parameters.unknownName} names an undefined scheme, so the server sends no credential for it.`
        : `The security scheme ${parameters.name} is ignored: ${parameters.problem}.`,
    hint: (parameters) =>
      'unknownName' in parameters
        ? 'Add the scheme to `components/securitySchemes`, or correct the name.'
        : 'A scheme needs a `type` of apiKey, http, oauth2, openIdConnect or mutualTLS, and the members for that type.',
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
  'no-absolute-server': defineDiagnostic<{ example: string }>({
    code: 'MCPG227',
    severity: 'warning',
    message: () => 'The document names no server with an absolute URL, so its tools cannot be called yet.',
    hint: ({ example }) =>
      `Set the base URL, such as ${example}, with \`--base-url\` now, or with API_BASE_URL at run time.`,
  }),
};

const bodyDiagnostics = {
  'field-without-effect': defineDiagnostic<{ field: string; because: string }>({
    code: 'MCPG240',
    severity: 'info',
    message: ({ field, because }) => `${quoteAsCodeSpan(field)} has no effect, since ${because}.`,
    hint: 'Remove it, or move it to where it applies.',
  }),
};

const extensionDiagnostics = {
  'invalid-x-mcp': defineDiagnostic<{ problem: string }>({
    code: 'MCPG228',
    severity: 'warning',
    message: ({ problem }) => `x-mcp is invalid: ${problem}. The member has no effect.`,
    hint: 'x-mcp is true, false, or an object with name, title, description, annotations, scopes, resource, bodyMediaType, arguments, output, fields, pin, icons, enabled and _meta.',
  }),
  'argument-value-reference': defineDiagnostic({
    code: 'MCPG290',
    message: () => 'The value of an argument contains `${`, which `x-mcp` does not replace.',
    hint: 'To send the value of a variable, write `env` with its name: the server reads it at each call.',
  }),
  'invalid-prompt': defineDiagnostic<
    { problem: string } | { placeholder: string; prompt: string; suggestion: string }
  >({
    code: 'MCPG230',
    severity: 'warning',
    message: (parameters) =>
      'placeholder' in parameters
        ? `The prompt ${parameters.prompt} uses {{${parameters.placeholder}}}, but has no such argument. The placeholder stays in the text.`
        : `A prompt of x-mcp-prompts is omitted or incomplete: ${parameters.problem}.`,
    hint: (parameters) => {
      if (!('placeholder' in parameters))
        return 'A prompt needs a name, and `messages` of {role, text} or a `template`.';
      return parameters.suggestion === ''
        ? 'Add it to `arguments`.'
        : `Did you mean \`{{${parameters.suggestion}}}\`?`;
    },
  }),
};

const parameterDiagnostics = {
  'path-parameter-not-declared': defineDiagnostic<{ name: string; path: string }>({
    code: 'MCPG211',
    severity: 'warning',
    message: ({ name, path }) =>
      `No parameter describes the variable {${name}} in the path ${path}. mcpgen adds a required text argument.`,
    hint: 'Add a parameter with this name and `in: path`.',
  }),
  'parameter-ignored': defineDiagnostic<{ parameter: string; problem: string; fix?: string }>({
    code: 'MCPG212',
    severity: 'warning',
    message: ({ parameter, problem }) => `${parameter} is ignored: ${problem}.`,
    hint: ({
      fix = 'A parameter needs a `name` that its place allows, and `in`: path, query, header, cookie, or since OpenAPI 3.2 querystring, which stands for all of the query.',
    }) => fix,
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
