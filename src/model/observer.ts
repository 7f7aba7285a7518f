/** Collects the files that a run reads, so that a later change of one can be noticed. */
export interface Observer {
  file(path: string): void;
  /** Files were looked for by a pattern. `find` looks again, and returns absolute paths. */
  pattern(find: () => readonly string[]): void;
}
