// Types for the tests; the words stand in `run.mjs` and `families.mjs`.
export interface Target {
  witness: () => Promise<Record<string, number>>;
  close: () => Promise<void>;
}

export interface Row {
  name: string;
  want: string;
  reaches?: Record<string, number>;
  attack: (target: Target) => Promise<string>;
}

export interface Family {
  family: string;
  rows: Row[];
  lacks?: string | undefined;
  open?: (folder: string) => Promise<Target>;
}

export interface Verdict {
  family: string;
  name: string;
  got: string;
  reached: boolean;
  admitted: boolean;
  miss?: string;
}

export function attack(
  families: Family[],
  folder: string,
  tell?: (line: string) => void,
  patience?: number,
): Promise<Verdict[]>;
