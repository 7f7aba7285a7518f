/** MCPG2xx: bodies of requests, and how what stands in them is encoded. */
import { codeSpan } from '../../code-span.ts';
import { define } from '../../define.ts';

export const bodyDiagnostics = {
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
};
