/** One file of an emitted project, as a value in memory. */
export interface GeneratedFile {
  /** Relative to the project's root, `/`-separated, without `..`. */
  path: string;
  contents: string;
  /**
   * - `generated`: ours. Recorded in the lock; replaced on every run.
   * - `once`: the user's. Written when missing, then never touched.
   * - `built`: ready-to-run output under `dist/`. Replaced on every run, never in the lock.
   */
  ownership: 'generated' | 'once' | 'built';
  /** Entry of the lock, or of the runtime's manifest, where it is known beforehand. */
  hash?: string;
  /** Give the file the executable bit. Default false. */
  executable?: boolean;
}
