/** MCPG3xx: schemas. */
import { codeSpan } from '../code-span.ts';
import { define } from '../define.ts';

export const schemaDiagnostics = {
  'invalid-schema': define<{ found: string }>({
    code: 'MCPG301',
    severity: 'warning',
    message: ({ found }) => `A schema is expected here, and this is ${found}. It accepts anything.`,
    hint: 'A schema is an object. Wrong indentation in YAML often makes it null.',
    docs: {
      cause: 'A schema is an object (or true and false since OpenAPI 3.1).',
      fix: 'Correct the value.',
      example: 'schema: null',
    },
  }),
  'unknown-type': define<{ type: string }>({
    code: 'MCPG302',
    severity: 'warning',
    message: ({ type }) => `${type} is not a type of JSON Schema, so the schema accepts anything.`,
    hint: 'Types are string, number, integer, boolean, object, array and null. Dates are strings with a format.',
    docs: {
      cause: 'Only the types of JSON exist in a schema. What was meant is not known.',
      fix: 'Use one of the types, with a `format` where needed.',
      example: 'type: datetime',
    },
  }),
  'invalid-pattern': define<{ pattern: string; problem: string }>({
    code: 'MCPG303',
    severity: 'warning',
    message: ({ pattern, problem }) =>
      `The pattern ${codeSpan(pattern)} is not a regular expression of ECMAScript and is left out: ${problem}.`,
    hint: 'Inline flags such as (?i), possessive quantifiers and atomic groups belong to other dialects.',
    docs: {
      cause:
        'Patterns are regular expressions of ECMAScript with Unicode rules. One that cannot be compiled would make clients refuse the whole schema.',
      fix: 'Rewrite the pattern.',
      example: 'pattern: "(?i)^abc$"',
    },
  }),
  'rewritten-pattern': define<{ pattern: string; rewritten: string }>({
    code: 'MCPG304',
    severity: 'info',
    message: ({ pattern, rewritten }) =>
      `The pattern ${codeSpan(pattern)} is written as ${codeSpan(rewritten)}, which means the same under Unicode rules.`,
    docs: {
      cause: 'Unicode rules forbid needless escapes such as \\_ and know no \\A and \\z.',
      fix: 'Nothing needs to be done.',
    },
  }),
  'invalid-keyword': define<{ keyword: string; expected: string }>({
    code: 'MCPG305',
    severity: 'warning',
    message: ({ keyword, expected }) =>
      `The keyword ${keyword} should be ${expected}. It is left out, so the schema accepts more.`,
    hint: 'Correct the value.',
    docs: {
      cause: 'The value of the keyword has the wrong type or range, so it states nothing.',
      fix: 'Correct or remove it.',
      example: 'maxLength: -1',
    },
  }),
  'boolean-required': define<{ property: string }>({
    code: 'MCPG306',
    severity: 'warning',
    message: ({ property }) =>
      `The property ${property} says \`required\` with a boolean, as in draft 3 of JSON Schema. It is taken as said by its object.`,
    hint: 'List the names of required properties in `required` beside `properties`.',
    docs: {
      cause: '`required` is a list of names beside `properties`. Inside a property it has no meaning today.',
      fix: 'Move the name to the list of the object.',
      example: 'properties: { id: { type: string, required: true } }',
    },
  }),
  'duplicate-enum-member': define<{ member: string }>({
    code: 'MCPG307',
    severity: 'info',
    message: ({ member }) => `The value ${member} stands twice in an enum. One is left out.`,
    docs: {
      cause: 'The members of an enum have to be unique; some clients refuse the schema otherwise.',
      fix: 'Remove one.',
    },
  }),
  'enum-of-other-type': define<{ member: string; type: string; meant: string }>({
    code: 'MCPG308',
    severity: 'warning',
    message: ({ member, type, meant }) =>
      `The enum member ${member} is not of the type ${type}, so no value could ever match. It is read as ${meant}.`,
    hint: ({ type }) =>
      type === 'string'
        ? 'Put numbers and booleans in quotes, so that they are kept as they are written.'
        : 'Write numbers and booleans without quotes, or correct the type.',
    docs: {
      cause:
        'In YAML an unquoted 1 or true is not a string. Together with `type: string` nothing is valid. A number is read as its value: 0123 as "123", 0x1F as "31".',
      fix: 'Quote the members, or correct the type.',
      example: 'type: string\nenum: [1, 2]',
    },
  }),
  'schema-too-deep': define<{ limit: number }>({
    code: 'MCPG309',
    severity: 'warning',
    message: ({ limit }) => `A schema nests deeper than ${limit} levels. From here on it accepts anything.`,
    hint: 'Move inner schemas to `components/schemas` and reference them.',
    docs: {
      cause: 'Depth is limited, so that a hostile document cannot exhaust the compiler or its clients.',
      fix: 'Use references instead of nesting.',
    },
  }),
  'schema-too-large': define<{ limit: number }>({
    code: 'MCPG310',
    severity: 'warning',
    message: ({ limit }) => `The document expands to more than ${limit} schemas. The rest accept anything.`,
    hint: 'YAML aliases that repeat each other are the usual cause; use `$ref` instead.',
    docs: {
      cause: 'A few lines of YAML aliases can stand for billions of schemas. The expansion is limited.',
      fix: 'Replace aliases by references, or split the document.',
    },
  }),
  'dynamic-ref': define<{ ref: string }>({
    code: 'MCPG311',
    severity: 'warning',
    message: ({ ref }) =>
      `$dynamicRef ${ref} is read like $ref: what it would mean in another dynamic scope is lost.`,
    hint: 'Use `$ref` where the target is fixed.',
    docs: {
      cause:
        'The target of a `$dynamicRef` depends on the way a validator came. A tool has one fixed schema.',
      fix: 'Use `$ref`.',
    },
  }),
  'unknown-dialect': define<{ dialect: string }>({
    code: 'MCPG312',
    severity: 'warning',
    message: ({ dialect }) =>
      `The schema dialect ${dialect} is not known. Schemas are read as JSON Schema 2020-12.`,
    hint: 'Leave `jsonSchemaDialect` and `$schema` out, or name 2020-12.',
    docs: {
      cause: 'A dialect may give keywords another meaning, or add some.',
      fix: 'Use the dialect of OpenAPI or JSON Schema 2020-12.',
    },
  }),
  'not-a-schema': define<{ ref: string }>({
    code: 'MCPG314',
    severity: 'warning',
    message: ({ ref }) =>
      `A schema is expected here, and the reference ${ref} leads to a part of the document that is none. It accepts anything.`,
    hint: 'Refer to a schema, such as `#/components/schemas/Pet`.',
    docs: {
      cause:
        'Parameters, responses and other parts of a document have places of their own. Read as a schema, such a part would say nothing, or something nobody meant.',
      fix: 'Point to the `schema` inside of it, or to a named schema.',
      example: "schema: { $ref: '#/components/responses/Pet' }",
    },
  }),
  'not-json': define<{ keyword: string; number: number }>({
    code: 'MCPG315',
    severity: 'warning',
    message: ({ keyword, number }) =>
      `The keyword ${keyword} holds ${number}, a number JSON cannot express. That value is left out.`,
    hint: 'Write a finite number, or quote the value when text is meant.',
    docs: {
      cause:
        'YAML has the numbers `.inf`, `-.inf` and `.nan`, and a number such as 1e999 is beyond what programs can hold. A message in JSON cannot carry them.',
      fix: 'Remove the value, or write what is meant in another way.',
      example: 'enum: [1, .inf]',
    },
  }),
  'rounded-value': define<{ keyword: string; written: string; read: string }>({
    code: 'MCPG317',
    severity: 'warning',
    message: ({ keyword, written, read }) =>
      `The keyword ${keyword} holds ${written}, which most readers of JSON take for ${read}. It is left out, so that nobody sends that.`,
    hint: 'Describe the value as text (`type: string`), or say the number in `description`.',
    docs: {
      cause:
        'JavaScript and many other readers of JSON hold numbers as doubles, which round integers beyond 2^53. A model that is shown such a constant, choice or default would send another number. Integers that a call gives keep all their digits.',
      fix: 'Put the number in quotes under `type: string` where the API takes text too; else tell it in the description, as digits.',
      example: 'type: integer\nenum: [9007199254740993]',
    },
  }),
  'rounded-bound': define<{ keyword: string; written: string; read: string }>({
    code: 'MCPG318',
    severity: 'info',
    message: ({ keyword, written, read }) =>
      `The keyword ${keyword} is ${written}, which most readers of JSON take for ${read}. It is left out, so the schema accepts more.`,
    docs: {
      cause:
        'JavaScript and many other readers of JSON hold numbers as doubles, which round integers beyond 2^53, such as the bounds of `int64`. A rounded bound would refuse what the document allows, or the other way about.',
      fix: 'Nothing, where the bound only repeats `format: int64`; else choose one that a double holds.',
      example: 'type: integer\nmaximum: 9223372036854775807',
    },
  }),
  'guarded-pattern': define<{ pattern: string }>({
    code: 'MCPG319',
    severity: 'info',
    message: ({ pattern }) =>
      `The pattern ${codeSpan(pattern)} may take an engine that backtracks very long. The server matches texts against it without backtracking.`,
    docs: {
      cause:
        'Repetitions inside one another, alternatives that begin alike, and neighbours that accept the same characters can be shared out in many ways, and most engines of regular expressions try each. Nothing is lost in the server, which then uses a slower matcher that never goes back. Clients and the API itself may not be so careful.',
      fix: 'Nothing needs to be done. A pattern with one way to match each text, anchored with `^`, is faster everywhere: `^(a+)+$` is `^a+$`.',
      example: 'pattern: ^(a+)+$',
    },
  }),
  'unsafe-pattern': define<{ pattern: string }>({
    code: 'MCPG320',
    severity: 'warning',
    message: ({ pattern }) =>
      `The pattern ${codeSpan(pattern)} is left out: nothing shows that matching it ends in time, and it cannot be matched without backtracking.`,
    hint: 'Rewrite it without back references, without modifiers such as (?i:…), and with smaller counts.',
    docs: {
      cause:
        'A text chosen for the purpose could keep the server busy for hours with one call. A pattern with back references (`\\1`), or thousands of characters long when its counts are written out, has no form that rules this out.',
      fix: 'Rewrite the pattern. The schema accepts more until then, and the API has the last word.',
      example: 'pattern: ^(.)\\1$',
    },
  }),
  'default-of-other-type': define<{ value: string; type: string; fate: string }>({
    code: 'MCPG316',
    severity: 'warning',
    message: ({ value, type, fate }) =>
      `The default ${value} is not of the type ${type} its schema demands. It is ${fate}.`,
    hint: 'Correct the default or the type. Put numbers and booleans in quotes when the type is string.',
    docs: {
      cause:
        'A default is a value that the schema accepts. One of another type would make a model send what the API refuses. What was only written differently (`1` for text) is converted.',
      fix: 'Correct the default, or the type.',
      example: 'type: integer\ndefault: none',
    },
  }),
  'endless-schema': define<{ schema: string }>({
    code: 'MCPG313',
    severity: 'warning',
    message: ({ schema }) =>
      `The schema ${schema} leads back to itself without a step into a property or an item, so that checking a value would never end. The reference that closes the circle is left out.`,
    hint: 'Move what the schemas share to one of its own that refers to neither, or use a `discriminator`.',
    docs: {
      cause:
        'Often a parent lists its children in `oneOf` and each child takes the parent in by `allOf`. No validator can use such a schema.',
      fix: 'Let the children extend a base schema that does not list them.',
      example: 'Pet: { oneOf: [{ $ref: Cat }] }, Cat: { allOf: [{ $ref: Pet }] }',
    },
  }),
  'schema-chain-too-long': define<{ name: string; limit: number }>({
    code: 'MCPG321',
    severity: 'warning',
    message: ({ name, limit }) =>
      `${codeSpan(name)} ends a chain of ${limit} schemas that only refer to one another. It accepts anything.`,
    hint: 'Refer to what the chain ends at, and leave out the schemas between.',
    docs: {
      cause:
        'By `$ref`, `allOf`, `anyOf` and their like a schema looks at the same value as the next. The length of such a chain is limited, so that a hostile document cannot exhaust the compiler, its clients or the server.',
      fix: 'Refer to the last schema of the chain. Steps into a property or an item begin another chain.',
      example: 'A1: { anyOf: [{ $ref: A2 }] }, A2: { anyOf: [{ $ref: A3 }] }, and so on',
    },
  }),
  'hidden-text': define<{ hidden: string }>({
    code: 'MCPG322',
    severity: 'warning',
    message: ({ hidden }) =>
      `This text holds characters that people do not see and models read: ${hidden}. They are removed.`,
    hint: 'Delete them in the source. If you did not put them there, read the rest of the source with care.',
    docs: {
      cause:
        'Titles, descriptions and other prose are what a model reads before it calls a tool. Characters without a shape (tags, zero width, writing direction, variation selectors, controls) can carry an instruction that no review shows. Where they spell a text, the message has it; else it names their code points. Joiners in Persian or Indic words and in emoji are kept.',
      fix: 'Retype the text, or delete the characters with an editor that shows them. Nothing of them reaches the server.',
      example: 'description: "Lists pets.\\u200b\\u200c\\u200b"',
    },
  }),
  'hidden-text-in-value': define<{ hidden: string; more: number }>({
    code: 'MCPG323',
    severity: 'warning',
    message: ({ hidden, more }) =>
      `This name or value holds characters that people do not see: ${hidden}. It stays as it is, since other bytes would be wrong to send.${
        more === 0 ? '' : ` The document has ${more} more such places, which are not shown.`
      }`,
    hint: 'Delete the characters in the source if the API does not ask for them.',
    docs: {
      cause:
        'Members of `enum`, defaults, examples, patterns, names on the wire, URIs and media types are sent or compared byte for byte, so that they are never changed. A model reads them too, and a hidden character in one may be an instruction, or the remains of a copy and paste. Names that clients see are cleaned, and the wire name stays.',
      fix: 'Correct the value, or leave the operation out with `--exclude`. With `--strict` nothing is compiled until then.',
      example: 'enum: ["cat", "dog\\u200b"]',
    },
  }),
  'schema-copies': define<{ limit: number }>({
    code: 'MCPG324',
    severity: 'warning',
    message: ({ limit }) =>
      `This schema would be written out as more than ${limit} schemas. Where it is used it stays a reference, or accepts anything.`,
    hint: 'Refer to a schema once, or list the alternatives in one `anyOf`.',
    docs: {
      cause:
        'Files in a body, and objects that are composed of others, have their schemas written out. A chain of schemas that each refer to the next twice doubles at each step: twenty of them are a million copies. Copies are counted, so that no document exhausts the compiler.',
      fix: 'Let each schema of the chain refer to the next once. The API still checks what is sent.',
      example:
        'A: { anyOf: [{ $ref: B }, { $ref: B }] }, B: { anyOf: [{ $ref: C }, { $ref: C }] }, and so on',
    },
  }),
};
