/** What is wrong in a value that a person wrote, and where in it. */

/** Keys and indexes from the root down. */
export type Path = readonly (string | number)[];

export interface Fault {
  path: Path;
  /** Goes on where the name of the place ends: `must be a string`. */
  problem: string;
  /** The problem as a sentence of its own, for an argument that is in view: `it must be an origin alone`. */
  clause?: string;
  /** The member of it that is shown, where its key is the problem. */
  key?: string;
  /** What it names, where that is not there. */
  missing?: string;
}

/** What came of reading a value: with faults there is nothing to use. */
export interface Faulty {
  faults: Fault[];
}

/** A sentence without its full stop: `"sources[0].prefix" must be a text`; of the whole `it is not an object`. */
export function faultWords({ path, problem }: Fault): string {
  return path.length === 0 ? `it ${problem}` : `"${nameOf(path)}" ${problem}`;
}

function nameOf(path: Path): string {
  return path.reduce<string>((name, step) => {
    if (typeof step === 'number') return `${name}[${step}]`;
    if (!/^[\w$-]+$/.test(step)) return `${name}[${JSON.stringify(step)}]`;
    return name === '' ? step : `${name}.${step}`;
  }, '');
}
