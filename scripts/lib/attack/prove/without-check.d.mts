export function withoutCheck(
  edits: readonly [from: string, to: string][],
  files: readonly [file: string, text: string][],
): string[];
