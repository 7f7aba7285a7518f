// Types for the tests; the words stand in `audit.mjs`.
export function auditOf(folder: string, options?: string[]): Promise<{ words: string; isWeak: boolean }>;
