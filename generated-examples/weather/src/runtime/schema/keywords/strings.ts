/** Length, `pattern` and `format` (Validation, sections 6.3 and 7). */
import { assertion, count, fail, show } from '../findings.ts';
import type { FormatTest } from '../options.ts';
import { readPattern } from '../patterns.ts';
import type { Check } from '../run.ts';
import type { SchemaNode } from '../schema-node.ts';

export function stringChecks(
  node: SchemaNode,
  formats: Readonly<Record<string, FormatTest>>,
): Check<string>[] {
  const { schema } = node;
  if (typeof schema === 'boolean') return [];
  return [
    ...lengthChecks(node, schema.minLength, schema.maxLength),
    ...patternCheck(node, schema.pattern),
    ...formatCheck(node, schema.format, formats),
  ];
}

function lengthChecks(node: SchemaNode, least: unknown, most: unknown): Check<string>[] {
  const checks: Check<string>[] = [];
  const failure = (sign: string, limit: number) => (value: string) => ({
    words: `must have ${sign} ${count(limit, 'character')} but has ${codePoints(value)}`,
    params: { limit },
  });
  if (typeof least === 'number') {
    const test = (value: string): boolean => value.length >= least * 2 || codePoints(value) >= least;
    checks.push(assertion(node, 'minLength', test, failure('at least', least)));
  }
  if (typeof most === 'number') {
    const test = (value: string): boolean => value.length <= most || codePoints(value) <= most;
    checks.push(assertion(node, 'maxLength', test, failure('at most', most)));
  }
  return checks;
}

/** Length in characters as RFC 8259 counts them: a surrogate pair is one. */
export function codePoints(text: string): number {
  let length = text.length;
  for (let index = 0; index + 1 < text.length; index++) {
    if ((text.charCodeAt(index) & 0xfc00) !== 0xd800) continue;
    if ((text.charCodeAt(index + 1) & 0xfc00) !== 0xdc00) continue;
    length--;
    index++;
  }
  return length;
}

function patternCheck(node: SchemaNode, source: unknown): Check<string>[] {
  if (typeof source !== 'string') return [];
  const pattern = readPattern(source);
  const params = { pattern: source };
  return [
    (value, run) => {
      const most = run.limits.maxPatternInput;
      if (value.length > most) {
        const words = `is too long to be matched against a pattern (at most ${count(most, 'character')})`;
        return fail(run, node, 'pattern', { words, params });
      }
      if (pattern.test(value, run)) return true;
      if (run.findings === undefined) return false;
      return fail(run, node, 'pattern', {
        words: `must match the pattern ${source} but is ${show(value)}`,
        params,
      });
    },
  ];
}

function formatCheck(
  node: SchemaNode,
  format: unknown,
  formats: Readonly<Record<string, FormatTest>>,
): Check<string>[] {
  const test = typeof format === 'string' && Object.hasOwn(formats, format) ? formats[format] : undefined;
  if (typeof format !== 'string' || test === undefined) return [];
  return [
    assertion(node, 'format', test, (value) => ({
      words: `must be a valid ${format} but is ${show(value)}`,
      params: { format },
    })),
  ];
}
