/** MCPG2xx: an OpenAPI document's version, paths and operations. */
import { defineDiagnostic } from '../define.ts';

export const documentDiagnostics = {
  'not-openapi': defineDiagnostic<{ source: string; found: string }>({
    code: 'MCPG201',
    message: ({ source, found }) => `${source} is not an OpenAPI document: it looks like ${found}.`,
    hint: 'An OpenAPI document has `openapi: 3.x.y` or `swagger: "2.0"` at its root.',
  }),
  'unsupported-version': defineDiagnostic<{ version: string }>({
    code: 'MCPG202',
    message: ({ version }) =>
      `${version} is not supported. mcpgen reads Swagger 2.0 and OpenAPI 3.0, 3.1 and 3.2.`,
    hint: 'Convert the document to OpenAPI 3.1.',
  }),
  'newer-version': defineDiagnostic<{ version: string }>({
    code: 'MCPG203',
    severity: 'warning',
    message: ({ version }) =>
      `OpenAPI ${version} is newer than this compiler, which reads it as OpenAPI 3.2.`,
    hint: 'Look for a newer mcpgen.',
  }),
  'missing-title': defineDiagnostic<{ title: string }>({
    code: 'MCPG234',
    severity: 'warning',
    message: ({ title }) => `The document has no info.title, so the server is called ${title}.`,
    hint: 'Add `info: { title, version }`, or name the server with `--name`.',
  }),
  'no-operations': defineDiagnostic<{ source: string; webhooks: number }>({
    code: 'MCPG204',
    message: ({ source, webhooks }) =>
      `${source} has no operations, so its server would have no tools.${webhooks === 0 ? '' : ' The requests of its webhooks are sent by the API itself.'}`,
    hint: 'Add an operation under `paths`, such as `paths: { /pets: { get: … } }`, or compile the document of the API itself.',
  }),
  'webhooks-left-out': defineDiagnostic<{ what: string; names: string }>({
    code: 'MCPG206',
    severity: 'info',
    message: ({ what, names }) =>
      `${what} do not become tools, since the API sends these requests (${names}).`,
  }),
  'invalid-piece': defineDiagnostic<{ what: string; expected: string; found: string; fate?: string }>({
    code: 'MCPG208',
    severity: 'warning',
    message: ({ what, expected, found, fate = 'ignored' }) =>
      `${what} should be ${expected}, but it is ${found}. It is ${fate}.`,
    hint: 'Correct the document at this place.',
  }),
  'unknown-path-field': defineDiagnostic<{ field: string; path: string; suggestion: string }>({
    code: 'MCPG209',
    severity: 'warning',
    message: ({ field, path }) =>
      `${field} under ${path} is neither a method nor an OpenAPI field. It is ignored.`,
    hint: ({ suggestion }) =>
      suggestion === '' ? 'Write methods in lower case.' : `Did you mean \`${suggestion}\`?`,
  }),
  'path-without-slash': defineDiagnostic<{ path: string }>({
    code: 'MCPG210',
    severity: 'warning',
    message: ({ path }) => `The path ${path} does not start with a slash. mcpgen reads it as /${path}.`,
    hint: 'Start each path with `/`.',
  }),
  'path-with-query': defineDiagnostic<{ path: string }>({
    code: 'MCPG213',
    severity: 'info',
    message: ({ path }) =>
      `The path ${path} contains a query or a fragment, which OpenAPI does not allow. A query is sent as it is, a fragment never.`,
    hint: 'Describe a query as parameters, and remove fragments.',
  }),
  'invalid-method': defineDiagnostic<{ method: string; path: string; problem: string }>({
    code: 'MCPG232',
    severity: 'warning',
    message: ({ method, path, problem }) =>
      `The method ${JSON.stringify(method)} of ${path} under additionalOperations is ignored: ${problem}.`,
    hint: 'Use a token such as COPY that is neither a field (`get`) nor another method of the path.',
  }),
  'duplicate-operation-id': defineDiagnostic<{ operationId: string; operation: string; first: string }>({
    code: 'MCPG214',
    severity: 'warning',
    message: ({ operationId, operation, first }) =>
      `The operationId ${operationId} of ${operation} is also that of ${first}. Their tools get longer names.`,
    hint: 'Give each operation its own operationId.',
  }),
};
