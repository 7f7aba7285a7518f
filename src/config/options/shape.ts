/** Checks for values of a configuration, composed of smaller ones. Each returns all faults of a value. */
import { isRecord } from '../../../templates/runtime/json-rpc.ts';
import { nearest } from '../../../templates/runtime/validate.ts';

/** Keys and indexes from the root down. */
export type Path = readonly (string | number)[];

export interface Fault {
  path: Path;
  /** Continues the name of the member: `must be a string`. */
  problem: string;
  /** The problem as a clause of its own, for an argument of a command: `it must be only an origin`. */
  clause?: string;
  /** The member whose key is the problem. */
  key?: string;
}

/** Result of reading an invalid value. */
export interface Faulty {
  faults: Fault[];
}

/** A sentence without full stop: `"sources[0].prefix" must be a text`, or for the whole value `it is not an object`. */
export function describeFault({ path, problem }: Fault): string {
  return path.length === 0 ? `it ${problem}` : `"${formatPath(path)}" ${problem}`;
}

function formatPath(path: Path): string {
  return path.reduce<string>((name, step) => {
    if (typeof step === 'number') return `${name}[${step}]`;
    if (!/^[\w$-]+$/.test(step)) return `${name}[${JSON.stringify(step)}]`;
    return name === '' ? step : `${name}.${step}`;
  }, '');
}

export interface Check {
  (value: unknown, path: Path): Fault[];
  /** All values that it accepts, for shells. Absent if there are others. */
  choices?: readonly string[];
}

/** `problem` is the fault of every other value: `must be true or false`. */
export function makePredicateCheck(isFine: (value: unknown) => boolean, problem: string): Check {
  return (value, path) => (isFine(value) ? [] : [{ path, problem }]);
}

export function makeChoiceCheck(...choices: readonly string[]): Check {
  const check: Check = (value, path) =>
    choices.some((choice) => choice === value)
      ? []
      : [{ path, problem: `must be one of ${formatChoices(value, choices)}` }];
  return addChoices(check, choices);
}

export function formatChoices(wrong: unknown, choices: readonly string[]): string {
  const near = typeof wrong === 'string' ? nearest(wrong, choices) : undefined;
  return `${choices.join(', ')}${near === undefined ? '' : ` (did you mean ${near}?)`}`;
}

export function addChoices(check: Check, choices: readonly string[]): Check {
  return Object.assign((value: unknown, path: Path) => check(value, path), { choices });
}

export const flag = makePredicateCheck((value) => typeof value === 'boolean', 'must be true or false');

export function makeTextCheck(findProblem: (text: string) => string | undefined): Check {
  return (value, path) => {
    if (typeof value !== 'string') return [{ path, problem: 'must be a string' }];
    if (value.trim() === '') return [{ path, problem: 'must not be empty' }];
    const problem = findProblem(value);
    return problem === undefined
      ? []
      : [{ path, problem: `is ${JSON.stringify(value)}; ${problem}`, clause: problem }];
  };
}

export const text = makeTextCheck(() => undefined);

/** `problem` is the fault of a value that is no list. */
export function makeListCheck(item: Check, problem: string): Check {
  const checkItems: Check = (value, path) =>
    Array.isArray(value)
      ? value.flatMap((each: unknown, index) => item(each, [...path, index]))
      : [{ path, problem }];
  return item.choices === undefined ? checkItems : addChoices(checkItems, item.choices);
}

export const texts = makeListCheck(text, 'must be a list of strings');

/** An object with any keys. `problem` is the fault of other values. */
export function makeMapCheck(item: Check, problem: string): Check {
  return (value, path) =>
    isRecord(value)
      ? Object.entries(value).flatMap(([key, each]) => item(each, [...path, key]))
      : [{ path, problem }];
}

/** An object with some of these keys. `problem` is the fault of other values. */
export function makeObjectCheck(members: Record<string, Check>, problem: string): Check {
  return (value, path) =>
    isRecord(value)
      ? [...findUnknownMembers(value, Object.keys(members), path), ...checkMembers(value, members, path)]
      : [{ path, problem }];
}

export function checkMembers(
  value: Record<string, unknown>,
  members: Record<string, Check>,
  path: Path,
): Fault[] {
  return Object.entries(members).flatMap(([member, check]) =>
    value[member] === undefined ? [] : check(value[member], [...path, member]),
  );
}

export function findUnknownMembers(
  value: Record<string, unknown>,
  memberNames: readonly string[],
  path: Path,
): Fault[] {
  return Object.keys(value)
    .filter((key) => !memberNames.includes(key))
    .map((key) => ({ path, problem: `has an unknown member ${describeUnknownWord(key, memberNames)}`, key }));
}

/** `"nmae" (did you mean "name"?)` */
export function describeUnknownWord(word: string, candidates: readonly string[]): string {
  const near = nearest(word, candidates);
  return `${JSON.stringify(word)}${near === undefined ? '' : ` (did you mean "${near}"?)`}`;
}
