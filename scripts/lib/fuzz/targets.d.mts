import type { IRawProperty } from 'fast-check';

export const targets: {
  name: string;
  runs: number;
  property: (load: (path: string) => Promise<unknown>) => Promise<IRawProperty<unknown>>;
}[];
