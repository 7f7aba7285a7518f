export const document: object;
export const queries: readonly { what: string; target: string; told: string }[];
export function overlayWith(target: string): object;
