/**
 * - `error`: nothing can be written.
 * - `warning`: one piece does not do what the source says; the rest works. `--strict` makes it an error.
 * - `info`: a decision worth knowing.
 */
export type Severity = 'error' | 'warning' | 'info';
