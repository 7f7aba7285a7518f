/** MCPG2xx: request bodies and their encoding. */
import { codeSpan } from '../../code-span.ts';
import { define } from '../../define.ts';

export const bodyDiagnostics = {
  'several-bodies': define<{ operation: string }>({
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
  'part-header-left-out': define<{ name: string }>({
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
  'required-part-header-left-out': define<{ name: string }>({
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
  'field-without-effect': define<{ field: string; because: string }>({
    code: 'MCPG240',
    severity: 'info',
    message: ({ field, because }) => `${codeSpan(field)} has no effect, since ${because}.`,
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
