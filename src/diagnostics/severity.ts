/**
 * - `error`: nothing is written.
 * - `warning`: one part does not work as the source says; the rest does. `--strict` makes it an error.
 * - `info`: a decision that the user may want to know.
 */
export type Severity = 'error' | 'warning' | 'info';
