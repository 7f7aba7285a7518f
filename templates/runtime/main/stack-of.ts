/** With the place, for the one who can mend it. */
export function stackOf(thrown: unknown): string {
  try {
    return String(thrown instanceof Error ? (thrown.stack ?? thrown.message) : thrown);
  } catch {
    return 'Something was thrown that has no text.';
  }
}
