import type { IRawProperty } from 'fast-check';

export const targets: {
  name: string;
  inputs: number;
  slice: number;
  property: (load: (path: string) => Promise<unknown>) => Promise<IRawProperty<unknown>>;
}[];
