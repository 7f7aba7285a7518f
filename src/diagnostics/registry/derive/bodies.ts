/** MCPG4xx: request bodies and output schemas as tools have them. */
import { define } from '../../define.ts';

export const derivedBodyDiagnostics = {
  'body-media-type-chosen': define<{ chosen: string; others: string; operation: string }>({
    code: 'MCPG405',
    severity: 'info',
    message: ({ chosen, others, operation }) =>
      `The body of \`${operation}\` is sent as ${chosen}; the document also offers ${others}.`,
    docs: {
      cause:
        'A tool has one input schema, so mcpgen chooses one media type: JSON, then forms, multipart, text, bytes and XML. For schemas with files (`format: binary`), which JSON and forms cannot contain, multipart comes first.',
      fix: 'To choose another one, set `--body-media-type <selector>=<media type>` or `x-mcp.bodyMediaType`.',
      example: 'mcpgen openapi api.yaml --body-media-type op:createPet=application/xml',
    },
  }),
  'body-media-type-not-offered': define<{ mediaType: string; operation: string; offered: string }>({
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
  'output-schema-too-large': define<{ tool: string; limit: number }>({
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
  'files-sent-as-text': define<{ argument: string; operation: string }>({
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
  'xml-as-text': define<{ because: string; operation: string }>({
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
  'form-without-fields': define<{ mediaType: string; operation: string }>({
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
