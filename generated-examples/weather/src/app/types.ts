import type { Unit } from './lib/units.ts';

/** One day. */
export interface Day {
  date: Date;
  /** In `unit`. */
  high: number;
  unit: Unit;
}
