/** MCPG7xx: types of annotated TypeScript and their JSDoc. */
import { defineDiagnostic } from '../define.ts';

export const typescriptDiagnostics = {
  'type-without-json': defineDiagnostic<{ subject: string; what: string }>({
    code: 'MCPG701',
    severity: 'error',
    message: ({ subject, what }) =>
      `${subject} is ${what}, which JSON cannot represent, so clients cannot send or receive it.`,
    hint: 'Use a JSON type, make the member optional or `@hidden`, or set its JSON form with `@schema {…}`.',
  }),
  'untyped-value': defineDiagnostic<{ subject: string }>({
    code: 'MCPG702',
    severity: 'error',
    message: ({ subject }) => `${subject} is \`any\`, so its values are unknown.`,
    hint: 'Give it a type, `unknown` for any JSON value, or `@schema {…}`.',
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
  }),
  'member-left-out': defineDiagnostic<{ subject: string; what: string }>({
    code: 'MCPG704',
    severity: 'warning',
    message: ({ subject, what }) =>
      `${subject} can be ${what}, which JSON cannot represent. Clients cannot use that part.`,
    hint: 'If this is intended, add `@hidden`. Otherwise, set its JSON form with `@schema {…}`.',
  }),
  'untyped-library-value': defineDiagnostic<{ subject: string }>({
    code: 'MCPG705',
    severity: 'warning',
    message: ({ subject }) => `${subject} is \`any\` in a library’s types, so it accepts every JSON value.`,
    hint: 'Wrap the library’s function in your own with exact types.',
  }),
  'type-too-large': defineDiagnostic<{ subject: string; limit: string; most: number }>({
    code: 'MCPG706',
    severity: 'error',
    message: ({ subject, limit, most }) =>
      `${subject} expands to more than ${most} ${limit}, which is too large to describe.`,
    hint: 'Simplify the type, or set its JSON form with `@schema {…}`.',
  }),
  'bad-tag-value': defineDiagnostic<{ tag: string; value: string; wanted: string }>({
    code: 'MCPG707',
    severity: 'error',
    message: ({ tag, value, wanted }) => `\`@${tag}\` needs ${wanted}, but its value is "${value}".`,
    hint: ({ wanted }) => `Write ${wanted} after the tag.`,
  }),
  'tag-does-not-apply': defineDiagnostic<{ tag: string; types: string }>({
    code: 'MCPG708',
    severity: 'warning',
    message: ({ tag, types }) =>
      `\`@${tag}\` applies to ${types} values, but this is never one, so it is ignored.`,
    hint: 'Remove the tag, or use the one for this type.',
  }),
  'hidden-required': defineDiagnostic<{ subject: string }>({
    code: 'MCPG709',
    severity: 'error',
    message: ({ subject }) =>
      `${subject} is \`@hidden\` but required, so no client could call this correctly.`,
    hint: 'Make it optional, or remove `@hidden`.',
  }),
  'type-name-clash': defineDiagnostic<{ name: string; to: string; count: number }>({
    code: 'MCPG710',
    severity: 'info',
    message: ({ name, to, count }) =>
      `${count} different types are called \`${name}\`, so this one is \`${to}\` in schemas.`,
  }),
  'enum-not-constant': defineDiagnostic<{ subject: string }>({
    code: 'MCPG711',
    severity: 'warning',
    message: ({ subject }) => `${subject} is an enum with computed members, so it accepts every number.`,
    hint: 'Give the members constant values.',
  }),
  'misspelt-member-tag': defineDiagnostic<{ tag: string; meant: string }>({
    code: 'MCPG712',
    severity: 'warning',
    message: ({ tag }) => `\`@${tag}\` has no meaning here, so it is ignored.`,
    hint: ({ meant }) =>
      meant === '' ? 'Move it to the function, or remove it.' : `Did you mean \`@${meant}\`?`,
  }),
  'bigint-out-of-range': defineDiagnostic<{ subject: string; value: string }>({
    code: 'MCPG713',
    severity: 'warning',
    message: ({ subject, value }) =>
      `${subject} is the integer ${value}, which JSON clients cannot read exactly, so it accepts every integer.`,
    hint: 'Use a string for the value.',
  }),
  'default-does-not-fit': defineDiagnostic<{ value: string; problem: string }>({
    code: 'MCPG714',
    severity: 'error',
    message: ({ value, problem }) => `The default ${value} does not match its type. ${problem}.`,
    hint: 'Give a default that a client could send.',
  }),
  'repeated-tag': defineDiagnostic<{ tag: string }>({
    code: 'MCPG716',
    severity: 'warning',
    message: ({ tag }) => `\`@${tag}\` occurs a second time here, so it is ignored.`,
    hint: 'Keep one of them.',
  }),
  'idle-member-tag': defineDiagnostic<{ tag: string; because: string }>({
    code: 'MCPG717',
    severity: 'warning',
    message: ({ tag, because }) => `\`@${tag}\` has no effect here: ${because}.`,
    hint: 'Move it to where it applies, or remove it.',
  }),
  'nested-context': defineDiagnostic<{ subject: string }>({
    code: 'MCPG718',
    severity: 'error',
    message: ({ subject }) =>
      `${subject} is a \`Context\`, which clients cannot send and the server does not insert there.`,
    hint: 'Make it a separate parameter.',
  }),
  'bad-schema': defineDiagnostic<{ problem: string }>({
    code: 'MCPG720',
    severity: 'error',
    message: ({ problem }) => `\`@schema\` is not a valid JSON Schema: ${problem}.`,
    hint: 'Correct it according to JSON Schema 2020-12.',
  }),
  'pattern-with-flags': defineDiagnostic<{ pattern: string; flags: string }>({
    code: 'MCPG721',
    severity: 'error',
    message: ({ pattern, flags }) =>
      `\`@pattern\` does not support flags, so \`${pattern}\` cannot have \`${flags}\`.`,
    hint: 'Remove the flags. For `i`, write both cases: `[Aa]`. For literal slashes, start with `[/]`.',
  }),
  'rounded-integer': defineDiagnostic<{ tag: string; value: string }>({
    code: 'MCPG722',
    severity: 'error',
    message: ({ tag, value }) =>
      `\`@${tag}\` has the value ${value} with an integer beyond ±2^53, which clients would round.`,
    hint: 'Use a smaller number, check it in the function, or use a string.',
  }),
  'default-is-code': defineDiagnostic<{ value: string }>({
    code: 'MCPG723',
    severity: 'warning',
    message: ({ value }) => `\`@default\` has ${value}, which is code, so no default is listed.`,
    hint: 'Write a JSON value, quote text in double quotes, or remove the tag.',
  }),
  'nothing-satisfies': defineDiagnostic<{ lower: string; upper: string }>({
    code: 'MCPG724',
    severity: 'error',
    message: ({ lower, upper }) => `\`${lower}\` and \`${upper}\` allow no value.`,
    hint: 'Correct or remove one of them.',
  }),
  'misspelt-format': defineDiagnostic<{ format: string; meant: string }>({
    code: 'MCPG725',
    severity: 'warning',
    message: ({ format }) => `\`@format ${format}\` is unknown and is listed as written.`,
    hint: ({ meant }) => `Did you mean \`@format ${meant}\`?`,
  }),
  'example-does-not-fit': defineDiagnostic<{ value: string; problem: string }>({
    code: 'MCPG726',
    severity: 'warning',
    message: ({ value, problem }) =>
      `The example ${value} does not match its type, so it is omitted. ${problem}.`,
    hint: 'After `@example`, write a valid value, or code in a fence.',
  }),
  'constraint-lost': defineDiagnostic<{ name: string }>({
    code: 'MCPG729',
    severity: 'warning',
    message: ({ name }) =>
      `The constraints of \`${name}\` do not arrive here, so values are not checked by them.`,
    hint: 'Put the tags before the member or parameter, or use a type: `number & Minimum<0>` of `mcpgen/runtime`.',
  }),
};
