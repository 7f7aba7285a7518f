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
    docs: {
      cause: 'The security scheme, which defines how to send the credential, is missing.',
      fix: 'Define the scheme. Names are case-sensitive.',
    },
  }),
  'invalid-security-scheme': defineDiagnostic<{ name: string; problem: string }>({
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
  'deprecated-security-scheme': defineDiagnostic<{ name: string }>({
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
  'invalid-server': defineDiagnostic<{ problem: string }>({
    code: 'MCPG225',
    severity: 'warning',
    message: ({ problem }) => `A server is ignored: ${problem}.`,
    hint: 'A server needs a `url`, absolute with a host, or starting with `/`.',
    docs: {
      cause: 'The server cannot be called as described.',
      fix: 'Correct its URL, or set the base URL with `--base-url`.',
    },
  }),
  'server-variable-without-default': defineDiagnostic<{ name: string; url: string; variable: string }>({
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
  'no-absolute-server': defineDiagnostic({
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

const bodyDiagnostics = {
  'several-bodies': defineDiagnostic<{ operation: string }>({
    code: 'MCPG233',
    severity: 'warning',
    message: ({ operation }) =>
      `${operation} describes its body more than once. The first body parameter is used.`,
    hint: 'Use one `in: body` parameter, or only `in: formData` ones.',
    docs: {
      cause: 'A request has one body. Swagger 2.0 allows one body parameter, without form parameters.',
      fix: 'Remove the others.',
    },
  }),
  'part-header-left-out': defineDiagnostic<{ name: string }>({
    code: 'MCPG238',
    severity: 'info',
    message: ({ name }) => `The header ${name} of a part is not sent, since it has no fixed value.`,
    hint: 'To send it, add a `const`, a single `enum` value or a `default` to its schema.',
    docs: {
      cause:
        'The server sends headers of multipart parts (`encoding.<property>.headers`) with the value that their schema fixes. Tools have no arguments for other values, since a model could only guess them.',
      fix: 'Fix the value, or remove the header.',
      example: 'encoding:\n  photo:\n    headers:\n      X-Source: { schema: { const: camera } }',
    },
  }),
  'required-part-header-left-out': defineDiagnostic<{ name: string }>({
    code: 'MCPG239',
    severity: 'warning',
    message: ({ name }) =>
      `The required header ${name} of a part is not sent, since it has no fixed value. The API may refuse the call.`,
    hint: 'To send it, add a `const`, a single `enum` value or a `default` to its schema.',
    docs: {
      cause:
        'The server sends headers of multipart parts (`encoding.<property>.headers`) with the value that their schema fixes. Tools have no arguments for other values, since a model could only guess them.',
      fix: 'Fix the value, or remove the header.',
      example: 'encoding:\n  photo:\n    headers:\n      X-Source: { schema: { const: camera } }',
    },
  }),
  'field-without-effect': defineDiagnostic<{ field: string; because: string }>({
    code: 'MCPG240',
    severity: 'info',
    message: ({ field, because }) => `${quoteAsCodeSpan(field)} has no effect, since ${because}.`,
    hint: 'Remove it, or move it to where it applies.',
    docs: {
      cause:
        'OpenAPI ignores this field here. In an Encoding Object, `encoding` applies to forms and multipart bodies that are objects, `prefixEncoding` and `itemEncoding` to multipart bodies that are lists, `style`, `explode` and `allowReserved` to `application/x-www-form-urlencoded` and `multipart/form-data`, and `headers` to multipart bodies. In a Parameter Object, `allowEmptyValue` applies to queries (in Swagger 2.0 also to forms), `style` and `explode` need `schema`, and `content` needs one media type and no `schema`.',
      fix: 'Remove the field, or correct the location, media type, schema or property name.',
      example:
        'application/json:\n  schema: { type: object, properties: { photo: { type: string } } }\n  encoding: { photo: { contentType: image/png } }',
    },
  }),
};

const extensionDiagnostics = {
  'invalid-x-mcp': defineDiagnostic<{ key: string; expected: string }>({
    code: 'MCPG228',
    severity: 'warning',
    message: ({ key, expected }) => `${key} should be ${expected}. It is ignored.`,
    hint: 'x-mcp is true, false, or an object with name, title, description, annotations, scopes, resource, bodyMediaType, arguments, output, fields, pin, icons and _meta.',
    docs: {
      cause: 'The extension `x-mcp` controls how an operation is served. This value is invalid.',
      fix: 'Correct the value.',
      example: 'x-mcp: { scopes: "pets:read" }',
    },
  }),
  'argument-value-reference': defineDiagnostic({
    code: 'MCPG290',
    severity: 'error',
    message: () => 'The value of an argument contains `${`, which `x-mcp` does not replace.',
    hint: 'To send the value of a variable, write `env` with its name: the server reads it at each call.',
    docs: {
      cause:
        'The text would be sent as it is. A variable that is read when compiling would end in the project.',
      fix: 'Write `x-mcp: { env: NAME }`.',
      example: 'x-mcp: { const: "${ASANA_WORKSPACE}" }',
    },
  }),
  'misplaced-argument-rule': defineDiagnostic({
    code: 'MCPG291',
    severity: 'warning',
    message: () => '`x-mcp` has no effect here, because this schema is no argument of a tool.',
    hint: 'Write it at a parameter itself (not at its `schema`), at a top-level property of a body, or in `x-mcp.arguments` of the operation.',
    docs: {
      cause:
        'Rules apply to whole arguments: parameters, and the top-level properties of a body (also in `allOf`). Members inside of them, alternatives and answers have no rules.',
      fix: 'Move the rule to the argument, or change the schema itself with an overlay.',
      example: 'owner: { type: object, properties: { id: { type: string, x-mcp: { hide: true } } } }',
    },
  }),
  'unknown-x-mcp-key': defineDiagnostic<{ key: string; suggestion: string }>({
    code: 'MCPG229',
    severity: 'warning',
    message: ({ key }) => `x-mcp has no member ${key}, so it has no effect.`,
    hint: ({ suggestion }) =>
      suggestion === ''
        ? 'Members are name, title, description, annotations, scopes, resource, icons, _meta, arguments, output, fields and enabled.'
        : `Did you mean \`${suggestion}\`?`,
    docs: {
      cause: 'The key is misspelt, or belongs to another tool.',
      fix: 'Correct or remove it. Members are name, title, description, annotations, scopes, resource, icons, _meta, arguments, output, fields and enabled.',
      example: 'x-mcp: { titel: Pets }',
    },
  }),
  'invalid-prompt': defineDiagnostic<{ problem: string }>({
    code: 'MCPG230',
    severity: 'warning',
    message: ({ problem }) => `A prompt of x-mcp-prompts is omitted or incomplete: ${problem}.`,
    hint: 'A prompt needs a name, and `messages` of {role, text} or a `template`.',
    docs: {
      cause: 'The prompt cannot be served as written.',
      fix: 'Correct it.',
      example: 'x-mcp-prompts: [{ name: plan }]',
    },
  }),
  'unknown-prompt-placeholder': defineDiagnostic<{ placeholder: string; prompt: string; suggestion: string }>(
    {
      code: 'MCPG231',
      severity: 'warning',
      message: ({ placeholder, prompt }) =>
        `The prompt ${prompt} uses {{${placeholder}}}, but has no such argument. The placeholder stays in the text.`,
      hint: ({ suggestion }) =>
        suggestion === '' ? 'Add it to `arguments`.' : `Did you mean \`{{${suggestion}}}\`?`,
      docs: {
        cause: 'The value of the argument with the same name replaces a placeholder.',
        fix: 'Add the argument, or correct the placeholder.',
        example: 'x-mcp-prompts: [{ name: plan, template: "Plan {{city}}" }]',
      },
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
    docs: {
      cause:
        'The request needs a value for each variable, so mcpgen adds an argument without type or description.',
      fix: 'Describe the parameter at the operation or the path.',
      example: '/pets/{petId}:\n  get: { responses: {} }',
    },
  }),
  'path-parameter-not-in-path': defineDiagnostic<{ name: string; path: string }>({
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
  'parameter-without-name': defineDiagnostic<{ operation: string }>({
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
  'unknown-parameter-location': defineDiagnostic<{ name: string; location: string }>({
    code: 'MCPG216',
    severity: 'warning',
    message: ({ name, location }) =>
      location === ''
        ? `The parameter ${name} has no \`in\`, so its location is unknown. It is ignored.`
        : `The parameter ${name} has ${quoteAsCodeSpan(`in: ${location}`)}, which is not a valid location. It is ignored.`,
    hint: 'Use path, query, header or cookie (or querystring, since OpenAPI 3.2).',
    docs: {
      cause:
        'The location of a parameter is unknown. `body` and `formData` belong to Swagger 2.0; OpenAPI 3 uses `requestBody`.',
      fix: 'Correct `in`.',
      example: 'parameters: [{ name: id, in: url, schema: { type: string } }]',
    },
  }),
  'duplicate-parameter': defineDiagnostic<{ name: string; location: string }>({
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
  'reserved-header-parameter': defineDiagnostic<{ name: string }>({
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
  'connection-header-parameter': defineDiagnostic<{ name: string }>({
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
  'invalid-parameter-name': defineDiagnostic<{ name: string; location: string }>({
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
  'parameter-without-schema': defineDiagnostic<{ name: string }>({
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
  'invalid-style': defineDiagnostic<{ name: string; style: string; location: string }>({
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
  'invalid-collection-format': defineDiagnostic<{ name: string; format: string; place: string }>({
    code: 'MCPG222',
    severity: 'warning',
    message: ({ name, format, place }) =>
      `The parameter ${name} has ${quoteAsCodeSpan(`collectionFormat: ${format}`)}, which is not valid for ${place}. Commas join its items.`,
    hint: 'Use csv, ssv, tsv or pipes, or multi for the outer list in a query or form.',
    docs: {
      cause:
        'Swagger 2.0 has csv, ssv, tsv and pipes, and in a query or form multi, which repeats the name for each item. A nested list has no name to repeat.',
      fix: 'Correct `collectionFormat`, or remove it if commas are correct.',
    },
  }),
  'querystring-conflict': defineDiagnostic<{ name: string; operation: string }>({
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

export const openapiDiagnostics = {
  ...documentDiagnostics,
  ...parameterDiagnostics,
  ...bodyDiagnostics,
  ...accessDiagnostics,
  ...extensionDiagnostics,
};
