/** MCPG7xx: annotated TypeScript. 701–739 are of types and what JSDoc says of them, 740–799 of functions and tags. */
import { define } from '../define.ts';

export const typescriptDiagnostics = {
  'type-without-json': define<{ subject: string; what: string }>({
    code: 'MCPG701',
    severity: 'error',
    message: ({ subject, what }) =>
      `${subject} is ${what}, which has no JSON form, so no client can send or receive it.`,
    hint: 'Use a type that JSON can carry, make the member optional or `@hidden`, or say its JSON form with `@schema {…}`.',
    docs: {
      cause:
        'Arguments and results travel as JSON. A function, a symbol, `never`, a promise inside of a value, or an object that only code can make has no form there, so the tool could not be called.',
      fix: 'Change the type, leave the member out by making it optional, or give its JSON Schema in a tag: `@schema {"type":"string"}`.',
      example: 'export function watch(path: string, onChange: () => void): void',
    },
  }),
  'untyped-value': define<{ subject: string; written?: string }>({
    code: 'MCPG702',
    severity: 'error',
    message: ({ subject, written }) =>
      written === undefined
        ? `${subject} is \`any\`, so nothing is known of its values.`
        : `${subject} has the type \`${written}\`, which TypeScript does not know, so nothing is known of its values.`,
    hint: ({ written }) =>
      written === undefined
        ? 'Give it a type, `unknown` where every JSON value is meant, or `@schema {…}`.'
        : 'Write `number`; for a whole one, with `@multipleOf 1` behind the words.',
    docs: {
      cause:
        'A schema is made from the type, and `any` says nothing: often an annotation is missing, an import did not resolve, or the type is one that JSDoc alone knows, such as `integer`.',
      fix: 'Write the type. Where any JSON value is welcome, write `unknown`, or give a JSON Schema in a tag: `@schema {}`.',
      example: 'export function save(value: any): void',
    },
  }),
  'unresolved-generic': define<{ subject: string; type: string }>({
    code: 'MCPG703',
    severity: 'error',
    message: ({ subject, type }) =>
      `${subject} is \`${type}\`, which depends on a type parameter that nothing decides.`,
    hint: 'Give the type parameter a default (`T = string`) or a constraint (`T extends Item`).',
    docs: {
      cause:
        'A tool is called by a client that passes no type arguments. A type parameter is read as its default, else as its constraint; this one has neither, or the type that uses it stays open.',
      fix: 'Give the type parameter a default or a constraint, or export a function for the type you mean.',
      example: 'export function first<T>(items: T[]): T',
    },
  }),
  'member-left-out': define<{ subject: string; what: string }>({
    code: 'MCPG704',
    severity: 'warning',
    message: ({ subject, what }) =>
      `${subject} can be ${what}, which has no JSON form. It need not be, so that was left out.`,
    hint: 'Mark it `@hidden` to say that this is meant, or say its JSON form with `@schema {…}`.',
    docs: {
      cause:
        'An optional parameter or member, or an alternative of a union, has a type that JSON cannot carry, such as a callback. Everything else works without it.',
      fix: 'Nothing needs fixing when clients are not to set it: `@hidden` says so. Else give it a type with a JSON form.',
      example: 'interface Options { limit?: number; onProgress?: (done: number) => void }',
    },
  }),
  'untyped-library-value': define<{ subject: string }>({
    code: 'MCPG705',
    severity: 'warning',
    message: ({ subject }) => `${subject} is \`any\` in a library’s types, so every JSON value is accepted.`,
    hint: 'Wrap the library’s function in one with types of your own.',
    docs: {
      cause:
        'The types of an imported package say `any`. You cannot change them, so the schema accepts everything there.',
      fix: 'Export a function of your own with exact types that calls the library’s.',
      example: 'export declare function parse(text: string, options?: any): any;',
    },
  }),
  'type-too-large': define<{ subject: string; limit: string; most: number }>({
    code: 'MCPG706',
    severity: 'error',
    message: ({ subject, limit, most }) =>
      `${subject} expands to more than can be described: over ${most} ${limit}.`,
    hint: 'Give the type a smaller form, or say its JSON form with `@schema {…}`.',
    docs: {
      cause:
        'A type can expand without end, as one that refers to ever new instances of itself, or to more than a client could read.',
      fix: 'Use a plainer type at the edge of the tool, or give its JSON Schema in a tag.',
      example: 'interface Nest<T> { value: T; next: Nest<T[]> }',
    },
  }),
  'bad-tag-value': define<{ tag: string; value: string; wanted: string }>({
    code: 'MCPG707',
    severity: 'error',
    message: ({ tag, value, wanted }) => `\`@${tag}\` needs ${wanted}, but its value is "${value}".`,
    hint: ({ wanted }) => `Write ${wanted} after the tag.`,
    docs: {
      cause:
        'The value after a tag is not of the kind that the tag needs. Without it the schema would accept what is not meant.',
      fix: 'Correct the value: a number for `@minimum`, a JSON value for `@default`, a regular expression for `@pattern`.',
      example: '/** @minimum ten */',
    },
  }),
  'tag-does-not-apply': define<{ tag: string; types: string }>({
    code: 'MCPG708',
    severity: 'warning',
    message: ({ tag, types }) =>
      `\`@${tag}\` says something of ${types} values, which this can never be, so it was ignored.`,
    hint: 'Remove the tag, or use the one for this type.',
    docs: {
      cause:
        'A constraint holds for one kind of JSON value: `@minLength` for strings, `@minItems` for lists, `@minimum` for numbers.',
      fix: 'Use the tag that belongs to the type: `@minItems` for the length of a list.',
      example: 'interface Search { /** @minLength 1 */ words: string[] }',
    },
  }),
  'hidden-required': define<{ subject: string }>({
    code: 'MCPG709',
    severity: 'error',
    message: ({ subject }) =>
      `${subject} is \`@hidden\` and required, so no client could ever call this correctly.`,
    hint: 'Make it optional, or remove `@hidden`.',
    docs: {
      cause: 'What is hidden is not offered to clients, so that the function would not get what it requires.',
      fix: 'Make the member optional, or show it.',
      example: 'interface Input { /** @hidden */ token: string }',
    },
  }),
  'type-name-clash': define<{ name: string; to: string; count: number }>({
    code: 'MCPG710',
    severity: 'info',
    message: ({ name, to, count }) =>
      `${count} different types are called \`${name}\`, so this one is \`${to}\` in schemas.`,
    docs: {
      cause:
        'Schemas name a type once. Different types of one name are told apart by the file they stand in, so that the order of files does not matter.',
      fix: 'Nothing needs fixing. To choose the names, give the types different names.',
      example: 'export interface Item { id: string }   // in two files, with other members',
    },
  }),
  'enum-not-constant': define<{ subject: string }>({
    code: 'MCPG711',
    severity: 'warning',
    message: ({ subject }) =>
      `${subject} is an enum with members that are computed when it runs, so every number is accepted.`,
    hint: 'Give the members constant values.',
    docs: {
      cause:
        'A member of the enum is the result of a call, so its value is not known when the schema is made.',
      fix: 'Write the values as constants, or give the JSON Schema in a tag: `@schema {"enum":[1,2]}`.',
      example: 'enum Size { Small = measure("s") }',
    },
  }),
  'misspelt-member-tag': define<{ tag: string; meant: string }>({
    code: 'MCPG712',
    severity: 'warning',
    message: ({ tag }) => `\`@${tag}\` is no tag that is known here, so it was ignored.`,
    hint: ({ meant }) =>
      meant === ''
        ? 'It belongs to the function. Move it there, or take it out.'
        : `Did you mean \`@${meant}\`?`,
    docs: {
      cause:
        'A tag on a member or a type is spelt almost like one that says something of its schema, is what other tools call it (`@min`, `@integer`), or is one that says something of a function.',
      fix: 'Correct the spelling, or move the tag into the block of the function.',
      example: '/** @minLenght 1 */',
    },
  }),
  'bigint-out-of-range': define<{ subject: string; value: string }>({
    code: 'MCPG713',
    severity: 'warning',
    message: ({ subject, value }) =>
      `${subject} is the integer ${value}, which JSON Schema cannot name exactly, so every integer is accepted.`,
    hint: 'Use a string for the value.',
    docs: {
      cause: 'A `const` or `enum` beyond ±2^53 would be read as another number by most clients.',
      fix: 'Use a string where one exact large number is meant.',
      example: 'type Everything = 9007199254740993n',
    },
  }),
  'default-does-not-fit': define<{ value: string; problem: string }>({
    code: 'MCPG714',
    severity: 'error',
    message: ({ value, problem }) => `The default ${value} is no value of its type. ${problem}.`,
    hint: 'Give a default that a client could give.',
    docs: {
      cause:
        'A default stands in for an argument that a client leaves out, so it is held to the same schema, and becomes a value in the same way. This one would not be accepted. So it is with a literal that the code has for a default: it is listed.',
      fix: 'Correct the value: a JSON value of the type, within its limits; a date as RFC 3339 writes it.',
      example: "interface Query { /** @default purple */ color?: 'red' | 'blue' }",
    },
  }),
  'program-too-deep': define<{ file: string }>({
    code: 'MCPG715',
    severity: 'error',
    message: ({ file }) =>
      `${file} can't be checked: its types lead to one another by more steps than TypeScript can follow.`,
    hint: 'Let the types refer to what the others end at.',
    docs: {
      cause:
        'TypeScript follows an alias or a union to what it stands for, and that to the next. Hundreds of steps in a row are more than it has room for; `tsc` fails on such a file too.',
      fix: 'Leave out the types between.',
      example: 'type A1 = A2; type A2 = A3; and so on, a thousand times',
    },
  }),
  'repeated-tag': define<{ tag: string }>({
    code: 'MCPG716',
    severity: 'warning',
    message: ({ tag }) => `\`@${tag}\` stands here a second time, so it was ignored.`,
    hint: 'Keep one of them.',
    docs: {
      cause: 'A schema says each of these things once. The first tag counts.',
      fix: 'Take out the one that is not meant.',
      example: '/** @minimum 1 @minimum 2 */',
    },
  }),
  'idle-member-tag': define<{ tag: string; because: string }>({
    code: 'MCPG717',
    severity: 'warning',
    message: ({ tag, because }) => `\`@${tag}\` says nothing here: ${because}.`,
    hint: 'Move it where it says something, or take it out.',
    docs: {
      cause:
        'The tag is one of values, but not of this one: a default belongs to what can be left out, a header to an argument of a tool.',
      fix: 'Put `@default` before the member or the parameter, and `@header` before an argument of a tool.',
      example: "/** @default red */\ntype Color = 'red' | 'blue';\ninterface Car { color?: Color }",
    },
  }),
  'nested-context': define<{ subject: string }>({
    code: 'MCPG718',
    severity: 'error',
    message: ({ subject }) =>
      `${subject} is a \`Context\`, which no client can give, and which is not put in there.`,
    hint: 'Make it a parameter of its own.',
    docs: {
      cause:
        'A `Context` is given to a parameter, or to a member of the one parameter that is all arguments. Nothing of it is JSON, so that it can stand nowhere deeper, and in no result.',
      fix: 'Make it a parameter of its own: `(job: Job, context: Context)`.',
      example: 'export function run({ job }: { job: { text: string; context: Context } }): void',
    },
  }),
  'alternative-never-given': define<{ subject: string; lost: string; taken: string }>({
    code: 'MCPG719',
    severity: 'info',
    message: ({ subject, lost, taken }) =>
      `${subject} is never given as \`${lost}\`: all JSON of it is JSON of \`${taken}\`, and is left as it is.`,
    docs: {
      cause:
        'An argument arrives as JSON. Where all that one alternative of a union can be is also that of another, which takes it as it is, nobody could say which is meant: every date is a text.',
      fix: 'Nothing needs fixing if the function takes both. To be given the other, take its type alone, or tell the alternatives by a member: `{ kind: "day"; at: Date } | { kind: "text"; at: string }`.',
      example: 'export function since(when: Date | string): string {   // is always given a string',
    },
  }),
  'bad-schema': define<{ problem: string }>({
    code: 'MCPG720',
    severity: 'error',
    message: ({ problem }) => `What \`@schema\` says is no JSON Schema that can be used: ${problem}.`,
    hint: 'Write it as JSON Schema 2020-12 has it.',
    docs: {
      cause:
        'A keyword has a value that JSON Schema 2020-12 does not let it have, a pattern is no regular expression, a number is one that would be rounded, or a `$ref` leads nowhere. Clients would refuse such a schema, or read it as another one.',
      fix: 'Correct the keyword that the message names. A `$ref` may name a type of the program (`#/$defs/Station`) or a member of its own `$defs`; `#` alone would be the schema of the whole tool, so what contains itself goes into `$defs`.',
      example: '/** @schema {"type":"strin"} */',
    },
  }),
  'pattern-with-flags': define<{ pattern: string; flags: string }>({
    code: 'MCPG721',
    severity: 'error',
    message: ({ pattern, flags }) =>
      `\`@pattern\` has no flags, so the \`${flags}\` of \`${pattern}\` can't be said.`,
    hint: 'Leave them out; for `i`, name both cases: `[Aa]`. To mean the slashes, begin with `[/]`.',
    docs: {
      cause:
        'A `pattern` of JSON Schema is the text of a regular expression and nothing else. Without its flags it would refuse what is meant to be taken, or take what is not.',
      fix: 'Write the expression without flags: `[A-Za-z]` for letters of both cases. A text that begins and ends with slashes is written with `[/]` as its first letter.',
      example: '/** @pattern /^[a-z]+$/i */',
    },
  }),
  'rounded-integer': define<{ tag: string; value: string }>({
    code: 'MCPG722',
    severity: 'error',
    message: ({ tag, value }) =>
      `\`@${tag}\` says ${value}, with an integer beyond ±2^53, which would be rounded to another number.`,
    hint: 'Name a number that every client reads alike, check it in the function, or take a string.',
    docs: {
      cause:
        'A schema is read as JSON, where most clients hold every number as a double. An integer beyond ±2^53 would become another one: what is listed, and what is checked, would not be what is written.',
      fix: 'An argument that is a `bigint` still has any size: leave the tag out, and check the value in the function. Where one exact large number is meant, take a string.',
      example: '/** @maximum 18446744073709551615 */ id: bigint',
    },
  }),
  'default-is-code': define<{ value: string }>({
    code: 'MCPG723',
    severity: 'warning',
    message: ({ value }) =>
      `\`@default\` says ${value}, which is code and no value, so no default is listed.`,
    hint: 'Write a JSON value; put a text that is meant as it stands in double quotes; or take the tag out.',
    docs: {
      cause:
        'A default is a value that clients are shown, and that stands in for an argument. `undefined`, a call, a member of something and other code in backticks say what the function does; taken for a text they would be handed to it as that text.',
      fix: 'Nothing needs fixing where people alone are to read it: words in the description do as well. A text is written in quotes: `@default "index.html"`.',
      example: '/** @default process.cwd() */ folder?: string',
    },
  }),
  'nothing-satisfies': define<{ lower: string; upper: string }>({
    code: 'MCPG724',
    severity: 'error',
    message: ({ lower, upper }) =>
      `\`${lower}\` and \`${upper}\` leave no value, so nothing could ever be given.`,
    hint: 'Correct one of them, or take it out.',
    docs: {
      cause:
        'The least that a value may be is above the most that it may be. No client could give such a value. A bound may also be the type’s own: a tuple has so many items.',
      fix: 'Correct the bounds: `@minimum 3 @maximum 5`.',
      example: '/** @minimum 5 @maximum 3 */ days: number',
    },
  }),
  'misspelt-format': define<{ format: string; meant: string }>({
    code: 'MCPG725',
    severity: 'warning',
    message: ({ format }) => `\`@format ${format}\` is no format that is known, and is listed as it stands.`,
    hint: ({ meant }) => `Did you mean \`@format ${meant}\`?`,
    docs: {
      cause:
        'The format is spelt almost like one of JSON Schema or of the OpenAPI format registry. A model would be told a word that means nothing to it. Formats of your own, which resemble none of these, are no problem.',
      fix: 'Correct the spelling.',
      example: '/** @format emial */ to: string',
    },
  }),
  'example-does-not-fit': define<{ value: string; problem: string }>({
    code: 'MCPG726',
    severity: 'warning',
    message: ({ value, problem }) =>
      `The example ${value} is no value of its type, so it was left out. ${problem}.`,
    hint: 'Write a value after `@example` that a client could give, or code in a fence.',
    docs: {
      cause: 'Examples are listed for clients, which give what they see. This one would be refused.',
      fix: 'Correct the value, or the type that does not take it. Code for people stands in a fence, or on lines of its own.',
      example: '/** @example "ten" */ days: number',
    },
  }),
  'half-written': define<{ subject: string; as: string; what: string; way: 'given' | 'written' }>({
    code: 'MCPG727',
    severity: 'warning',
    message: ({ subject, as, what, way }) =>
      `${subject} is ${way} as ${as}, so ${what} ${way === 'given' ? 'missing' : 'left out'}.`,
    hint: 'Use an object with a member for each of both, or mark `@hidden` what is to stay inside.',
    docs: {
      cause:
        'JSON has lists and objects, and nothing that is both. A list with members of its own is the list; a class that can be iterated and has members is the object of these, and without any it is the list of its items. Clients see one half.',
      fix: 'Return `{ items: [...users], total: users.total }`. `@hidden` before a member, or before `[Symbol.iterator]`, says that this half stays inside: a class whose members are all hidden is the list of its items.',
      example: 'export function find(): User[] & { total: number }',
    },
  }),
  'jsdoc-type-unread': define<{ name: string; type: string; is: string }>({
    code: 'MCPG728',
    severity: 'info',
    message: ({ name, type, is }) =>
      `\`@param {${type}} ${name}\` says a type, which is read in JavaScript alone: here it is \`${is}\`.`,
    hint: 'Write the type behind the parameter, and what no type says as a tag (`@multipleOf 1` for an integer); or take the braces out.',
    docs: {
      cause:
        'In TypeScript a parameter has the type that is written behind it, and so do clients see it. Braces in a comment are read by no compiler there, and may say something else. Where they say the same, nothing is told.',
      fix: 'Take the braces out. A number that must be whole has `@multipleOf 1`, a text of some form `@format` or `@pattern`.',
      example:
        '/**\n * @tool\n * @param {integer} days How many.\n */\nexport function forecast(days: number): string {',
    },
  }),
};
