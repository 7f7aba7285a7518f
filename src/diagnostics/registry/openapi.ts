/** MCPG2xx: what an OpenAPI document says, outside its schemas. */
import { codeSpan } from '../code-span.ts';
import { define } from '../define.ts';

export const openapiDiagnostics = {
  'not-openapi': define<{ source: string; found: string }>({
    code: 'MCPG201',
    severity: 'error',
    message: ({ source, found }) => `${source} is not an OpenAPI document: it looks like ${found}.`,
    hint: 'An OpenAPI document has `openapi: 3.x.y` or `swagger: "2.0"` at its top.',
    docs: {
      cause: 'The source was read, and has neither an `openapi` nor a `swagger` member at its top.',
      fix: 'Name the OpenAPI document. Many APIs serve it at `/openapi.json`, beside a page for people.',
      example: '{ "name": "my-package", "version": "1.0.0" }',
    },
  }),
  'unsupported-version': define<{ version: string }>({
    code: 'MCPG202',
    severity: 'error',
    message: ({ version }) =>
      `${version} is not supported. mcpgen reads Swagger 2.0 and OpenAPI 3.0, 3.1 and 3.2.`,
    hint: 'Convert the document to OpenAPI 3.1.',
    docs: {
      cause: 'The document names a version with other rules, so reading it would guess.',
      fix: 'Convert the document, or correct its version.',
      example: 'swagger: "1.2"',
    },
  }),
  'newer-version': define<{ version: string }>({
    code: 'MCPG203',
    severity: 'warning',
    message: ({ version }) => `OpenAPI ${version} is newer than this compiler. It is read as OpenAPI 3.2.`,
    hint: 'Look for a newer mcpgen.',
    docs: {
      cause:
        'Minor versions of OpenAPI add features. Those that came after 3.2 are not known here and are ignored.',
      fix: 'Update mcpgen, or write the document for 3.2.',
      example: 'openapi: 3.9.0',
    },
  }),
  'version-not-text': define<{ key: string; written: number; version: string }>({
    code: 'MCPG237',
    severity: 'info',
    message: ({ key, written, version }) =>
      `\`${key}\` is the number ${written}, and OpenAPI demands text. The document is read as version ${version}.`,
    hint: ({ key, version }) => `Write \`${key}: "${version}"\`, with the quotes.`,
    docs: {
      cause:
        'A version of two parts without quotes is a number to JSON and YAML, and other tools may refuse the document.',
      fix: 'Put the version in quotes.',
      example: 'openapi: 3.1',
    },
  }),
  'no-operations': define<{ source: string }>({
    code: 'MCPG204',
    severity: 'error',
    message: ({ source }) => `${source} has no operation, so a server made from it would have no tool.`,
    hint: 'Add an operation under `paths`, such as `paths: { /pets: { get: … } }`.',
    docs: {
      cause: 'Tools are made from the operations under `paths`. There is none.',
      fix: 'Check that this is the entry document, and not a file of components only.',
      example: 'openapi: 3.1.0\ninfo: { title: Empty, version: "1" }\npaths: {}',
    },
  }),
  'only-webhooks': define<{ source: string; count: number }>({
    code: 'MCPG205',
    severity: 'error',
    message: ({ source, count }) =>
      `${source} has only webhooks (${count}). Those are calls the API makes to you, and cannot become tools.`,
    hint: 'Compile the document of the API itself.',
    docs: {
      cause: 'A webhook describes a request that the API sends. A tool is a request that is sent to the API.',
      fix: 'Use the document that has `paths`.',
      example: 'openapi: 3.1.0\ninfo: { title: Hooks, version: "1" }\nwebhooks: { created: { post: {} } }',
    },
  }),
  'webhooks-left-out': define<{ count: number; names: string }>({
    code: 'MCPG206',
    severity: 'info',
    message: ({ count, names }) =>
      `Webhooks do not become tools, since the API makes these calls itself (${count}: ${names}).`,
    docs: {
      cause: 'A webhook describes a request that the API sends to its users.',
      fix: 'Nothing needs to be done.',
    },
  }),
  'callbacks-left-out': define<{ operation: string; names: string }>({
    code: 'MCPG207',
    severity: 'info',
    message: ({ operation, names }) =>
      `The callbacks of ${operation} do not become tools, since the API makes these calls itself (${names}).`,
    docs: {
      cause: 'A callback describes a request that the API sends after an operation.',
      fix: 'Nothing needs to be done.',
    },
  }),
  'invalid-piece': define<{ what: string; expected: string; found: string }>({
    code: 'MCPG208',
    severity: 'warning',
    message: ({ what, expected, found }) => `${what} should be ${expected} and is ${found}. It is ignored.`,
    hint: 'Correct the document at this place.',
    docs: {
      cause: 'The document breaks the OpenAPI schema at this place, so what was meant is not known.',
      fix: 'Correct the value. Wrong indentation in YAML is the usual cause.',
      example: 'get:\n  parameters: limit',
    },
  }),
  'unknown-path-field': define<{ field: string; path: string; suggestion: string }>({
    code: 'MCPG209',
    severity: 'warning',
    message: ({ field, path }) =>
      `${field} under ${path} is neither a method nor a field OpenAPI knows. It is ignored.`,
    hint: ({ suggestion }) =>
      suggestion === '' ? 'Methods are written in lower case.' : `Did you mean \`${suggestion}\`?`,
    docs: {
      cause:
        'A Path Item has the methods in lower case, and a few other fields. Everything else is not an operation.',
      fix: 'Correct the name. Methods beyond the fixed ones go under `additionalOperations` (OpenAPI 3.2).',
      example: 'paths:\n  /pets:\n    GET: {}',
    },
  }),
  'path-without-slash': define<{ path: string }>({
    code: 'MCPG210',
    severity: 'warning',
    message: ({ path }) => `The path ${path} does not start with a slash. It is read as /${path}.`,
    hint: 'Start each path with `/`.',
    docs: {
      cause: 'A path is appended to the URL of the server, so it has to start with a slash.',
      fix: 'Add the slash. Extensions start with `x-`.',
      example: 'paths:\n  pets: {}',
    },
  }),
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
  'path-with-query': define<{ path: string; what: string; fate: string }>({
    code: 'MCPG213',
    severity: 'info',
    message: ({ path, what, fate }) =>
      `The path ${path} holds ${what}, which OpenAPI does not allow. ${fate}`,
    hint: 'Describe a query as parameters, and remove a fragment.',
    docs: {
      cause: 'Some documents tell operations apart by a fixed query. The query is sent, a fragment never is.',
      fix: 'Move the query to a parameter with one enum value.',
      example: '/responses?beta=true:',
    },
  }),
  'duplicate-operation-id': define<{ operationId: string; operation: string; first: string }>({
    code: 'MCPG214',
    severity: 'warning',
    message: ({ operationId, operation, first }) =>
      `The operationId ${operationId} of ${operation} is also that of ${first}. Their tools get longer names to tell them apart.`,
    hint: 'Give each operation its own operationId.',
    docs: {
      cause: 'An operationId has to be unique in the document. Tool names are made from it.',
      fix: 'Rename one, or set `x-mcp: { name: … }`.',
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
  'invalid-x-mcp': define<{ key: string; expected: string }>({
    code: 'MCPG228',
    severity: 'warning',
    message: ({ key, expected }) => `${key} should be ${expected}. It is ignored.`,
    hint: 'x-mcp is true, false, or an object with name, title, description, annotations, scopes, resource and icons.',
    docs: {
      cause: 'The extension `x-mcp` steers what becomes of an operation. This value has no meaning.',
      fix: 'Correct the value.',
      example: 'x-mcp: { scopes: "pets:read" }',
    },
  }),
  'unknown-x-mcp-key': define<{ key: string; suggestion: string }>({
    code: 'MCPG229',
    severity: 'warning',
    message: ({ key }) => `x-mcp does not know ${key}, so it has no effect.`,
    hint: ({ suggestion }) =>
      suggestion === ''
        ? 'Known are name, title, description, annotations, scopes, resource, icons and enabled.'
        : `Did you mean \`${suggestion}\`?`,
    docs: {
      cause: 'The key is misspelt, or belongs to another tool.',
      fix: 'Correct or remove it. Known keys are name, title, description, annotations, scopes, resource, icons and enabled.',
      example: 'x-mcp: { titel: Pets }',
    },
  }),
  'invalid-prompt': define<{ problem: string }>({
    code: 'MCPG230',
    severity: 'warning',
    message: ({ problem }) => `A prompt of x-mcp-prompts is left out or incomplete: ${problem}.`,
    hint: 'A prompt has a name, and `messages` of {role, text} or a `template`.',
    docs: {
      cause: 'The prompt cannot be served as it is written.',
      fix: 'Correct it.',
      example: 'x-mcp-prompts: [{ name: plan }]',
    },
  }),
  'unknown-prompt-placeholder': define<{ placeholder: string; prompt: string; suggestion: string }>({
    code: 'MCPG231',
    severity: 'warning',
    message: ({ placeholder, prompt }) =>
      `The prompt ${prompt} uses {{${placeholder}}}, which is none of its arguments. It stays as it is in the text.`,
    hint: ({ suggestion }) =>
      suggestion === '' ? 'Add it to `arguments`.' : `Did you mean \`{{${suggestion}}}\`?`,
    docs: {
      cause: 'Placeholders are replaced by the values of the arguments of the same name.',
      fix: 'Add the argument, or correct the placeholder.',
      example: 'x-mcp-prompts: [{ name: plan, template: "Plan {{city}}" }]',
    },
  }),
  'invalid-method': define<{ method: string; path: string; problem: string }>({
    code: 'MCPG232',
    severity: 'warning',
    message: ({ method, path, problem }) =>
      `The method ${JSON.stringify(method)} of ${path} under additionalOperations is left out: ${problem}.`,
    hint: 'A method is a token such as COPY, written as it is sent.',
    docs: {
      cause: 'The method cannot be sent, or is one of those with their own field.',
      fix: 'Correct the name, or use the field of the method.',
    },
  }),
  'several-bodies': define<{ operation: string }>({
    code: 'MCPG233',
    severity: 'warning',
    message: ({ operation }) =>
      `${operation} describes its body more than once. The first body parameter is taken.`,
    hint: 'Use one `in: body` parameter, or only `in: formData` ones.',
    docs: {
      cause:
        'A request has one body. Swagger 2.0 allows one body parameter, and none beside form parameters.',
      fix: 'Remove the others.',
    },
  }),
  'part-header-left-out': define<{ name: string }>({
    code: 'MCPG238',
    severity: 'info',
    message: ({ name }) => `The header ${name} of a part is not sent, since nothing fixes its value.`,
    hint: 'To have it sent, give its schema a `const`, a single `enum` value or a `default`.',
    docs: {
      cause:
        'The headers of a part in a multipart body (`encoding.<property>.headers`) are sent with the value that their schema fixes. Tools have no argument for others, which a model could only guess.',
      fix: 'Fix the value, or leave the header out.',
      example: 'encoding:\n  photo:\n    headers:\n      X-Source: { schema: { const: camera } }',
    },
  }),
  'required-part-header-left-out': define<{ name: string }>({
    code: 'MCPG239',
    severity: 'warning',
    message: ({ name }) =>
      `The required header ${name} of a part is not sent, since nothing fixes its value. The API may refuse the call.`,
    hint: 'To have it sent, give its schema a `const`, a single `enum` value or a `default`.',
    docs: {
      cause:
        'The headers of a part in a multipart body (`encoding.<property>.headers`) are sent with the value that their schema fixes. Tools have no argument for others, which a model could only guess.',
      fix: 'Fix the value, or leave the header out.',
      example: 'encoding:\n  photo:\n    headers:\n      X-Source: { schema: { const: camera } }',
    },
  }),
  'field-without-effect': define<{ field: string; because: string }>({
    code: 'MCPG240',
    severity: 'info',
    message: ({ field, because }) => `${codeSpan(field)} has no effect, since ${because}.`,
    hint: 'Remove it, or put it where it counts.',
    docs: {
      cause:
        'OpenAPI says where a field counts, and that it is ignored elsewhere. Of an Encoding Object: `encoding` in forms and multipart bodies that are objects, `prefixEncoding` and `itemEncoding` in multipart bodies that are lists, `style`, `explode` and `allowReserved` in `application/x-www-form-urlencoded` and `multipart/form-data`, `headers` in multipart bodies. Of a Parameter Object: `allowEmptyValue` in a query (of Swagger 2.0 in a form too), `style` and `explode` beside `schema`, `content` without `schema` and with one media type.',
      fix: 'Remove the field, or correct the location, the media type, the schema or the name of the property.',
      example:
        'application/json:\n  schema: { type: object, properties: { photo: { type: string } } }\n  encoding: { photo: { contentType: image/png } }',
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
  'missing-title': define<{ title: string }>({
    code: 'MCPG234',
    severity: 'warning',
    message: ({ title }) => `The document has no info.title. The server is called ${title}.`,
    hint: 'Add `info: { title, version }`, or name the server with `--name`.',
    docs: {
      cause: 'The title becomes the name of the server that people see.',
      fix: 'Add the title.',
    },
  }),
};
