/** MCPG4xx: decisions about bodies, selection and the rest of the tool surface. */
import { defineDiagnostic } from '../define.ts';
import { quoteAsCodeSpan } from '../quoting.ts';
import { nameDiagnostics } from './names.ts';
import { securityDiagnostics } from './security.ts';

const derivedBodyDiagnostics = {
  'body-media-type-chosen': defineDiagnostic<{ chosen: string; others: string; operation: string }>({
    code: 'MCPG405',
    severity: 'info',
    message: ({ chosen, others, operation }) =>
      `The body of \`${operation}\` is sent as ${chosen}; the document also offers ${others}.`,
    docs: {
      cause:
        'A tool has one input schema, so mcpgen chooses one media type: JSON, then forms, multipart, text, bytes and XML. For schemas with files (`format: binary`), which JSON and forms cannot contain, multipart comes first. `application/octet-stream` precedes text for bodies that are bytes.',
      fix: 'To choose another one, set `--body-media-type <selector>=<media type>` or `x-mcp.bodyMediaType`.',
      example: 'mcpgen openapi api.yaml --body-media-type op:createPet=application/xml',
    },
  }),
  'body-media-type-not-offered': defineDiagnostic<{ mediaType: string; operation: string; offered: string }>({
    code: 'MCPG424',
    severity: 'error',
    message: ({ mediaType, operation, offered }) =>
      `The body of \`${operation}\` cannot be sent as ${mediaType}, since the document only offers ${offered}.`,
    hint: ({ offered }) => `Choose an offered type (${offered}), or none.`,
    docs: {
      cause:
        'The request body does not have the media type in `--body-media-type` (`bodyMediaType` in the configuration) or `x-mcp.bodyMediaType`.',
      fix: 'Spell it as in the document, or let mcpgen choose.',
      example: 'mcpgen openapi api.yaml --body-media-type op:createPet=application/xml',
    },
  }),
  'output-schema-too-large': defineDiagnostic<{ tool: string; limit: number }>({
    code: 'MCPG406',
    severity: 'info',
    message: ({ tool, limit }) =>
      `The tool \`${tool}\` has no output schema, since it would exceed ${limit} bytes. Its results are unchanged.`,
    hint: 'To include it, raise `outputSchemaLimit` in the configuration.',
    docs: {
      cause:
        'Each `tools/list` response contains the output schemas, and large ones use up a model’s context. Above the limit, a tool has none.',
      fix: 'Raise `outputSchemaLimit`, or ignore this: results are complete either way.',
    },
  }),
  'output-schemas-off': defineDiagnostic<{ tools: number; most: number; bytes: number }>({
    code: 'MCPG450',
    severity: 'info',
    message: ({ tools, most, bytes }) => {
      const why = tools > most ? `the server has more than ${most}` : `the list would have ${bytes} bytes`;
      return `None of the ${tools} tools lists an output schema, since ${why}. Results are unchanged.`;
    },
    hint: 'To list them, set `outputSchema` to `loose` (`--output-schema loose`). Later runs keep the decision, which `mcpgen.lock` has.',
    docs: {
      cause:
        'Clients receive the output schemas of all tools with the list, and some compile each of them before the first call. Above 100 tools, or 1 MB of list, tools have none unless `outputSchema` says otherwise.',
      fix: 'Set `outputSchema` to `loose` or `strict` to list them, or to `off` to hide this message.',
      example: 'mcpgen openapi api.yaml --output-schema loose',
    },
  }),
  'files-sent-as-text': defineDiagnostic<{ argument: string; operation: string }>({
    code: 'MCPG421',
    severity: 'warning',
    message: ({ argument, operation }) =>
      `Files in the argument \`${argument}\` of \`${operation}\` are sent as text inside JSON, which cannot contain bytes.`,
    hint: 'Make each file, or list of files, a property of the body itself, with `format: binary`.',
    docs: {
      cause:
        'An argument contains a file as base64 or a data: URI. The server decodes it if a property of a multipart body is a file or a list of files. An object in a multipart body is one JSON part, so a file inside it is sent as the given text.',
      fix: 'Move the file to a property of the body with `format: binary`. If the API expects it in the object, describe it as a string with `contentEncoding: base64`.',
      example:
        'schema:\n  type: object\n  properties:\n    file: { type: string, format: binary }\n    name: { type: string }',
    },
  }),
  'xml-as-text': defineDiagnostic<{ because: string; operation: string }>({
    code: 'MCPG423',
    severity: 'warning',
    message: ({ because, operation }) =>
      `The XML body of \`${operation}\` is one text argument with the whole document, since ${because}.`,
    hint: 'Use a named schema (`components/schemas`) for the body, or set `xml.name`.',
    docs: {
      cause:
        'The server builds XML from arguments with the `xml` objects of the schema. `xml.name` names the root element, or else the referenced component; an inline schema without `xml.name` has no name. All names must be valid in XML.',
      fix: 'Add `xml: { name: … }` to the schema, or move it to `components/schemas` and reference it.',
      example: 'schema:\n  type: object\n  xml: { name: pet }\n  properties:\n    name: { type: string }',
    },
  }),
  'form-without-fields': defineDiagnostic<{ mediaType: string; operation: string }>({
    code: 'MCPG422',
    severity: 'warning',
    message: ({ mediaType, operation }) =>
      `The body of \`${operation}\` cannot be sent as ${mediaType}, since only objects have fields. Calls of its tool will fail.`,
    hint: 'Describe the body as an object with a property per field, or use another media type.',
    docs: {
      cause:
        'The server builds form and multipart bodies from the members of an object. An array or scalar has none, so it could send nothing.',
      fix: 'Describe the body as an object, offer JSON as well, or omit the operation with `--exclude`.',
      example:
        'application/x-www-form-urlencoded:\n  schema: { type: object, properties: { ids: { type: array } } }',
    },
  }),
};

