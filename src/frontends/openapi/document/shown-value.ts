/** Formats any value as short text. `String` would call a document's own `toString`. */
export function shownValue(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' && value !== null ? 'an object' : String(value);
}

/** For the middle of a sentence, where an empty text would leave a gap. */
export function namedValue(value: unknown): string {
  return shownValue(value) || '""';
}
