/** MCPG73x: schemas of zod, ArkType and other libraries, which `@schema Name` names. */
import { defineDiagnostic } from '../define.ts';
import { quoteAsCodeSpan } from '../quoting.ts';

export const librarySchemaDiagnostics = {
  'schema-unusable': defineDiagnostic<{ name: string; problem: string; next: string }>({
    code: 'MCPG730',
    severity: 'error',
    message: ({ name, problem }) => `${quoteAsCodeSpan(`@schema ${name}`)} can't be used: ${problem}.`,
    hint: ({ next }) => next,
    docs: {
      cause:
        'The tag names an exported schema, which mcpgen asks for its JSON Schema (`~standard.jsonSchema` of the Standard JSON Schema interface) in a process of its own. It is not exported, is no schema, its library is too old, it has no JSON form, or its module fails, prints no answer within 10 seconds, or needs more than 512 MB.',
      fix: 'zod needs 4.2 or newer (not `zod/mini`), ArkType 2.1.28 or newer. Valibot needs `toStandardJsonSchema(Schema)` of `@valibot/to-json-schema` 1.5 or newer. Keep schemas in a file that needs neither environment nor network, since it runs without them.',
      example:
        '/** @tool */\nexport function add(/** @schema NoteSchema */ note: z.infer<typeof NoteSchema>): void',
    },
  }),
  'schema-not-named': defineDiagnostic<{ name: string }>({
    code: 'MCPG731',
    severity: 'warning',
    message: ({ name }) =>
      `This is the type of the schema ${quoteAsCodeSpan(name)} alone: its limits, defaults, texts and transforms are not listed, and it checks no value.`,
    hint: ({ name }) =>
      `Export ${quoteAsCodeSpan(name)}, and write ${quoteAsCodeSpan(`@schema ${name}`)} before the parameter (after its name in ${quoteAsCodeSpan('@param')}), or before the function for its result. Within a larger value, name an exported schema of the whole.`,
    docs: {
      cause:
        '`z.infer<typeof Schema>` is a type: it has the members of the schema, and none of its limits. What clients send is checked by the type alone.',
      fix: 'Export the schema, and name it: `/** @schema NoteSchema */ note: z.infer<typeof NoteSchema>`, or `@param note @schema NoteSchema`. Without a schema library, write limits as tags.',
      example:
        'const Note = z.object({ text: z.string().max(500) });\nexport function add(note: z.infer<typeof Note>): void',
    },
  }),
  'schema-type-differs': defineDiagnostic<{ name: string; gives: string; subject: string; takes: string }>({
    code: 'MCPG732',
    severity: 'warning',
    message: ({ name, gives, subject, takes }) =>
      `${quoteAsCodeSpan(name)} describes ${quoteAsCodeSpan(gives)}, and ${subject} is ${quoteAsCodeSpan(takes)}.`,
    hint: 'Use the output type of the schema, such as `z.infer<typeof Schema>` or `StandardSchemaV1.InferOutput`.',
    docs: {
      cause:
        'The function gets what the schema makes of the arguments, after its transforms, and its result is listed by the output of the schema. TypeScript does not compare the tag with the type.',
      fix: 'Write the type that the schema gives, or name the schema that fits the type.',
      example:
        '/** @schema z.string() gives a text */\nexport function wait(/** @schema Text */ seconds: number): void',
    },
  }),
  'schema-not-object': defineDiagnostic<{ name: string; argument: string }>({
    code: 'MCPG733',
    severity: 'info',
    message: ({ name, argument }) =>
      `The input of ${quoteAsCodeSpan(name)} is no plain object, so it is one argument, ${quoteAsCodeSpan(argument)}.`,
    hint: 'For its members as arguments, use a schema of one object, and no union at its top.',
    docs: {
      cause:
        "The arguments of a tool are an object. The parameter's type is one, but the schema accepts something else: a union, an intersection, a text, a list.",
      fix: 'No action is needed. If clients should see the members as arguments, make the input one object.',
      example: 'export const Shape = z.discriminatedUnion("kind", [Circle, Square]);',
    },
  }),
};
