/** What a run looks at, so that a later change of it can be seen. */
export interface Observer {
  /** A file was looked for, whether or not it is there. An absolute path. */
  file(path: string): void;
  /** Files were looked for by a pattern, in the absolute path `folder` and below. `find` looks again. */
  pattern(folder: string, find: () => readonly string[]): void;
}
