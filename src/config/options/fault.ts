/** Checks for values of a configuration, composed of smaller ones. Each returns all faults of a value. */

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
  /** The name of a file or folder that is missing. */
  missing?: string;
}

/** Result of reading an invalid value. */
export interface Faulty {
  faults: Fault[];
}

/** A sentence without full stop: `"sources[0].prefix" must be a text`, or for the whole value `it is not an object`. */
export function faultWords({ path, problem }: Fault): string {
  return path.length === 0 ? `it ${problem}` : `"${formatPath(path)}" ${problem}`;
}

function formatPath(path: Path): string {
  return path.reduce<string>((name, step) => {
    if (typeof step === 'number') return `${name}[${step}]`;
    if (!/^[\w$-]+$/.test(step)) return `${name}[${JSON.stringify(step)}]`;
    return name === '' ? step : `${name}.${step}`;
  }, '');
}
