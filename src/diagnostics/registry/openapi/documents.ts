/** MCPG2xx: what an OpenAPI document is: its version, its paths and operations. */
import { define } from '../../define.ts';

export const documentDiagnostics = {
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
};
