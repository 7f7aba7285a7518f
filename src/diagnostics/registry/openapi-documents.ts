/** MCPG2xx: an OpenAPI document's version, paths and operations. */
import { defineDiagnostic } from '../define.ts';

export const documentDiagnostics = {
  'not-openapi': defineDiagnostic<{ source: string; found: string }>({
    code: 'MCPG201',
    severity: 'error',
    message: ({ source, found }) => `${source} is not an OpenAPI document: it looks like ${found}.`,
    hint: 'An OpenAPI document has `openapi: 3.x.y` or `swagger: "2.0"` at its root.',
    docs: {
      cause: 'The root of the source has neither an `openapi` nor a `swagger` member.',
      fix: 'Name the OpenAPI document. Many APIs serve it at `/openapi.json`.',
      example: '{ "name": "my-package", "version": "1.0.0" }',
    },
  }),
  'unsupported-version': defineDiagnostic<{ version: string }>({
    code: 'MCPG202',
    severity: 'error',
    message: ({ version }) =>
      `${version} is not supported. mcpgen reads Swagger 2.0 and OpenAPI 3.0, 3.1 and 3.2.`,
    hint: 'Convert the document to OpenAPI 3.1.',
    docs: {
      cause: 'This version has different rules, so mcpgen could only guess.',
      fix: 'Convert the document, or correct its version.',
      example: 'swagger: "1.2"',
    },
  }),
  'newer-version': defineDiagnostic<{ version: string }>({
    code: 'MCPG203',
    severity: 'warning',
    message: ({ version }) =>
      `OpenAPI ${version} is newer than this compiler, which reads it as OpenAPI 3.2.`,
    hint: 'Look for a newer mcpgen.',
    docs: {
      cause: 'Minor versions of OpenAPI add features. mcpgen ignores features after 3.2.',
      fix: 'Update mcpgen, or write the document for 3.2.',
      example: 'openapi: 3.9.0',
    },
  }),
  'version-not-text': defineDiagnostic<{ key: string; written: number; version: string }>({
    code: 'MCPG237',
    severity: 'info',
    message: ({ key, written, version }) =>
      `\`${key}\` is the number ${written}, but OpenAPI requires a string. mcpgen reads the document as version ${version}.`,
    hint: ({ key, version }) => `Quote it: \`${key}: "${version}"\`.`,
    docs: {
      cause:
        'In JSON and YAML, an unquoted version with two parts is a number. Other tools may refuse the document.',
      fix: 'Quote the version.',
      example: 'openapi: 3.1',
    },
  }),
  'missing-title': defineDiagnostic<{ title: string }>({
    code: 'MCPG234',
    severity: 'warning',
    message: ({ title }) => `The document has no info.title, so the server is called ${title}.`,
    hint: 'Add `info: { title, version }`, or name the server with `--name`.',
    docs: {
      cause: "The title becomes the server's name.",
      fix: 'Add the title.',
    },
  }),
  'no-operations': defineDiagnostic<{ source: string }>({
    code: 'MCPG204',
    severity: 'error',
    message: ({ source }) => `${source} has no operations, so its server would have no tools.`,
    hint: 'Add an operation under `paths`, such as `paths: { /pets: { get: … } }`.',
    docs: {
      cause: 'mcpgen makes tools from the operations under `paths`, but there are none.',
      fix: 'Check that this is the entry document, not a file of components.',
      example: 'openapi: 3.1.0\ninfo: { title: Empty, version: "1" }\npaths: {}',
    },
  }),
  'only-webhooks': defineDiagnostic<{ source: string; count: number }>({
    code: 'MCPG205',
    severity: 'error',
    message: ({ source, count }) =>
      `${source} has only webhooks (${count}). The API sends those requests, so they cannot become tools.`,
    hint: 'Compile the document of the API itself.',
    docs: {
      cause: 'A webhook is a request that the API sends. A tool sends requests to the API.',
      fix: 'Use the document that has `paths`.',
      example: 'openapi: 3.1.0\ninfo: { title: Hooks, version: "1" }\nwebhooks: { created: { post: {} } }',
    },
  }),
  'webhooks-left-out': defineDiagnostic<{ count: number; names: string }>({
    code: 'MCPG206',
    severity: 'info',
    message: ({ count, names }) =>
      `Webhooks do not become tools, since the API sends these requests (${count}: ${names}).`,
    docs: {
      cause: 'A webhook is a request that the API sends to its users.',
      fix: 'No action is needed.',
    },
  }),
  'callbacks-left-out': defineDiagnostic<{ operation: string; names: string }>({
    code: 'MCPG207',
    severity: 'info',
    message: ({ operation, names }) =>
      `The callbacks of ${operation} do not become tools, since the API sends these requests (${names}).`,
    docs: {
      cause: 'A callback is a request that the API sends after an operation.',
      fix: 'No action is needed.',
    },
  }),
  'invalid-piece': defineDiagnostic<{ what: string; expected: string; found: string }>({
    code: 'MCPG208',
    severity: 'warning',
    message: ({ what, expected, found }) =>
      `${what} should be ${expected}, but it is ${found}. It is ignored.`,
    hint: 'Correct the document at this place.',
    docs: {
      cause: 'The document violates the OpenAPI schema here, so the meaning is unknown.',
      fix: 'Correct the value. The usual cause is wrong YAML indentation.',
      example: 'get:\n  parameters: limit',
    },
  }),
  'unknown-path-field': defineDiagnostic<{ field: string; path: string; suggestion: string }>({
    code: 'MCPG209',
    severity: 'warning',
    message: ({ field, path }) =>
      `${field} under ${path} is neither a method nor an OpenAPI field. It is ignored.`,
    hint: ({ suggestion }) =>
      suggestion === '' ? 'Write methods in lower case.' : `Did you mean \`${suggestion}\`?`,
    docs: {
      cause:
        'A Path Item contains methods in lower case and a few other fields. Other members are not operations.',
      fix: 'Correct the name. Put other methods under `additionalOperations` (OpenAPI 3.2).',
      example: 'paths:\n  /pets:\n    GET: {}',
    },
  }),
  'path-without-slash': defineDiagnostic<{ path: string }>({
    code: 'MCPG210',
    severity: 'warning',
    message: ({ path }) => `The path ${path} does not start with a slash. mcpgen reads it as /${path}.`,
    hint: 'Start each path with `/`.',
    docs: {
      cause: 'A path is appended to the server URL, so it must start with a slash.',
      fix: 'Add the slash. Extensions start with `x-`.',
      example: 'paths:\n  pets: {}',
    },
  }),
  'path-with-query': defineDiagnostic<{ path: string; what: string; fate: string }>({
    code: 'MCPG213',
    severity: 'info',
    message: ({ path, what, fate }) =>
      `The path ${path} contains ${what}, which OpenAPI does not allow. ${fate}`,
    hint: 'Describe a query as parameters, and remove fragments.',
    docs: {
      cause:
        'Some documents distinguish operations by a fixed query. The server sends the query, but never a fragment.',
      fix: 'Move the query to a parameter with a single enum value.',
      example: '/responses?beta=true:',
    },
  }),
  'invalid-method': defineDiagnostic<{ method: string; path: string; fate: string; problem: string }>({
    code: 'MCPG232',
    severity: 'warning',
    message: ({ method, path, fate, problem }) =>
      `The method ${JSON.stringify(method)} of ${path} under additionalOperations is ${fate}: ${problem}.`,
    hint: 'Use a token in upper case, such as COPY, and the fields of other methods, such as `get`.',
    docs: {
      cause:
        'The method cannot be sent as written, or it has its own field, such as `get`. OpenAPI sends the methods under `additionalOperations` in the case they are written in, but servers run on Node, which sends upper case only.',
      fix: 'Write the method in upper case, or use its field.',
      example: 'paths:\n  /pets:\n    additionalOperations:\n      get: {}',
    },
  }),
  'duplicate-operation-id': defineDiagnostic<{ operationId: string; operation: string; first: string }>({
    code: 'MCPG214',
    severity: 'warning',
    message: ({ operationId, operation, first }) =>
      `The operationId ${operationId} of ${operation} is also that of ${first}. Their tools get longer names.`,
    hint: 'Give each operation its own operationId.',
    docs: {
      cause: 'An operationId must be unique in the document, since tool names come from it.',
      fix: 'Rename one, or set `x-mcp: { name: … }`.',
    },
  }),
};
