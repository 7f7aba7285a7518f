/** MCPG3xx: schemas. */
import { quoteAsCodeSpan } from '../quoting.ts';
import { defineDiagnostic } from '../define.ts';

export const schemaDiagnostics = {
  'invalid-schema': defineDiagnostic<{ found: string }>({
    code: 'MCPG301',
    severity: 'warning',
    message: ({ found }) => `Expected a schema, but found ${found}. It accepts anything.`,
    hint: 'A schema is an object. Wrong YAML indentation often makes it null.',
    docs: {
      cause: 'A schema is an object, or since OpenAPI 3.1 true or false.',
      fix: 'Correct the value.',
      example: 'schema: null',
    },
  }),
  'unknown-type': defineDiagnostic<{ type: string }>({
    code: 'MCPG302',
    severity: 'warning',
    message: ({ type }) => `${type} is not a JSON Schema type, so the schema accepts anything.`,
    hint: 'Types are string, number, integer, boolean, object, array and null. Dates are strings with a format.',
    docs: {
      cause: 'A schema can only use JSON types, so the meaning of this one is unknown.',
      fix: 'Use one of the types, with a `format` if needed.',
      example: 'type: datetime',
    },
  }),
  'invalid-pattern': defineDiagnostic<{ pattern: string; problem: string }>({
    code: 'MCPG303',
    severity: 'warning',
    message: ({ pattern, problem }) =>
      `The pattern ${quoteAsCodeSpan(pattern)} is not an ECMAScript regular expression and is removed: ${problem}.`,
    hint: 'ECMAScript has no inline flags such as (?i), possessive quantifiers or atomic groups.',
    docs: {
      cause:
        'Patterns are ECMAScript regular expressions with Unicode rules. Clients would refuse a schema with an invalid one.',
      fix: 'Rewrite the pattern.',
      example: 'pattern: "(?i)^abc$"',
    },
  }),
  'rewritten-pattern': defineDiagnostic<{ pattern: string; rewritten: string }>({
    code: 'MCPG304',
    severity: 'info',
    message: ({ pattern, rewritten }) =>
      `The pattern ${quoteAsCodeSpan(pattern)} becomes ${quoteAsCodeSpan(rewritten)}, which is equivalent under Unicode rules.`,
    docs: {
      cause: 'Unicode rules forbid needless escapes such as \\_ and have no \\A or \\z.',
      fix: 'No action is needed.',
    },
  }),
  'invalid-keyword': defineDiagnostic<{ keyword: string; expected: string }>({
    code: 'MCPG305',
    severity: 'warning',
    message: ({ keyword, expected }) =>
      `The keyword ${keyword} should be ${expected}. It is removed, so the schema accepts more.`,
    hint: 'Correct the value.',
    docs: {
      cause: 'The value of the keyword has the wrong type or range, so it has no meaning.',
      fix: 'Correct or remove the keyword.',
      example: 'maxLength: -1',
    },
  }),
  'boolean-required': defineDiagnostic<{ property: string }>({
    code: 'MCPG306',
    severity: 'warning',
    message: ({ property }) =>
      `The property ${property} has a boolean \`required\`, as in JSON Schema draft 3. It applies to the parent object.`,
    hint: 'List required properties in `required` beside `properties`.',
    docs: {
      cause:
        '`required` is a list of names beside `properties`. Inside a property it no longer has a meaning.',
      fix: 'Move the name to the list of the object.',
      example: 'properties: { id: { type: string, required: true } }',
    },
  }),
  'duplicate-enum-member': defineDiagnostic<{ member: string }>({
    code: 'MCPG307',
    severity: 'info',
    message: ({ member }) => `The value ${member} occurs twice in an enum. One is removed.`,
    docs: {
      cause: 'Enum members must be unique; some clients refuse the schema otherwise.',
      fix: 'Remove one.',
    },
  }),
  'enum-of-other-type': defineDiagnostic<{ member: string; type: string; meant: string }>({
    code: 'MCPG308',
    severity: 'warning',
    message: ({ member, type, meant }) =>
      `The enum member ${member} is not of the type ${type}, so no value could match. It is read as ${meant}.`,
    hint: ({ type }) =>
      type === 'string'
        ? 'Quote numbers and booleans to keep their spelling.'
        : 'Write numbers and booleans without quotes, or correct the type.',
    docs: {
      cause:
        'In YAML, an unquoted 1 or true is not a string, so with `type: string` no value is valid. mcpgen converts the value of a number: 0123 becomes "123", 0x1F becomes "31".',
      fix: 'Quote the members, or correct the type.',
      example: 'type: string\nenum: [1, 2]',
    },
  }),
  'schema-too-deep': defineDiagnostic<{ limit: number }>({
    code: 'MCPG309',
    severity: 'warning',
    message: ({ limit }) => `A schema nests deeper than ${limit} levels. Below, it accepts anything.`,
    hint: 'Move inner schemas to `components/schemas` and reference them.',
    docs: {
      cause: 'The limit prevents a hostile document from exhausting the compiler or its clients.',
      fix: 'Use references instead of nesting.',
    },
  }),
  'schema-too-large': defineDiagnostic<{ limit: number }>({
    code: 'MCPG310',
    severity: 'warning',
    message: ({ limit }) => `The document expands to more than ${limit} schemas. The rest accept anything.`,
    hint: 'The usual cause is YAML aliases that repeat each other; use `$ref` instead.',
    docs: {
      cause: 'A few lines of YAML aliases can expand to billions of schemas, so the expansion is limited.',
      fix: 'Replace aliases with references, or split the document.',
    },
  }),
  'dynamic-ref': defineDiagnostic<{ ref: string; reading: string }>({
    code: 'MCPG311',
    severity: 'warning',
    message: ({ ref, reading }) =>
      `$dynamicRef ${ref} is read as ${reading}; its meaning in other dynamic scopes is lost.`,
    hint: 'Use `$ref` if the target is fixed.',
    docs: {
      cause:
        'The target of a `$dynamicRef` depends on the path of the validator. A tool has one fixed schema, so a reference to an anchor that several schemas have accepts anything.',
      fix: 'Use `$ref`.',
    },
  }),
  'unknown-dialect': defineDiagnostic<{ dialect: string }>({
    code: 'MCPG312',
    severity: 'warning',
    message: ({ dialect }) =>
      `The schema dialect ${dialect} is unknown. mcpgen reads schemas as JSON Schema 2020-12.`,
    hint: 'Remove `jsonSchemaDialect` and `$schema`, or name 2020-12.',
    docs: {
      cause: 'A dialect can change or add keywords.',
      fix: 'Use the dialect of OpenAPI or JSON Schema 2020-12.',
    },
  }),
  'not-a-schema': defineDiagnostic<{ ref: string }>({
    code: 'MCPG314',
    severity: 'warning',
    message: ({ ref }) =>
      `Expected a schema, but the reference ${ref} leads to another part of the document. It accepts anything.`,
    hint: 'Reference a schema, such as `#/components/schemas/Pet`.',
    docs: {
      cause:
        'Parameters, responses and other parts are not schemas. Read as one, such a part would have no meaning or a wrong one.',
      fix: 'Point to the `schema` inside it, or to a named schema.',
      example: "schema: { $ref: '#/components/responses/Pet' }",
    },
  }),
  'not-json': defineDiagnostic<{ keyword: string; number: number }>({
    code: 'MCPG315',
    severity: 'warning',
    message: ({ keyword, number }) =>
      `The keyword ${keyword} contains ${number}, which JSON cannot express. That value is removed.`,
    hint: 'Write a finite number, or quote the value if it is text.',
    docs: {
      cause:
        'YAML has the numbers `.inf`, `-.inf` and `.nan`, and a number such as 1e999 exceeds the range of programs. JSON messages cannot contain them.',
      fix: 'Remove the value, or express it differently.',
      example: 'enum: [1, .inf]',
    },
  }),
  'rounded-value': defineDiagnostic<{ keyword: string; written: string; read: string }>({
    code: 'MCPG317',
    severity: 'warning',
    message: ({ keyword, written, read }) =>
      `The keyword ${keyword} contains ${written}, which most JSON readers round to ${read}. It is removed, so that clients do not send the wrong number.`,
    hint: 'Describe the value as text (`type: string`), or give the number in `description`.',
    docs: {
      cause:
        'JavaScript and many other JSON readers store numbers as doubles, which round integers beyond 2^53. A model would send the rounded constant, enum value or default. Integers in calls keep all digits.',
      fix: 'Quote the number under `type: string` if the API accepts text. Otherwise, give its digits in the description.',
      example: 'type: integer\nenum: [9007199254740993]',
    },
  }),
  'rounded-bound': defineDiagnostic<{ keyword: string; written: string; read: string }>({
    code: 'MCPG318',
    severity: 'info',
    message: ({ keyword, written, read }) =>
      `The keyword ${keyword} is ${written}, which most JSON readers round to ${read}. It is removed, so the schema accepts more.`,
    docs: {
      cause:
        'JavaScript and many other JSON readers store numbers as doubles, which round integers beyond 2^53, such as the bounds of `int64`. A rounded bound could refuse valid values or accept invalid ones.',
      fix: 'Nothing, if the bound only repeats `format: int64`. Otherwise, choose one that a double can store.',
      example: 'type: integer\nmaximum: 9223372036854775807',
    },
  }),
  'guarded-pattern': defineDiagnostic<{ pattern: string }>({
    code: 'MCPG319',
    severity: 'info',
    message: ({ pattern }) =>
      `The pattern ${quoteAsCodeSpan(pattern)} can be very slow in engines that backtrack. The server matches it without backtracking.`,
    docs: {
      cause:
        'Nested repetitions, alternatives with a common start, and neighbours that accept the same characters can match in many ways, and most regular expression engines try each. The server uses a slower matcher without backtracking. Clients and the API may not.',
      fix: 'Nothing. A pattern with one way to match each text, anchored with `^`, is faster everywhere: `^(a+)+$` equals `^a+$`.',
      example: 'pattern: ^(a+)+$',
    },
  }),
  'unsafe-pattern': defineDiagnostic<{ pattern: string }>({
    code: 'MCPG320',
    severity: 'warning',
    message: ({ pattern }) =>
      `The pattern ${quoteAsCodeSpan(pattern)} is removed: matching it could take too long, and it needs backtracking.`,
    hint: 'Rewrite it without back references, without modifiers such as (?i:…), and with smaller counts.',
    docs: {
      cause:
        'A hostile text could keep the server busy for hours with one call. Patterns with back references (`\\1`), or with thousands of characters once their counts are expanded, cannot be made safe.',
      fix: 'Rewrite the pattern. Until then, the schema accepts more, and the API still validates the value.',
      example: 'pattern: ^(.)\\1$',
    },
  }),
  'unanalysed-pattern': defineDiagnostic<{ pattern: string }>({
    code: 'MCPG325',
    severity: 'warning',
    message: ({ pattern }) =>
      `The pattern ${quoteAsCodeSpan(pattern)} and those after it are not analysed: the document's patterns take too long to analyse. The server matches them without backtracking, which is slower.`,
    hint: 'Make the patterns simpler, or remove them: the API still validates the values.',
    docs: {
      cause:
        "mcpgen proves that a pattern is fast before a server leaves it to the regular expression engine. A stranger's document can have thousands of patterns that are slow to analyse, so the steps for all of them are limited.",
      fix: 'Use patterns with one way to match each text, such as `^[a-z]+(-[a-z]+)*$`, and fewer repetitions.',
      example: `pattern: ^${'.*'.repeat(60)}x$ # and 100 others like it`,
    },
  }),
  'default-of-other-type': defineDiagnostic<{ value: string; type: string; fate: string }>({
    code: 'MCPG316',
    severity: 'warning',
    message: ({ value, type, fate }) =>
      `The default ${value} is not of the type ${type} that its schema requires. It is ${fate}.`,
    hint: 'Correct the default or the type. Quote numbers and booleans if the type is string.',
    docs: {
      cause:
        'A default must match its schema, or a model would send a value that the API refuses. mcpgen converts values that differ only in spelling (`1` for text).',
      fix: 'Correct the default, or the type.',
      example: 'type: integer\ndefault: none',
    },
  }),
  'endless-schema': defineDiagnostic<{ schema: string }>({
    code: 'MCPG313',
    severity: 'warning',
    message: ({ schema }) =>
      `The schema ${schema} contains itself without a property or item in between, so validation would never end. The reference that closes the circle is removed.`,
    hint: 'Move shared parts to a schema that references neither, or use a `discriminator`.',
    docs: {
      cause:
        'Often, a parent lists its children in `oneOf` and each child includes the parent with `allOf`. No validator can use this schema.',
      fix: 'Let the children extend a base schema that does not list them.',
      example: 'Pet: { oneOf: [{ $ref: Cat }] }, Cat: { allOf: [{ $ref: Pet }] }',
    },
  }),
  'schema-chain-too-long': defineDiagnostic<{ name: string; limit: number }>({
    code: 'MCPG321',
    severity: 'warning',
    message: ({ name, limit }) =>
      `${quoteAsCodeSpan(name)} ends a chain of ${limit} schemas that only reference each other. It accepts anything.`,
    hint: 'Reference the end of the chain directly.',
    docs: {
      cause:
        'With `$ref`, `allOf`, `anyOf` and similar keywords, a schema applies another one to the same value. The limit prevents a hostile document from exhausting the compiler, clients or the server.',
      fix: 'Reference the last schema of the chain. A property or an item starts a new chain.',
      example: 'A1: { anyOf: [{ $ref: A2 }] }, A2: { anyOf: [{ $ref: A3 }] }, and so on',
    },
  }),
  'hidden-text': defineDiagnostic<{ hidden: string }>({
    code: 'MCPG322',
    severity: 'warning',
    message: ({ hidden }) =>
      `This text contains characters that models read but people cannot see: ${hidden}. They are removed.`,
    hint: 'Delete them in the source. If you did not add them, check the rest of the source.',
    docs: {
      cause:
        'Models read titles, descriptions and other prose before they call a tool. Invisible characters (tags, zero width, writing direction, variation selectors, controls) can hide an instruction from reviewers. The message shows the text that they spell, or their code points. Joiners in Persian and Indic words and in emoji are kept.',
      fix: 'Retype the text, or delete the characters with an editor that shows them. The server does not contain them.',
      example: 'description: "Lists pets.\\u200b\\u200c\\u200b"',
    },
  }),
  'hidden-text-in-value': defineDiagnostic<{ hidden: string; more: number }>({
    code: 'MCPG323',
    severity: 'warning',
    message: ({ hidden, more }) =>
      `This name or value contains characters that people cannot see: ${hidden}. It is unchanged, since the API needs the exact bytes.${more === 0 ? '' : ` The document has ${more} more of these, not shown.`}`,
    hint: 'Delete the characters in the source unless the API requires them.',
    docs: {
      cause:
        'Enum members, defaults, examples, patterns, wire names, URIs and media types are sent or compared byte for byte, so mcpgen never changes them. A model also reads them, and a hidden character can be an instruction or a copy-and-paste error. Names that clients see are cleaned; wire names stay.',
      fix: 'Correct the value, or omit the operation with `--exclude`. With `--strict`, this is an error.',
      example: 'enum: ["cat", "dog\\u200b"]',
    },
  }),
  'schema-copies': defineDiagnostic<{ limit: number }>({
    code: 'MCPG324',
    severity: 'warning',
    message: ({ limit }) =>
      `This schema would expand to more than ${limit} schemas. It stays a reference where it is used, or accepts anything.`,
    hint: 'Reference a schema once, or list the alternatives in one `anyOf`.',
    docs: {
      cause:
        'mcpgen expands the schemas of files in a body and of composed objects. A chain in which each schema references the next twice doubles at each step: twenty steps make a million copies. The limit prevents a document from exhausting the compiler.',
      fix: 'Let each schema of the chain reference the next once. The API still validates values.',
      example:
        'A: { anyOf: [{ $ref: B }, { $ref: B }] }, B: { anyOf: [{ $ref: C }, { $ref: C }] }, and so on',
    },
  }),
};
