/** MCPG7xx: types of annotated TypeScript and their JSDoc. */
import { defineDiagnostic } from '../define.ts';

export const typescriptDiagnostics = {
  'type-without-json': defineDiagnostic<{ subject: string; what: string }>({
    code: 'MCPG701',
    severity: 'error',
    message: ({ subject, what }) =>
      `${subject} is ${what}, which JSON cannot represent, so clients cannot send or receive it.`,
    hint: 'Use a JSON type, make the member optional or `@hidden`, or set its JSON form with `@schema {…}`.',
    docs: {
      cause:
        'Arguments and results are JSON. A function, a symbol, `never`, a nested promise, or an object that only code can create has no JSON form, so the tool could not be called.',
      fix: 'Change the type, make the member optional, or give its JSON Schema in a tag: `@schema {"type":"string"}`.',
      example: 'export function watch(path: string, onChange: () => void): void',
    },
  }),
  'untyped-value': defineDiagnostic<{ subject: string; written?: string }>({
    code: 'MCPG702',
    severity: 'error',
    message: ({ subject, written }) =>
      written === undefined
        ? `${subject} is \`any\`, so its values are unknown.`
        : `${subject} has the type \`${written}\`, which is not a TypeScript type, so its values are unknown.`,
    hint: ({ written }) =>
      written === undefined
        ? 'Give it a type, `unknown` for any JSON value, or `@schema {…}`.'
        : 'Write `number`. For an integer, add `@multipleOf 1` after the description.',
    docs: {
      cause:
        'Schemas come from types, and `any` has no information. Often, an annotation is missing, an import failed, or the type exists only in JSDoc, such as `integer`.',
      fix: 'Write the type. For any JSON value, write `unknown`, or give a JSON Schema in a tag: `@schema {}`.',
      example: 'export function save(value: any): void',
    },
  }),
  'unresolved-generic': defineDiagnostic<{ subject: string; type: string; library?: string }>({
    code: 'MCPG703',
    severity: 'error',
    message: ({ subject, type }) =>
      `${subject} is \`${type}\`, which depends on an undetermined type parameter.`,
    hint: ({ library }) =>
      library === undefined
        ? 'Give the type parameter a default (`T = string`) or a constraint (`T extends Item`).'
        : `Give the library's function its type where it is exported: \`export const ${library} = lib.${library}<string>;\`, or export a function of your own that calls it.`,
    docs: {
      cause:
        'Clients pass no type arguments. mcpgen reads a type parameter as its default or constraint, but this one has neither, or its type stays open.',
      fix: "Give the type parameter a default or a constraint, or export a function for a concrete type. Give a library's function its type arguments: `export const chunk = _.chunk<string>;`.",
      example: 'export function first<T>(items: T[]): T',
    },
  }),
  'member-left-out': defineDiagnostic<{ subject: string; what: string }>({
    code: 'MCPG704',
    severity: 'warning',
    message: ({ subject, what }) =>
      `${subject} can be ${what}, which JSON cannot represent. Clients cannot use that part.`,
    hint: 'If this is intended, add `@hidden`. Otherwise, set its JSON form with `@schema {…}`.',
    docs: {
      cause:
        'An optional parameter, an optional member or a part of a union has a type without a JSON form, such as a callback. The rest works without it.',
      fix: 'If clients should not set it, add `@hidden`. Otherwise, give it a type with a JSON form.',
      example: 'interface Options { limit?: number; onProgress?: (done: number) => void }',
    },
  }),
  'untyped-library-value': defineDiagnostic<{ subject: string }>({
    code: 'MCPG705',
    severity: 'warning',
    message: ({ subject }) => `${subject} is \`any\` in a library’s types, so it accepts every JSON value.`,
    hint: 'Wrap the library’s function in your own with exact types.',
    docs: {
      cause: 'The types of an imported package use `any`, so the schema accepts everything there.',
      fix: 'Export your own function with exact types that calls the library.',
      example: 'export declare function parse(text: string, options?: any): any;',
    },
  }),
  'type-too-large': defineDiagnostic<{ subject: string; limit: string; most: number }>({
    code: 'MCPG706',
    severity: 'error',
    message: ({ subject, limit, most }) =>
      `${subject} expands to more than ${most} ${limit}, which is too large to describe.`,
    hint: 'Simplify the type, or set its JSON form with `@schema {…}`.',
    docs: {
      cause:
        'The type expands without end, such as one that references ever new instances of itself, or to more than a client could read.',
      fix: 'Use a simpler type for the tool, or give its JSON Schema in a tag.',
      example: 'interface Nest<T> { value: T; next: Nest<T[]> }',
    },
  }),
  'bad-tag-value': defineDiagnostic<{ tag: string; value: string; wanted: string }>({
    code: 'MCPG707',
    severity: 'error',
    message: ({ tag, value, wanted }) => `\`@${tag}\` needs ${wanted}, but its value is "${value}".`,
    hint: ({ wanted }) => `Write ${wanted} after the tag.`,
    docs: {
      cause: 'The value of the tag has the wrong kind. Without the tag, the schema would accept too much.',
      fix: 'Correct the value: a number for `@minimum`, a JSON value for `@default`, a regular expression for `@pattern`.',
      example: '/** @minimum ten */',
    },
  }),
  'tag-does-not-apply': defineDiagnostic<{ tag: string; types: string }>({
    code: 'MCPG708',
    severity: 'warning',
    message: ({ tag, types }) =>
      `\`@${tag}\` applies to ${types} values, but this is never one, so it is ignored.`,
    hint: 'Remove the tag, or use the one for this type.',
    docs: {
      cause:
        'Each constraint applies to one JSON type: `@minLength` to strings, `@minItems` to lists, `@minimum` to numbers.',
      fix: 'Use the tag for the type, such as `@minItems` for the length of a list.',
      example: 'interface Search { /** @minLength 1 */ words: string[] }',
    },
  }),
  'hidden-required': defineDiagnostic<{ subject: string }>({
    code: 'MCPG709',
    severity: 'error',
    message: ({ subject }) =>
      `${subject} is \`@hidden\` but required, so no client could call this correctly.`,
    hint: 'Make it optional, or remove `@hidden`.',
    docs: {
      cause: 'Clients do not see hidden members, so the function would lack a required value.',
      fix: 'Make the member optional, or remove `@hidden`.',
      example: 'interface Input { /** @hidden */ token: string }',
    },
  }),
  'type-name-clash': defineDiagnostic<{ name: string; to: string; count: number }>({
    code: 'MCPG710',
    severity: 'info',
    message: ({ name, to, count }) =>
      `${count} different types are called \`${name}\`, so this one is \`${to}\` in schemas.`,
    docs: {
      cause:
        'Schemas name each type once. Different types with one name get the name of their file, independent of the order of files.',
      fix: 'Nothing. To choose the names, rename the types.',
      example: 'export interface Item { id: string }   // in two files, with other members',
    },
  }),
  'enum-not-constant': defineDiagnostic<{ subject: string }>({
    code: 'MCPG711',
    severity: 'warning',
    message: ({ subject }) => `${subject} is an enum with computed members, so it accepts every number.`,
    hint: 'Give the members constant values.',
    docs: {
      cause: 'A member of the enum is the result of a call, so its value is unknown at compile time.',
      fix: 'Use constant values, or give the JSON Schema in a tag: `@schema {"enum":[1,2]}`.',
      example: 'enum Size { Small = measure("s") }',
    },
  }),
  'misspelt-member-tag': defineDiagnostic<{ tag: string; meant: string }>({
    code: 'MCPG712',
    severity: 'warning',
    message: ({ tag }) => `\`@${tag}\` has no meaning here, so it is ignored.`,
    hint: ({ meant }) =>
      meant === '' ? 'Move it to the function, or remove it.' : `Did you mean \`@${meant}\`?`,
    docs: {
      cause:
        'A tag on a member or type is misspelt, belongs to another tool (`@min`, `@integer`), or belongs to a function.',
      fix: 'Correct the spelling, or move the tag to the comment of the function.',
      example: '/** @minLenght 1 */',
    },
  }),
  'bigint-out-of-range': defineDiagnostic<{ subject: string; value: string }>({
    code: 'MCPG713',
    severity: 'warning',
    message: ({ subject, value }) =>
      `${subject} is the integer ${value}, which JSON clients cannot read exactly, so it accepts every integer.`,
    hint: 'Use a string for the value.',
    docs: {
      cause: 'Most clients would round a `const` or `enum` beyond ±2^53.',
      fix: 'Use a string if one exact large number is meant.',
      example: 'type Everything = 9007199254740993n',
    },
  }),
  'default-does-not-fit': defineDiagnostic<{ value: string; problem: string }>({
    code: 'MCPG714',
    severity: 'error',
    message: ({ value, problem }) => `The default ${value} does not match its type. ${problem}.`,
    hint: 'Give a default that a client could send.',
    docs: {
      cause:
        'A default replaces an omitted argument, so it must match the same schema and convert to a value in the same way. This also applies to literal defaults in code, which are listed.',
      fix: 'Correct the value: a JSON value of the type, within its limits; a date in RFC 3339 form.',
      example: "interface Query { /** @default purple */ color?: 'red' | 'blue' }",
    },
  }),
  'program-too-deep': defineDiagnostic<{ file: string }>({
    code: 'MCPG715',
    severity: 'error',
    message: ({ file }) =>
      `mcpgen cannot check ${file}: its types reference each other in more steps than TypeScript can follow.`,
    hint: 'Reference the last type of the chain directly.',
    docs: {
      cause:
        'TypeScript resolves each alias and union step by step. Hundreds of steps in a row exhaust its stack; `tsc` also fails on this file.',
      fix: 'Remove the intermediate types.',
      example: 'type A1 = A2; type A2 = A3; and so on, a thousand times',
    },
  }),
  'repeated-tag': defineDiagnostic<{ tag: string }>({
    code: 'MCPG716',
    severity: 'warning',
    message: ({ tag }) => `\`@${tag}\` occurs a second time here, so it is ignored.`,
    hint: 'Keep one of them.',
    docs: {
      cause: 'A schema can have each of these values once. The first tag applies.',
      fix: 'Remove the wrong one.',
      example: '/** @minimum 1 @minimum 2 */',
    },
  }),
  'idle-member-tag': defineDiagnostic<{ tag: string; because: string }>({
    code: 'MCPG717',
    severity: 'warning',
    message: ({ tag, because }) => `\`@${tag}\` has no effect here: ${because}.`,
    hint: 'Move it to where it applies, or remove it.',
    docs: {
      cause:
        'The tag does not apply to this value: defaults belong to optional values, headers to arguments of tools.',
      fix: 'Put `@default` before the member or parameter, and `@header` before an argument of a tool.',
      example: "/** @default red */\ntype Color = 'red' | 'blue';\ninterface Car { color?: Color }",
    },
  }),
  'nested-context': defineDiagnostic<{ subject: string }>({
    code: 'MCPG718',
    severity: 'error',
    message: ({ subject }) =>
      `${subject} is a \`Context\`, which clients cannot send and the server does not insert there.`,
    hint: 'Make it a separate parameter.',
    docs: {
      cause:
        'The server passes a `Context` as a parameter, or as a member of a single object parameter. It is not JSON, so it cannot be nested deeper or returned.',
      fix: 'Make it a separate parameter: `(job: Job, context: Context)`.',
      example: 'export function run({ job }: { job: { text: string; context: Context } }): void',
    },
  }),
  'alternative-never-given': defineDiagnostic<{ subject: string; lost: string; taken: string }>({
    code: 'MCPG719',
    severity: 'info',
    message: ({ subject, lost, taken }) =>
      lost === 'bigint' && taken === 'number'
        ? `${subject} arrives as \`bigint\` only for integers beyond ±2^53, since others are exact as \`number\`.`
        : `${subject} never arrives as \`${lost}\`: JSON for it is also JSON for \`${taken}\`, which is used as it is.`,
    docs: {
      cause:
        'Arguments arrive as JSON. If all JSON for one part of a union also fits another, which uses it unchanged, the server cannot distinguish them: every date is also a string. Integers that a `number` would round arrive as `bigint` where the type admits it.',
      fix: 'Nothing, if the function accepts both. Otherwise, use only the other type, or distinguish them by a member: `{ kind: "day"; at: Date } | { kind: "text"; at: string }`.',
      example: 'export function since(when: Date | string): string {   // is always given a string',
    },
  }),
  'bad-schema': defineDiagnostic<{ problem: string }>({
    code: 'MCPG720',
    severity: 'error',
    message: ({ problem }) => `\`@schema\` is not a valid JSON Schema: ${problem}.`,
    hint: 'Correct it according to JSON Schema 2020-12.',
    docs: {
      cause:
        'A keyword has an invalid value, a pattern is not a regular expression, a number would be rounded, or a `$ref` leads nowhere. Clients would refuse or misread the schema.',
      fix: 'Correct the keyword in the message. A `$ref` may name a type of the program (`#/$defs/Station`) or its own `$defs`. `#` would be the schema of the whole tool, so put recursive schemas into `$defs`.',
      example: '/** @schema {"type":"strin"} */',
    },
  }),
  'pattern-with-flags': defineDiagnostic<{ pattern: string; flags: string }>({
    code: 'MCPG721',
    severity: 'error',
    message: ({ pattern, flags }) =>
      `\`@pattern\` does not support flags, so \`${pattern}\` cannot have \`${flags}\`.`,
    hint: 'Remove the flags. For `i`, write both cases: `[Aa]`. For literal slashes, start with `[/]`.',
    docs: {
      cause:
        'A JSON Schema `pattern` is only the text of a regular expression. Without its flags, it would match differently.',
      fix: 'Write the expression without flags, such as `[A-Za-z]` for both cases. If it starts and ends with literal slashes, start with `[/]`.',
      example: '/** @pattern /^[a-z]+$/i */',
    },
  }),
  'rounded-integer': defineDiagnostic<{ tag: string; value: string }>({
    code: 'MCPG722',
    severity: 'error',
    message: ({ tag, value }) =>
      `\`@${tag}\` has the value ${value} with an integer beyond ±2^53, which clients would round.`,
    hint: 'Use a smaller number, check it in the function, or use a string.',
    docs: {
      cause:
        'Most clients read JSON numbers as doubles, which round integers beyond ±2^53. The listed and checked value would differ from the written one.',
      fix: 'A `bigint` argument can have any size: remove the tag and check the value in the function. For one exact large number, use a string.',
      example: '/** @maximum 18446744073709551615 */ id: bigint',
    },
  }),
  'default-is-code': defineDiagnostic<{ value: string }>({
    code: 'MCPG723',
    severity: 'warning',
    message: ({ value }) => `\`@default\` has ${value}, which is code, so no default is listed.`,
    hint: 'Write a JSON value, quote text in double quotes, or remove the tag.',
    docs: {
      cause:
        'Clients see the default, and it replaces an omitted argument. `undefined`, calls, member accesses and other code in backticks are not values; as text, the function would receive the code itself.',
      fix: 'Nothing, if the tag is only for readers; the description works as well. Quote text: `@default "index.html"`.',
      example: '/** @default process.cwd() */ folder?: string',
    },
  }),
  'nothing-satisfies': defineDiagnostic<{ lower: string; upper: string }>({
    code: 'MCPG724',
    severity: 'error',
    message: ({ lower, upper }) => `\`${lower}\` and \`${upper}\` allow no value.`,
    hint: 'Correct or remove one of them.',
    docs: {
      cause:
        'The minimum exceeds the maximum, so no client could send a valid value. A type can also have a bound, such as the length of a tuple.',
      fix: 'Correct the bounds: `@minimum 3 @maximum 5`.',
      example: '/** @minimum 5 @maximum 3 */ days: number',
    },
  }),
  'misspelt-format': defineDiagnostic<{ format: string; meant: string }>({
    code: 'MCPG725',
    severity: 'warning',
    message: ({ format }) => `\`@format ${format}\` is unknown and is listed as written.`,
    hint: ({ meant }) => `Did you mean \`@format ${meant}\`?`,
    docs: {
      cause:
        'The format resembles one of JSON Schema or the OpenAPI format registry. Models would see a word without meaning. Your own formats that resemble none are fine.',
      fix: 'Correct the spelling.',
      example: '/** @format emial */ to: string',
    },
  }),
  'example-does-not-fit': defineDiagnostic<{ value: string; problem: string }>({
    code: 'MCPG726',
    severity: 'warning',
    message: ({ value, problem }) =>
      `The example ${value} does not match its type, so it is omitted. ${problem}.`,
    hint: 'After `@example`, write a valid value, or code in a fence.',
    docs: {
      cause: 'Clients copy listed examples, and the server would refuse this one.',
      fix: 'Correct the value or the type. Put code for readers into a fence or on separate lines.',
      example: '/** @example "ten" */ days: number',
    },
  }),
  'half-written': defineDiagnostic<{ subject: string; as: string; what: string; verb: 'given' | 'written' }>({
    code: 'MCPG727',
    severity: 'warning',
    message: ({ subject, as, what, verb }) =>
      `${subject} is ${verb} as ${as}, so ${what} ${verb === 'given' ? 'missing' : 'left out'}.`,
    hint: 'Use an object with a member for each part, or mark the other part `@hidden`.',
    docs: {
      cause:
        'JSON has lists and objects, but no mix. A list with extra members becomes only the list; an iterable class with members becomes an object, and without members the list of its items. Clients see one half. JSON Schema cannot count from the end either: in the list that `[...string[], number]` becomes, the number may be anywhere.',
      fix: 'Return `{ items: [...users], total: users.total }`. `@hidden` before a member or `[Symbol.iterator]` marks it as internal: a class with only hidden members becomes the list of its items.',
      example: 'export function find(): User[] & { total: number }',
    },
  }),
  'jsdoc-type-unread': defineDiagnostic<{ name: string; type: string; is: string }>({
    code: 'MCPG728',
    severity: 'info',
    message: ({ name, type, is }) =>
      `\`@param {${type}} ${name}\` has a type, but only JavaScript files use it: here it is \`${is}\`.`,
    hint: 'Write the type after the parameter and constraints as tags (`@multipleOf 1` for an integer), or remove the braces.',
    docs: {
      cause:
        'In TypeScript, clients see the type annotation. Types in comments are ignored there and may differ. Equal types are not reported.',
      fix: 'Remove the braces. For an integer use `@multipleOf 1`, for the form of a string `@format` or `@pattern`.',
      example:
        '/**\n * @tool\n * @param {integer} days How many.\n */\nexport function forecast(days: number): string {',
    },
  }),
  'constraint-lost': defineDiagnostic<{ name: string }>({
    code: 'MCPG729',
    severity: 'warning',
    message: ({ name }) =>
      `The constraints of \`${name}\` do not arrive here, so values are not checked by them.`,
    hint: 'Put the tags before the member or parameter, or use a type: `number & Minimum<0>` of `mcpgen/runtime`.',
    docs: {
      cause:
        'TypeScript forgets the name of a type such as `type Port = number`, and this place has no schema of its own for it: the keys of a record, a part of a template literal, a union with the plain type (`Port | number` accepts every number), or a recursive generic type. Or the type is computed in a way that mcpgen does not follow.',
      fix: 'Write the tags before the member, or make the constraint a part of the type: `type Port = number & Minimum<1>`, with `Minimum` imported from `mcpgen/runtime`. Such a type holds everywhere except in keys and template literals.',
      example: '/** @minimum 1 */\ntype Port = number;\ninterface Server { port: Port | number }',
    },
  }),
};
