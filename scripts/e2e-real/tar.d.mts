/** @param files by path; all may be executed */
export function tarOf(files: Record<string, string | Buffer>): Buffer;

/** Texts of a tar's files by path. */
export function filesIn(tar: Buffer): Record<string, string>;
