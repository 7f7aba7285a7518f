export const inJson: Readonly<Record<string, (secret: string) => string>>;
export const inText: Readonly<Record<string, (secret: string) => string>>;
export function readings(text: string, depth?: number): string[];
export function tells(text: string, secret: string): boolean;
export function decodeOnce(text: string): string;
