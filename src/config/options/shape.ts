/** Checks for values that come from outside, made of smaller ones. Each says all that is wrong. */
import { suggest } from '../../../templates/runtime/contract/suggest.ts';
import { isRecord } from '../../../templates/runtime/contract/json-value.ts';
import type { Fault, Path } from './fault.ts';

export type Check = (value: unknown, path: Path) => Fault[];

/** `problem` is what is said of every other value: `must be true or false`. */
export function must(isFine: (value: unknown) => boolean, problem: string): Check {
  return (value, path) => (isFine(value) ? [] : [{ path, problem }]);
}

/** One of these texts. */
export function oneOf(...choices: readonly string[]): Check {
  const isChoice = (value: unknown): boolean => choices.some((choice) => choice === value);
  return must(isChoice, `must be one of ${choices.join(', ')}`);
}

export const flag = must((value) => typeof value === 'boolean', 'must be true or false');

/** A text that is not empty. `problemOf` says what else is wrong with it, as a clause. */
export function textWith(problemOf: (text: string) => string | undefined): Check {
  return (value, path) => {
    if (typeof value !== 'string') return [{ path, problem: 'must be a string' }];
    if (value.trim() === '') return [{ path, problem: 'must not be empty' }];
    const problem = problemOf(value);
    return problem === undefined
      ? []
      : [{ path, problem: `is ${JSON.stringify(value)}; ${problem}`, clause: problem }];
  };
}

export const text = textWith(() => undefined);

/** `problem` is said of what is no list. */
export function listOf(item: Check, problem: string): Check {
  return (value, path) =>
    Array.isArray(value)
      ? value.flatMap((each: unknown, index) => item(each, [...path, index]))
      : [{ path, problem }];
}

/** Any keys. `problem` is said of what is no object. */
export function mapOf(item: Check, problem: string): Check {
  return (value, path) =>
    isRecord(value)
      ? Object.entries(value).flatMap(([key, each]) => item(each, [...path, key]))
      : [{ path, problem }];
}

/** These keys, each of which may be missing. `problem` is said of what is no object. */
export function objectOf(members: Record<string, Check>, problem: string): Check {
  return (value, path) =>
    isRecord(value)
      ? [...unknownMembers(value, Object.keys(members), path), ...memberFaults(value, members, path)]
      : [{ path, problem }];
}

/** What is wrong with the members that are there. */
export function memberFaults(
  value: Record<string, unknown>,
  members: Record<string, Check>,
  path: Path,
): Fault[] {
  return Object.entries(members).flatMap(([member, check]) =>
    value[member] === undefined ? [] : check(value[member], [...path, member]),
  );
}

/** The members that are not known, each with its near miss. */
export function unknownMembers(
  value: Record<string, unknown>,
  known: readonly string[],
  path: Path,
): Fault[] {
  return Object.keys(value)
    .filter((key) => !known.includes(key))
    .map((key) => ({ path, problem: `has an unknown member ${unknownWords(key, known)}`, key }));
}

/** `"nmae" (did you mean "name"?)` */
export function unknownWords(word: string, known: readonly string[]): string {
  const near = suggest(word, known);
  return `${JSON.stringify(word)}${near === undefined ? '' : ` (did you mean "${near}"?)`}`;
}
