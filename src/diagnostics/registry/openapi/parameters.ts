/** MCPG2xx: parameters of operations. */
import { codeSpan } from '../../code-span.ts';
import { define } from '../../define.ts';

export const parameterDiagnostics = {
  'path-parameter-not-declared': define<{ name: string; path: string }>({
    code: 'MCPG211',
    severity: 'warning',
    message: ({ name, path }) =>
      `The path ${path} has the variable {${name}}, and no parameter describes it. A required text argument stands in.`,
    hint: 'Add a parameter of this name with `in: path`.',
    docs: {
      cause:
        'Without a value for each variable the request cannot be made, so the argument is added without a type or description.',
      fix: 'Describe the parameter, at the operation or at the path.',
      example: '/pets/{petId}:\n  get: { responses: {} }',
    },
  }),
  'path-parameter-not-in-path': define<{ name: string; path: string }>({
    code: 'MCPG212',
    severity: 'warning',
    message: ({ name, path }) => `The path parameter ${name} does not occur in ${path}, so it is left out.`,
    hint: 'Correct the name, or write {name} into the path.',
    docs: {
      cause:
        'The value of a path parameter replaces `{name}` in the path. Without that place it cannot be sent.',
      fix: 'Correct the name, the path, or `in`.',
      example:
        '/pets:\n  get:\n    parameters: [{ name: petId, in: path, required: true, schema: { type: string } }]',
    },
  }),
  'parameter-without-name': define<{ operation: string }>({
    code: 'MCPG215',
    severity: 'warning',
    message: ({ operation }) =>
      `A parameter of ${operation} has no name, so it cannot be sent. It is left out.`,
    hint: 'Add `name` and `in`.',
    docs: {
      cause: 'A parameter is known by its `name` and `in`; both are required.',
      fix: 'Add the name.',
      example: 'parameters: [{ in: query, schema: { type: string } }]',
    },
  }),
  'unknown-parameter-location': define<{ name: string; location: string }>({
    code: 'MCPG216',
    severity: 'warning',
    message: ({ name, location }) =>
      location === ''
        ? `The parameter ${name} has no \`in\`, so where to send its value is not known. It is left out.`
        : `The parameter ${name} says ${codeSpan(`in: ${location}`)}, which is no place a value can be sent in. It is left out.`,
    hint: 'Use path, query, header or cookie (or querystring, since OpenAPI 3.2).',
    docs: {
      cause:
        'The place of a parameter is not known. `body` and `formData` belong to Swagger 2.0; OpenAPI 3 has `requestBody`.',
      fix: 'Correct `in`.',
      example: 'parameters: [{ name: id, in: url, schema: { type: string } }]',
    },
  }),
  'duplicate-parameter': define<{ name: string; location: string }>({
    code: 'MCPG217',
    severity: 'warning',
    message: ({ name, location }) =>
      `The ${location} parameter ${name} is declared twice. The first one is taken.`,
    hint: 'Remove one of them.',
    docs: {
      cause:
        'A list of parameters may hold each pair of `name` and `in` once. An operation may replace a parameter of its path.',
      fix: 'Remove the second declaration.',
    },
  }),
  'reserved-header-parameter': define<{ name: string }>({
    code: 'MCPG218',
    severity: 'info',
    message: ({ name }) =>
      `The header parameter ${name} is left out: OpenAPI takes this header from elsewhere.`,
    hint: 'Accept and Content-Type come from the media types, Authorization from the security schemes.',
    docs: {
      cause:
        'The specification says that header parameters named Accept, Content-Type and Authorization are ignored. Where no success is described by a media type, the choices and the default of an Accept parameter are asked for all the same.',
      fix: 'Nothing needs to be done when the media types and security schemes are described.',
    },
  }),
  'connection-header-parameter': define<{ name: string }>({
    code: 'MCPG236',
    severity: 'info',
    message: ({ name }) =>
      `The header parameter ${name} is left out: it belongs to the connection, and only the HTTP client can know its value.`,
    hint: 'Leave such headers out of the document.',
    docs: {
      cause:
        'Headers such as Host, Content-Length and Transfer-Encoding describe the message itself (RFC 9110, RFC 9112).',
      fix: 'Nothing needs to be done: the right value is always sent.',
      example: 'parameters: [{ name: Host, in: header, schema: { type: string } }]',
    },
  }),
  'invalid-parameter-name': define<{ name: string; location: string }>({
    code: 'MCPG219',
    severity: 'warning',
    message: ({ name, location }) =>
      `${JSON.stringify(name)} cannot be the name of a ${location}, so the parameter is left out.`,
    hint: 'Names of headers and cookies are made of letters, digits and a few signs, without spaces.',
    docs: {
      cause:
        'The name is not a token of RFC 9110. Sending it would break the request, or smuggle another header into it.',
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
      cause: 'Without a schema a model cannot know which values are right.',
      fix: 'Add `schema`, or `content` with one media type.',
    },
  }),
  'invalid-style': define<{ name: string; style: string; location: string }>({
    code: 'MCPG221',
    severity: 'warning',
    message: ({ name, style, location }) =>
      `The style ${style} of the parameter ${name} is not one for ${location}. The default style is used.`,
    hint: 'Query: form, spaceDelimited, pipeDelimited, deepObject. Path: simple, label, matrix. Header: simple. Cookie: form, cookie.',
    docs: {
      cause: 'Each location has its own styles. Which bytes were meant is not known.',
      fix: 'Correct `style`, or leave it out.',
    },
  }),
  'invalid-collection-format': define<{ name: string; format: string; place: string }>({
    code: 'MCPG222',
    severity: 'warning',
    message: ({ name, format, place }) =>
      `The parameter ${name} has ${codeSpan(`collectionFormat: ${format}`)}, which is none for ${place}. Its items are joined by commas.`,
    hint: 'Use csv, ssv, tsv or pipes, or multi for the outer list in a query or form.',
    docs: {
      cause:
        'Swagger 2.0 knows csv, ssv, tsv and pipes, and multi in a query or form, where the name is repeated for each item. A list inside of a list has no name to repeat.',
      fix: 'Correct `collectionFormat`, or leave it out when commas are right.',
    },
  }),
  'querystring-conflict': define<{ name: string; operation: string }>({
    code: 'MCPG235',
    severity: 'warning',
    message: ({ name, operation }) =>
      `The parameter ${name} of ${operation} is left out: another parameter stands for the whole query string.`,
    hint: 'Use one `in: querystring` parameter, or only `in: query` ones.',
    docs: {
      cause:
        'An `in: querystring` parameter (OpenAPI 3.2) is the whole query string, so nothing can be sent beside it.',
      fix: 'Remove one of them.',
    },
  }),
};
