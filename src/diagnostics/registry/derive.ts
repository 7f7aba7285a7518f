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
  }),
  'body-media-type-not-offered': defineDiagnostic<{ mediaType: string; operation: string; offered: string }>({
    code: 'MCPG424',
    message: ({ mediaType, operation, offered }) =>
      `The body of \`${operation}\` cannot be sent as ${mediaType}, since the document only offers ${offered}.`,
    hint: ({ offered }) => `Choose an offered type (${offered}), or none.`,
  }),
  'output-schema-left-out': defineDiagnostic<
    { tool: string; limit: number } | { tools: number; limit: number }
  >({
    code: 'MCPG406',
    severity: 'info',
    message: (parameters) => {
      if (!('tools' in parameters))
        return `The tool \`${parameters.tool}\` has no output schema, since it would exceed ${parameters.limit} bytes. Its results are unchanged.`;
      const { tools, limit } = parameters;
      const why = tools > limit ? `the server has more than ${limit}` : 'an earlier run left them out';
      return `None of the ${tools} tools lists an output schema, since ${why}. Results are unchanged.`;
    },
    hint: (parameters) =>
      'tools' in parameters
        ? 'To list them, set `outputSchema` to `loose` (`--output-schema loose`). Later runs keep the decision, which `mcpgen.lock` has.'
        : 'To include it, raise `outputSchemaLimit` in the configuration.',
  }),
  'body-not-composed': defineDiagnostic<
    { operation: string } & (
      { mediaType: string } | { because: string } | { argument: string } | { format: string; kind: string }
    )
  >({
    code: 'MCPG423',
    severity: 'warning',
    message: (parameters) => {
      const { operation } = parameters;
      if ('mediaType' in parameters)
        return `The body of \`${operation}\` cannot be sent as ${parameters.mediaType}, since only objects have fields. Calls of its tool will fail.`;
      if ('format' in parameters)
        return `The body of \`${operation}\` is one argument, ${parameters.kind === 'text' ? 'the text' : 'bytes'} as ${parameters.format}: its properties do not become arguments, since mcpgen only writes JSON, forms, multipart and XML.`;
      return 'because' in parameters
        ? `The XML body of \`${operation}\` is one text argument with the whole document, since ${parameters.because}.`
        : `Files in the argument \`${parameters.argument}\` of \`${operation}\` are sent as text inside JSON, which cannot contain bytes.`;
    },
    hint: (parameters) => {
      if ('mediaType' in parameters)
        return 'Describe the body as an object with a property per field, or use another media type.';
      if ('format' in parameters) return 'Offer `application/json` too, if the API reads it.';
      return 'because' in parameters
        ? 'Use a named schema (`components/schemas`) for the body, or set `xml.name`.'
        : 'Make each file, or list of files, a property of the body itself, with `format: binary`.';
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
  'bad-selector': defineDiagnostic<{ selector: string }>({
    code: 'MCPG407',
    message: ({ selector }) => `"${selector}" is not a selector.`,
    hint: 'Write `tag:pets`, `path:/pets/**`, `op:list*` or `method:get`.',
  }),
  'selector-matches-nothing': defineDiagnostic<{ selector: string; suggestion: string }>({
    code: 'MCPG408',
    severity: 'warning',
    message: ({ selector, suggestion }) => `The selector \`${selector}\` matches no operation.${suggestion}`,
    hint: 'Tags are case-sensitive. In a path, `*` matches within a segment, `**` across segments.',
  }),
  'nothing-selected': defineDiagnostic<{ operations: number; kinds: string } | { writers: number }>({
    code: 'MCPG409',
    message: (counts) =>
      'writers' in counts
        ? `None of the ${counts.writers} tools says \`readOnlyHint\`, so a server that only reads would be empty.`
        : `None of the ${counts.operations} operations is selected, so the server would be empty.`,
    hint: (counts) =>
      'kinds' in counts && counts.kinds.includes(',')
        ? `An operation must match each kind of \`--include\` that is given: ${counts.kinds}. Use one kind for all.`
        : 'Widen `--include`, remove an `--exclude` or `--read-only`, or check the route map and `x-mcp: false`.',
  }),
  'writers-left-out': defineDiagnostic<{ tools: number; of: number }>({
    code: 'MCPG460',
    severity: 'info',
    message: ({ tools, of }) =>
      `${tools} of ${of} tools are left out, because they don't say \`readOnlyHint\` and the server only reads.`,
    hint: 'If a tool only reads, say so with `x-mcp: { annotations: { readOnlyHint: true } }`, or `@readOnly` on a function.',
  }),
  'not-read-only': defineDiagnostic<{ operation: string; word: string }>({
    code: 'MCPG435',
    severity: 'warning',
    message: ({ operation, word }) =>
      `\`${operation}\` says "${word}", so its tool is not listed as one that only reads.`,
    hint: 'If it only reads, set `x-mcp: { annotations: { readOnlyHint: true } }`.',
  }),
  'many-tools': defineDiagnostic<{ problem: string; of: keyof typeof fewerTools; tags: string }>({
    code: 'MCPG410',
    severity: 'warning',
    message: ({ problem }) => `The list of tools is long for many clients: ${problem}.`,
    hint: suggestFewerTools,
  }),
  'tool-dear': defineDiagnostic<{ tool: string; tokens: number }>({
    code: 'MCPG484',
    severity: 'warning',
    message: ({ tool, tokens }) =>
      `${tool} takes about ${tokens} tokens of the list, which a client sends to the model with each request.`,
    hint: 'Take an object with only the members that a model should set, or mark the others `@hidden`.',
  }),
  'surface-chosen': defineDiagnostic<{ tools: number; tokens: number; surface: string }>({
    code: 'MCPG482',
    severity: 'info',
    message: ({ surface, tools, tokens }) =>
      `\`surface: auto\` chose \`${surface}\` for ${tools} tools${tokens === 0 ? '' : ` of about ${tokens} tokens`}.`,
  }),
  'surface-kept': defineDiagnostic<{ tools: number; tokens: number; surface: string; other: string }>({
    code: 'MCPG483',
    severity: 'warning',
    message: ({ surface, other, tools }) =>
      `The server keeps \`surface: ${surface}\` of mcpgen.lock. For its ${tools} tools \`auto\` would now choose \`${other}\`.`,
    hint: 'To change it, set `surface`. That breaks clients that know the listed tools.',
  }),
  'not-a-resource': defineDiagnostic<{ operation: string; because: string }>({
    code: 'MCPG412',
    severity: 'warning',
    message: ({ operation, because }) =>
      `\`${operation}\` cannot be a resource, because ${because}. It is a tool.`,
    hint: 'For this operation, change the route map or `x-mcp.resource`.',
  }),
  'resource-left-out': defineDiagnostic<{ operation: string; because: string }>({
    code: 'MCPG413',
    severity: 'info',
    message: ({ operation, because }) =>
      `\`${operation}\` is not also a resource, because ${because}. It is a tool.`,
  }),
  'named-but-not-served': defineDiagnostic<{ operation: string; name: string }>({
    code: 'MCPG429',
    severity: 'warning',
    message: ({ operation, name }) =>
      `${operation} is not served: \`x-mcp\` names its tool ${quoteAsCodeSpan(name)}, but \`x-mcp: false\` at the root excludes it.`,
    hint: 'Add `enabled: true` beside the name, or remove the name.',
  }),
};

export const deriveDiagnostics = {
  ...nameDiagnostics,
  ...derivedBodyDiagnostics,
  ...selectionDiagnostics,
  ...securityDiagnostics,
};
