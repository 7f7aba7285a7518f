/** MCPG3xx: schemas. */
import { quoteAsCodeSpan } from '../quoting.ts';
import { defineDiagnostic } from '../define.ts';

const LONGEST_SHOWN = 80;

/** Its place shows the whole. */
function quotePattern(pattern: string): string {
  const isShort = pattern.length <= LONGEST_SHOWN;
  return quoteAsCodeSpan(isShort ? pattern : `${pattern.slice(0, LONGEST_SHOWN - 1)}…`);
}

/** The reason why a pattern can't be matched in linear time. */
function describeObstacle(pattern: string): { reason: string; fix: string } {
  if (/\\(?:[1-9]|k<)/.test(pattern))
    return { reason: 'back references are not supported', fix: 'Rewrite it without back references.' };
  if (/\(\?[a-z]*-?[a-z]+:/.test(pattern))
    return { reason: 'modifiers are not supported', fix: 'Rewrite it without modifiers such as (?i:…).' };
  return {
    reason: 'it is too long to be matched safely',
    fix: 'Shorten it, or use smaller counts. For a list of fixed texts write an `enum`.',
  };
}

export const schemaDiagnostics = {
  'invalid-schema': defineDiagnostic<{ found: string }>({
    code: 'MCPG301',
    severity: 'warning',
    message: ({ found }) => `Expected a schema, but found ${found}. It accepts anything.`,
    hint: 'A schema is an object, such as `#/components/schemas/Pet`.',
  }),
  'pattern-removed': defineDiagnostic<{ pattern: string; problem: string } | { unsafePattern: string }>({
    code: 'MCPG303',
    severity: 'warning',
    message: (parameters) =>
      'unsafePattern' in parameters
        ? `The pattern ${quotePattern(parameters.unsafePattern)} is removed: ${describeObstacle(parameters.unsafePattern).reason}.`
        : `The pattern ${quotePattern(parameters.pattern)} is not an ECMAScript regular expression and is removed: ${parameters.problem}.`,
    hint: (parameters) =>
      'unsafePattern' in parameters
        ? describeObstacle(parameters.unsafePattern).fix
        : /\(\?[a-z>-]|[*+?}]\+/.test(parameters.pattern)
          ? 'ECMAScript has no inline flags such as (?i), possessive quantifiers or atomic groups.'
          : 'Correct the pattern.',
  }),
  'invalid-keyword': defineDiagnostic<{ keyword: string; problem: string; fix?: string }>({
    code: 'MCPG305',
    severity: 'warning',
    message: ({ keyword, problem }) => `The keyword ${keyword} ${problem}.`,
    hint: ({ fix = 'Correct the value.' }) => fix,
  }),
  'value-of-other-type': defineDiagnostic<{ what: string; value: string; type: string; fate: string }>({
    code: 'MCPG308',
    severity: 'warning',
    message: ({ what, value, type, fate }) =>
      `The ${what} ${value} is not of the type ${type} that its schema requires. It is ${fate}.`,
    hint: 'Correct the value or the type. Quote numbers and booleans if the type is string.',
  }),
  'schema-too-large': defineDiagnostic<{ problem: string }>({
    code: 'MCPG310',
    severity: 'warning',
    message: ({ problem }) => `${problem}. Beyond this limit, schemas accept anything.`,
    hint: 'Move inner schemas to `components/schemas`, reference the end of a chain directly, and use `$ref` in place of YAML aliases that repeat each other.',
  }),
  'dynamic-ref': defineDiagnostic<{ ref: string; reading: string }>({
    code: 'MCPG311',
    severity: 'warning',
    message: ({ ref, reading }) =>
      `$dynamicRef ${ref} is read as ${reading}; its meaning in other dynamic scopes is lost.`,
    hint: 'Use `$ref` if the target is fixed.',
  }),
  'unfit-number': defineDiagnostic<{ keyword: string; number: number }>({
    code: 'MCPG317',
    severity: 'warning',
    message: ({ keyword, number }) =>
      `The keyword ${keyword} contains ${number}, which JSON readers can't hold exactly. It is removed, so that clients do not send a wrong number.`,
    hint: 'Describe the value as text (`type: string`), write a finite number, or give the number in `description`.',
  }),
  'guarded-pattern': defineDiagnostic<{ pattern: string }>({
    code: 'MCPG319',
    severity: 'info',
    message: ({ pattern }) =>
      `The pattern ${quotePattern(pattern)} may be very slow in engines that backtrack. The server matches it without backtracking.`,
  }),
  'endless-schema': defineDiagnostic<{ schema: string }>({
    code: 'MCPG313',
    severity: 'warning',
    message: ({ schema }) =>
      `The schema ${schema} contains itself without a property or item in between, so validation would never end. The reference that closes the circle is removed.`,
    hint: 'Move shared parts to a schema that references neither, or use a `discriminator`.',
  }),
  'hidden-text': defineDiagnostic<{ hidden: string }>({
    code: 'MCPG322',
    severity: 'warning',
    message: ({ hidden }) =>
      `This text contains characters that models read but people cannot see: ${hidden}. They are removed from prose, and stay in names and values, since the API needs the exact bytes.`,
    hint: 'Delete them in the source. If you did not add them, check the rest of the source.',
  }),
};