/** Hints for a server with too many tools, by the kind of its sources. */
const fewerTools = {
  documents: 'Select operations with `--include tag:…` or `path:…`',
  functions:
    'Compile fewer files into one server, or select tools when it starts, such as with `--include "op:get*"`',
  both: 'Select operations with `include` of a source, name fewer files of functions, or select tools with `--include` when the server starts',
};

function suggestFewerTools({ of, tags }: { of: keyof typeof fewerTools; tags: string }): string {
  const counts = tags === '' ? '' : ` (tools by tag: ${tags})`;
  return `${fewerTools[of]}${counts}; list five tools that find the others (\`--surface search\`); or split it into several servers.`;
}

const selectionDiagnostics = {
  'bad-selector': defineDiagnostic<{ selector: string; suggestion: string }>({
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
  'selector-matches-nothing': defineDiagnostic<{ selector: string; suggestion: string }>({
    code: 'MCPG408',
    severity: 'warning',
    message: ({ selector, suggestion }) => `The selector \`${selector}\` matches no operation.${suggestion}`,
    hint: 'Tags are case-sensitive. In a path, `*` matches within a segment, `**` across segments.',
    docs: {
      cause:
        'A selector of `--include` or `--exclude` has no effect, which is often a typing error. A server that is started with such a selector of a tag, path or operation ends.',
      fix: 'Correct or remove it. `mcpgen inspect` lists the operations and their tags.',
    },
  }),
  'nothing-selected': defineDiagnostic<{ operations: number } | { writers: number }>({
    code: 'MCPG409',
    severity: 'error',
    message: (given) =>
      'writers' in given
        ? `None of the ${given.writers} tools says \`readOnlyHint\`, so a server that only reads would be empty.`
        : `None of the ${given.operations} operations is selected, so the server would be empty.`,
    hint: 'Widen `--include`, remove an `--exclude` or `--read-only`, or check the route map and `x-mcp: false`.',
    docs: {
      cause:
        '`--include`, `--exclude`, the route map and `x-mcp` together exclude every operation, or no tool reads only and `--read-only` is set.',
      fix: 'Check the selectors: one `--include` of each kind must match, and whatever an `--exclude` matches is left out.',
      example: 'mcpgen openapi api.yaml --include tag:pets --include method:trace',
    },
  }),
  'writers-left-out': defineDiagnostic<{ tools: number; of: number }>({
    code: 'MCPG460',
    severity: 'info',
    message: ({ tools, of }) =>
      `${tools} of ${of} tools are left out, because they don't say \`readOnlyHint\` and the server only reads.`,
    hint: 'If a tool only reads, say so with `x-mcp: { annotations: { readOnlyHint: true } }`, or `@readOnly` on a function.',
    docs: {
      cause: '`readOnly` (`--read-only`) serves only the tools that say that they change nothing.',
      fix: 'Nothing, if the tools write. Otherwise set the hint on those that read.',
    },
  }),
  'not-read-only': defineDiagnostic<{ operation: string; word: string }>({
    code: 'MCPG435',
    severity: 'warning',
    message: ({ operation, word }) =>
      `\`${operation}\` says "${word}", so its tool is not listed as one that only reads.`,
    hint: 'If it only reads, set `x-mcp: { annotations: { readOnlyHint: true } }`.',
    docs: {
      cause:
        'GET, HEAD, OPTIONS and QUERY should change nothing, but some APIs delete, send or cancel with a GET. Clients run tools that only read without asking a person, so mcpgen looks for such words in the operationId and the path, and for an operationId that begins with a verb that writes (create, restart, logout). "Archive", "merge" and "transfer" name things too, so they do not count after a verb that reads: `getTransfer`.',
      fix: 'Set `readOnlyHint` of the operation in `x-mcp.annotations`, to true or false.',
      example: 'x-mcp: { annotations: { readOnlyHint: true } }',
    },
  }),
  'many-tools': defineDiagnostic<{ tools: number; limit: number; of: keyof typeof fewerTools; tags: string }>(
    {
      code: 'MCPG410',
      severity: 'warning',
      message: ({ tools, limit }) =>
        `The server has ${tools} tools. Above ${limit}, models choose worse and some clients list only a part.`,
      hint: suggestFewerTools,
      docs: {
        cause: 'Some clients accept 40 to 80 tools, and every tool uses context in each conversation.',
        fix: 'Select operations with `--include`, `--exclude` or `x-mcp: false`, or compile fewer files of functions. The server also accepts `--include` when it starts.',
      },
    },
  ),
  'too-many-tools': defineDiagnostic<{
    tools: number;
    limit: number;
    of: keyof typeof fewerTools;
    tags: string;
  }>({
    code: 'MCPG411',
    severity: 'warning',
    message: ({ tools, limit }) =>
      `The server has ${tools} tools. Above ${limit}, common clients ignore tools or refuse the server.`,
    hint: suggestFewerTools,
    docs: {
      cause: 'Common clients accept at most 128 tools from all servers together.',
      fix: 'Select operations with `--include` and `--exclude`, or compile several smaller servers. The server also accepts `--include` when it starts.',
    },
  }),
  'long-list': defineDiagnostic<{ tools: number; tokens: number; of: keyof typeof fewerTools; tags: string }>(
    {
      code: 'MCPG485',
      severity: 'warning',
      message: ({ tools, tokens }) =>
        `The list of ${tools} tools takes about ${tokens} tokens, which clients send to the model with each request.`,
      hint: suggestFewerTools,
      docs: {
        cause:
          'Above 25,000 tokens a list costs more than most work that is done with it, and some clients cut it. Tokens are estimated.',
        fix: 'Select operations, use `--surface search`, or leave out output schemas. `mcpgen inspect` shows the tokens of each tool; `budget.listTokens` makes a limit of your own an error.',
        example: 'mcpgen openapi api.yaml --surface search',
      },
    },
  ),
  'operation-name-reserved': defineDiagnostic<{ name: string; operation: string; to: string }>({
    code: 'MCPG480',
    severity: 'info',
    message: ({ name, operation, to }) =>
      `The tool for \`${operation}\` is called \`${to}\`, since \`${name}\` is the name of a tool that searches or calls others.`,
    hint: 'To choose another name, set `x-mcp.name` on the operation.',
    docs: {
      cause:
        'Servers of large APIs list `search_tools`, `describe_tool`, `call_read_tool`, `call_write_tool` and `call_destructive_tool`. No operation gets one of these names, so that a server can begin to list them.',
      fix: 'Nothing. To choose a name, set `x-mcp.name` or change the `operationId`.',
      example: 'operationId: search_tools   # tool search_tools_get_tools',
    },
  }),
  'name-reserved': defineDiagnostic<{ name: string }>({
    code: 'MCPG481',
    severity: 'error',
    message: ({ name }) => `\`${name}\` is the name of a tool that searches or calls others.`,
    hint: 'Give the function another name, such as `@tool find_my_tools`.',
    docs: {
      cause:
        'Servers of large APIs list `search_tools`, `describe_tool`, `call_read_tool`, `call_write_tool` and `call_destructive_tool`. A function with one of these names could not be called.',
      fix: 'Give the function another name in its tag.',
      example: '/** @tool find_orders */',
    },
  }),
  'tool-dear': defineDiagnostic<{ tool: string; tokens: number }>({
    code: 'MCPG484',
    severity: 'warning',
    message: ({ tool, tokens }) =>
      `${tool} takes about ${tokens} tokens of the list, which a client sends to the model with each request.`,
    hint: 'Take an object with only the members that a model should set, or mark the others `@hidden`.',
    docs: {
      cause:
        'The schema has all members of the types, such as those of a library. A tool above 4,000 tokens is expensive, and models overlook its important arguments.',
      fix: "Write a type of your own: `Pick<PutObjectCommandInput, 'Bucket' | 'Key'>`, or mark optional members `@hidden`. `outputSchema: off` leaves out the result.",
      example: 'export function putObject(input: PutObjectCommandInput): Promise<PutObjectCommandOutput>',
    },
  }),
  'surface-chosen': defineDiagnostic<{ tools: number; tokens: number; surface: string }>({
    code: 'MCPG482',
    severity: 'info',
    message: ({ surface, tools, tokens }) =>
      `\`surface: auto\` chose \`${surface}\` for ${tools} tools${tokens === 0 ? '' : ` of about ${tokens} tokens`}.`,
    docs: {
      cause:
        'Above 128 tools or 25,000 tokens (`budget.listTokens`), a server lists `search_tools` and four tools that describe and call the others; below, it lists all tools. The choice is kept in `mcpgen.lock`.',
      fix: 'Nothing. To choose yourself, set `surface` to `tools`, `search` or `both`.',
      example: 'mcpgen openapi api.yaml --surface auto',
    },
  }),
  'surface-kept': defineDiagnostic<{ tools: number; tokens: number; surface: string; other: string }>({
    code: 'MCPG483',
    severity: 'warning',
    message: ({ surface, other, tools }) =>
      `The server keeps \`surface: ${surface}\` of mcpgen.lock. For its ${tools} tools \`auto\` would now choose \`${other}\`.`,
    hint: 'To change it, which breaks clients that know the listed tools, generate with --accept-surface.',
    docs: {
      cause:
        'The API has grown or shrunk since `surface: auto` chose. Clients know the tools that the server lists, so the choice stays.',
      fix: 'Generate with `--accept-surface`, or set `surface` to what it should be.',
      example: 'mcpgen generate --accept-surface',
    },
  }),
  'not-a-resource': defineDiagnostic<{ operation: string; because: string }>({
    code: 'MCPG412',
    severity: 'warning',
    message: ({ operation, because }) =>
      `\`${operation}\` cannot be a resource, because ${because}. It is a tool.`,
    hint: 'For this operation, change the route map or `x-mcp.resource`.',
    docs: {
      cause:
        'Clients read a resource by its URI alone and without asking the user. So it must be a GET that answers with content and whose required inputs are path or simple query parameters. A GET that may change something can be a resource only if it is also a tool: `--read-only` and `--confirm` follow the hints of the tool.',
      fix: 'Keep it as a tool, make the inputs optional that a URI cannot contain, or say that it reads: `x-mcp: { annotations: { readOnlyHint: true } }`.',
    },
  }),
  'resource-left-out': defineDiagnostic<{ operation: string; because: string }>({
    code: 'MCPG413',
    severity: 'info',
    message: ({ operation, because }) =>
      `\`${operation}\` is not also a resource, because ${because}. It is a tool.`,
    docs: {
      cause:
        'A GET with path parameters also becomes a resource template, unless a URI cannot contain its inputs (an object, a header), two paths would become the same template, or its name or path says that it changes something (MCPG435).',
      fix: 'Nothing: the tool does the same. To get both, make the input optional, rename a path parameter, or set `x-mcp: { resource: true }`. `x-mcp: { resource: false }` hides this message.',
      example: '/pets/{pet-id} and /pets/{pet_id}',
    },
  }),
  'named-but-not-served': defineDiagnostic<{ operation: string; name: string }>({
    code: 'MCPG429',
    severity: 'warning',
    message: ({ operation, name }) =>
      `${operation} is not served: \`x-mcp\` names its tool ${quoteAsCodeSpan(name)}, but \`x-mcp: false\` at the root excludes it.`,
    hint: 'Add `enabled: true` beside the name, or remove the name.',
    docs: {
      cause:
        'With `x-mcp: false` at the root, only operations are served whose own `x-mcp`, or their path’s, is `true` or has `enabled: true`.',
      fix: 'Set `enabled: true` to serve it, or `enabled: false` to hide this message.',
      example: 'x-mcp: { enabled: true, name: list_notes }',
    },
  }),
  'template-shadowed': defineDiagnostic<{ template: string; other: string }>({
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

export const deriveDiagnostics = {
  ...nameDiagnostics,
  ...derivedBodyDiagnostics,
  ...selectionDiagnostics,
  ...securityDiagnostics,
};
