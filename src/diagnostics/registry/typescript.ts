/** MCPG7xx: types of annotated TypeScript and their JSDoc. */
import { defineDiagnostic } from '../define.ts';

export const typescriptDiagnostics = {
  'type-without-json': defineDiagnostic<{ subject: string; what: string; fix?: string }>({
    code: 'MCPG701',
    message: ({ subject, what }) =>
      `${subject} is ${what}, which JSON cannot represent, so clients cannot send or receive it.`,
    hint: ({
      fix = 'Use a JSON type, make the member optional or `@hidden`, or set its JSON form with `@schema {…}`.',
    }) => fix,
  }),
  'untyped-value': defineDiagnostic<{ subject: string }>({
    code: 'MCPG702',
    message: ({ subject }) => `${subject} is \`any\`, so its values are unknown.`,
    hint: 'Give it a type, `unknown` for any JSON value, or `@schema {…}`.',
  }),
  'unresolved-generic': defineDiagnostic<{ subject: string; type: string }>({
    code: 'MCPG703',
    message: ({ subject, type }) =>
      `${subject} is \`${type}\`, which depends on an undetermined type parameter.`,
    hint: 'Give the type parameter a default (`T = string`) or a constraint (`T extends Item`). If the function is a library’s, export one of your own that calls it.',
  }),
  'member-left-out': defineDiagnostic<{ subject: string; what: string }>({
    code: 'MCPG704',
    severity: 'warning',
    message: ({ subject, what }) =>
      `${subject} can be ${what}, which JSON cannot represent. Clients cannot use that part.`,
    hint: 'If this is intended, add `@hidden`. Otherwise, set its JSON form with `@schema {…}`.',
  }),
  'type-widened': defineDiagnostic<{ subject: string; is: string; accepts: string; fix: string }>({
    code: 'MCPG705',
    severity: 'warning',
    message: ({ subject, is, accepts }) => `${subject} is ${is}, so it accepts every ${accepts}.`,
    hint: ({ fix }) => fix,
  }),
  'type-too-large': defineDiagnostic<{ subject: string; limit: string; most: number }>({
    code: 'MCPG706',
    message: ({ subject, limit, most }) =>
      `${subject} expands to more than ${most} ${limit}, which is too large to describe.`,
    hint: 'Simplify the type, or set its JSON form with `@schema {…}`.',
  }),
  'bad-tag': defineDiagnostic<{ tag: string; problem: string; fix?: string }>({
    code: 'MCPG806',
    message: ({ tag, problem }) => `@${tag} ${problem}.`,
    hint: ({ fix = 'Correct the tag as in docs/reference/functions.md.' }) => fix,
  }),
  'hidden-required': defineDiagnostic<{ subject: string }>({
    code: 'MCPG709',
    message: ({ subject }) =>
      `${subject} is \`@hidden\` but required, so no client could call this correctly.`,
    hint: 'Make it optional, or remove `@hidden`.',
  }),
  'default-does-not-fit': defineDiagnostic<{ value: string; problem: string }>({
    code: 'MCPG714',
    message: ({ value, problem }) => `The default ${value} does not match its type. ${problem}.`,
    hint: 'Give a default that a client could send.',
  }),
  'idle-tag': defineDiagnostic<{ tag: string; because: string; fix?: string }>({
    code: 'MCPG717',
    severity: 'warning',
    message: ({ tag, because }) => `\`@${tag}\` has no effect here: ${because}.`,
    hint: ({ fix = 'Move it to where it applies, or remove it.' }) => fix,
  }),
  'example-does-not-fit': defineDiagnostic<{ value: string; problem: string }>({
    code: 'MCPG726',
    severity: 'warning',
    message: ({ value, problem }) =>
      `The example ${value} does not match its type, so it is omitted. ${problem}.`,
    hint: 'After `@example`, write a valid value, or code in a fence.',
  }),
};
