/** Any value as a short text, for messages and to compare with words: an object may hold a `toString` that is no function. */
export function shownValue(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' && value !== null ? 'an object' : String(value);
}

/** As `shownValue`, for the middle of a sentence, where an empty text would leave a gap. */
export function namedValue(value: unknown): string {
  return shownValue(value) || '""';
}
