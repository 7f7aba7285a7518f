export interface Target {
  witness: () => Promise<Record<string, number>>;
  close: () => Promise<void>;
}

export interface Row {
  name: string;
  want: string;
  reaches?: Record<string, number>;
  isControl?: boolean;
  attack: (target: Target) => Promise<string>;
}

export interface Check {
  rows: RegExp;
  edits: [from: string, to: string][];
  files: string[];
  admits?: RegExp;
}

export interface Family {
  family: string;
  rows: Row[];
  checks: Check[];
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
  families: Omit<Family, 'checks'>[],
  folder: string,
  tell?: (line: string) => void,
  patience?: number,
): Promise<Verdict[]>;
export function isAdmitted(
  row: { want: string; reaches?: Record<string, number> },
  got: string,
  rises: Record<string, number>,
): boolean;
export function isProof(
  check: { rows: RegExp; admits?: RegExp },
  verdict: { name: string; admitted: boolean; miss?: string },
): boolean;
