/** The words of something thrown by the project's own code. A stack is no business of the client's. */
export function messageOf(thrown: unknown): string {
  const words = thrown instanceof Error ? thrown.message : String(thrown);
  return words === '' ? 'The work failed without saying why.' : words;
}
