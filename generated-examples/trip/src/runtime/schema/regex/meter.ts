/** Counts work. It throws when there was too much of it. */
export interface Meter {
  spend(units: number): void;
}
