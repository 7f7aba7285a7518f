/** Collects the files that a run reads, so that a later change of one can be noticed. */
export interface Observer {
  file(path: string): void;
  /** Files were looked for by a pattern, in the absolute path `folder` and below. `find` looks again. */
  pattern(folder: string, find: () => readonly string[]): void;
}
