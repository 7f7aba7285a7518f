export function auditOf(folder: string, options?: string[]): Promise<{ words: string; isWeak: boolean }>;
