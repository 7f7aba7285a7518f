/** MCPG4xx: selected operations, the number of tools, and resources. */
import { codeSpan } from '../../code-span.ts';
import { define } from '../../define.ts';

/** Hints for a server with too many tools, by the kind of its sources. */
const fewerTools = {
  documents: 'Select operations with `--include`, such as `--include tag:…`.',
  functions:
    'Compile fewer files into one server, or select tools when it starts, such as with `--include "op:get*"`.',
  both: 'Select operations with `include` of a source, name fewer files of functions, or select tools with `--include` when the server starts.',
};

export const selectionDiagnostics = {
  'bad-selector': define<{ selector: string; suggestion: string }>({
    code: 'MCPG407',
    severity: 'error',
    message: ({ selector }) => `"${selector}" is not a selector.`,
    hint: ({ suggestion }) =>
      `Did you mean \`${suggestion}\`? Selectors start with \`tag:\`, \`path:\`, \`op:\` or \`method:\`.`,
    docs: {
      cause:
        '`--include`, `--exclude` and `--body-media-type` take selectors: `tag:` an exact tag, `path:` a glob (`*` matches a segment, `**` anything), `op:` a glob of the operationId or tool name, `method:` an HTTP method.',
      fix: 'Write one of the four kinds, a colon and a value.',
      example: 'mcpgen openapi api.yaml --include tag:pets --exclude method:delete',
    },
  }),
  'selector-matches-nothing': define<{ selector: string; suggestion: string }>({
    code: 'MCPG408',
    severity: 'warning',
    message: ({ selector, suggestion }) => `The selector \`${selector}\` matches no operation.${suggestion}`,
    hint: 'Tags are case-sensitive. In a path, `*` matches within a segment, `**` across segments.',
    docs: {
      cause: 'A selector of `--include` or `--exclude` has no effect, which is often a typing error.',
      fix: 'Correct or remove it. `mcpgen inspect` lists the operations and their tags.',
    },
  }),
  'nothing-selected': define<{ operations: number }>({
    code: 'MCPG409',
    severity: 'error',
    message: ({ operations }) =>
      `None of the ${operations} operations is selected, so the server would be empty.`,
    hint: 'Widen `--include`, remove an `--exclude`, or check the route map and `x-mcp: false`.',
    docs: {
      cause: '`--include`, `--exclude`, the route map and `x-mcp` together exclude every operation.',
      fix: 'Check the selectors: one of each kind must match, and `--exclude` overrides `--include`.',
      example: 'mcpgen openapi api.yaml --include tag:pets --include method:trace',
    },
  }),
  'many-tools': define<{ tools: number; limit: number; of: keyof typeof fewerTools }>({
    code: 'MCPG410',
    severity: 'warning',
    message: ({ tools, limit }) =>
      `The server has ${tools} tools. Above ${limit}, models choose worse and some clients list only a part.`,
    hint: ({ of }) => fewerTools[of],
    docs: {
      cause: 'Some clients accept 40 to 80 tools, and every tool uses context in each conversation.',
      fix: 'Select operations with `--include`, `--exclude` or `x-mcp: false`, or compile fewer files of functions. The server also accepts `--include` when it starts.',
    },
  }),
  'too-many-tools': define<{ tools: number; limit: number; of: keyof typeof fewerTools }>({
    code: 'MCPG411',
    severity: 'warning',
    message: ({ tools, limit }) =>
      `The server has ${tools} tools. Above ${limit}, common clients ignore tools or refuse the server.`,
    hint: ({ of }) => fewerTools[of],
    docs: {
      cause: 'Common clients accept at most 128 tools from all servers together.',
      fix: 'Select operations with `--include` and `--exclude`, or compile several smaller servers. The server also accepts `--include` when it starts.',
    },
  }),
  'not-a-resource': define<{ operation: string; because: string }>({
    code: 'MCPG412',
    severity: 'warning',
    message: ({ operation, because }) =>
      `\`${operation}\` cannot be a resource, because ${because}. It is a tool.`,
    hint: 'For this operation, change the route map or `x-mcp.resource`.',
    docs: {
      cause:
        'A client reads a resource by its URI alone: a GET with content, whose required inputs are path or simple query parameters.',
      fix: 'Keep it as a tool, or make the inputs optional that a URI cannot contain.',
    },
  }),
  'resource-left-out': define<{ operation: string; because: string }>({
    code: 'MCPG413',
    severity: 'info',
    message: ({ operation, because }) =>
      `\`${operation}\` is not also a resource, because ${because}. It is a tool.`,
    docs: {
      cause:
        'A GET with path parameters also becomes a resource template, unless a URI cannot contain its inputs (an object, a header), or two paths would become the same template.',
      fix: 'Nothing: the tool does the same. To get both, make the input optional or rename a path parameter. `x-mcp: { resource: false }` hides this message.',
      example: '/pets/{pet-id} and /pets/{pet_id}',
    },
  }),
  'named-but-not-served': define<{ operation: string; name: string }>({
    code: 'MCPG429',
    severity: 'warning',
    message: ({ operation, name }) =>
      `${operation} is not served: \`x-mcp\` names its tool ${codeSpan(name)}, but \`x-mcp: false\` at the root excludes it.`,
    hint: 'Add `enabled: true` beside the name, or remove the name.',
    docs: {
      cause:
        'With `x-mcp: false` at the root, only operations are served whose own `x-mcp`, or their path’s, is `true` or has `enabled: true`.',
      fix: 'Set `enabled: true` to serve it, or `enabled: false` to hide this message.',
      example: 'x-mcp: { enabled: true, name: list_notes }',
    },
  }),
  'template-shadowed': define<{ template: string; other: string }>({
    code: 'MCPG430',
    severity: 'warning',
    message: ({ template, other }) =>
      `${template} matches the same URIs as ${other}, which handles both. Both tools remain.`,
    hint: 'Stop one of the two operations from being a resource, for example with a rule of `routeMap`.',
    docs: {
      cause:
        'A URI does not contain variable names. If two paths differ only in them, the first operation handles all reads. (OpenAPI treats these paths as identical and forbids them.)',
      fix: 'Make the second only a tool with a rule of `routeMap` or with `exclude`, or give one of them another path.',
      example: 'paths:\n  /pets/{id}: { get: … }\n  /pets/{name}: { get: … }',
    },
  }),
};
