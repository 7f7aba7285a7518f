export const kinds: Readonly<Record<string, { hidden: string; shown: RegExp }>>;
export const prose: readonly string[];
export const values: readonly (readonly [pointer: string, part: 'tools' | 'upstream'])[];
export const keys: readonly string[];
export const code: Readonly<Record<string, (hidden: string) => string>>;
export function holdsHidden(text: string): boolean;
export function documentWith(pointer: string, hidden: string, isKey?: boolean): object;
