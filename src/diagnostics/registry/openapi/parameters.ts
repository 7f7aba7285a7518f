/** MCPG2xx: parameters of operations. */
import { codeSpan } from '../../code-span.ts';
import { define } from '../../define.ts';

export const parameterDiagnostics = {
  'path-parameter-not-declared': define<{ name: string; path: string }>({
    code: 'MCPG211',
    severity: 'warning',
    message: ({ name, path }) =>
      `No parameter describes the variable {${name}} in the path ${path}. mcpgen adds a required text argument.`,
    hint: 'Add a parameter with this name and `in: path`.',
    docs: {
      cause:
        'The request needs a value for each variable, so mcpgen adds an argument without type or description.',
      fix: 'Describe the parameter at the operation or the path.',
      example: '/pets/{petId}:\n  get: { responses: {} }',
    },
  }),
  'path-parameter-not-in-path': define<{ name: string; path: string }>({
    code: 'MCPG212',
    severity: 'warning',
    message: ({ name, path }) => `The path parameter ${name} does not occur in ${path}, so it is ignored.`,
    hint: 'Correct the name, or add {name} to the path.',
    docs: {
      cause:
        'The value of a path parameter replaces `{name}` in the path. Without that place, it cannot be sent.',
      fix: 'Correct the name, the path, or `in`.',
      example:
        '/pets:\n  get:\n    parameters: [{ name: petId, in: path, required: true, schema: { type: string } }]',
    },
  }),
  'parameter-without-name': define<{ operation: string }>({
    code: 'MCPG215',
    severity: 'warning',
    message: ({ operation }) =>
      `A parameter of ${operation} has no name, so it cannot be sent. It is ignored.`,
    hint: 'Add `name` and `in`.',
    docs: {
      cause: '`name` and `in` identify a parameter; both are required.',
      fix: 'Add the name.',
      example: 'parameters: [{ in: query, schema: { type: string } }]',
    },
  }),
  'unknown-parameter-location': define<{ name: string; location: string }>({
    code: 'MCPG216',
    severity: 'warning',
    message: ({ name, location }) =>
      location === ''
        ? `The parameter ${name} has no \`in\`, so its location is unknown. It is ignored.`
        : `The parameter ${name} has ${codeSpan(`in: ${location}`)}, which is not a valid location. It is ignored.`,
    hint: 'Use path, query, header or cookie (or querystring, since OpenAPI 3.2).',
    docs: {
      cause:
        'The location of a parameter is unknown. `body` and `formData` belong to Swagger 2.0; OpenAPI 3 uses `requestBody`.',
      fix: 'Correct `in`.',
      example: 'parameters: [{ name: id, in: url, schema: { type: string } }]',
    },
  }),
  'duplicate-parameter': define<{ name: string; location: string }>({
    code: 'MCPG217',
    severity: 'warning',
    message: ({ name, location }) =>
      `The ${location} parameter ${name} is declared twice. The first one is used.`,
    hint: 'Remove one of them.',
    docs: {
      cause:
        'A list of parameters may contain each pair of `name` and `in` once. An operation may override a parameter of its path.',
      fix: 'Remove the second declaration.',
    },
  }),
  'reserved-header-parameter': define<{ name: string }>({
    code: 'MCPG218',
    severity: 'info',
    message: ({ name }) =>
      `The header parameter ${name} is ignored, since OpenAPI defines this header elsewhere.`,
    hint: 'Accept and Content-Type come from the media types, Authorization from the security schemes.',
    docs: {
      cause:
        'OpenAPI ignores header parameters named Accept, Content-Type and Authorization. If no successful response has a media type, the enum and default of an Accept parameter still apply.',
      fix: 'Nothing, if the document describes media types and security schemes.',
    },
  }),
  'connection-header-parameter': define<{ name: string }>({
    code: 'MCPG236',
    severity: 'info',
    message: ({ name }) =>
      `The header parameter ${name} is ignored, since only the HTTP client knows its value.`,
    hint: 'Remove such headers from the document.',
    docs: {
      cause:
        'Headers such as Host, Content-Length and Transfer-Encoding describe the message itself (RFC 9110, RFC 9112).',
      fix: 'Nothing: the server always sends the correct value.',
      example: 'parameters: [{ name: Host, in: header, schema: { type: string } }]',
    },
  }),
  'invalid-parameter-name': define<{ name: string; location: string }>({
    code: 'MCPG219',
    severity: 'warning',
    message: ({ name, location }) =>
      `${JSON.stringify(name)} is not a valid name of a ${location}, so the parameter is ignored.`,
    hint: 'Names of headers and cookies contain letters, digits and a few symbols, but no spaces.',
    docs: {
      cause:
        'The name is not a token (RFC 9110). Sending it would break the request or inject another header.',
      fix: 'Correct the name.',
      example: 'parameters: [{ name: "X Id", in: header, schema: { type: string } }]',
    },
  }),
  'parameter-without-schema': define<{ name: string }>({
    code: 'MCPG220',
    severity: 'warning',
    message: ({ name }) =>
      `The parameter ${name} has neither schema nor content, so its argument accepts anything.`,
    hint: 'Add a `schema`.',
    docs: {
      cause: 'Without a schema, a model cannot know which values are valid.',
      fix: 'Add `schema`, or `content` with one media type.',
    },
  }),
  'invalid-style': define<{ name: string; style: string; location: string }>({
    code: 'MCPG221',
    severity: 'warning',
    message: ({ name, style, location }) =>
      `The style ${style} of the parameter ${name} is not valid for ${location}. The default style is used.`,
    hint: 'Query: form, spaceDelimited, pipeDelimited, deepObject. Path: simple, label, matrix. Header: simple. Cookie: form, cookie.',
    docs: {
      cause: 'Each location has its own styles, so the intended encoding is unknown.',
      fix: 'Correct or remove `style`.',
    },
  }),
  'invalid-collection-format': define<{ name: string; format: string; place: string }>({
    code: 'MCPG222',
    severity: 'warning',
    message: ({ name, format, place }) =>
      `The parameter ${name} has ${codeSpan(`collectionFormat: ${format}`)}, which is not valid for ${place}. Commas join its items.`,
    hint: 'Use csv, ssv, tsv or pipes, or multi for the outer list in a query or form.',
    docs: {
      cause:
        'Swagger 2.0 has csv, ssv, tsv and pipes, and in a query or form multi, which repeats the name for each item. A nested list has no name to repeat.',
      fix: 'Correct `collectionFormat`, or remove it if commas are correct.',
    },
  }),
  'querystring-conflict': define<{ name: string; operation: string }>({
    code: 'MCPG235',
    severity: 'warning',
    message: ({ name, operation }) =>
      `The parameter ${name} of ${operation} is ignored, since another parameter is the whole query string.`,
    hint: 'Use one `in: querystring` parameter, or only `in: query` ones.',
    docs: {
      cause:
        'An `in: querystring` parameter (OpenAPI 3.2) is the whole query string, so no other query parameter can be sent.',
      fix: 'Remove one of them.',
    },
  }),
};
