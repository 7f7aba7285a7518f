export function decodeOnce(text: string): string;
