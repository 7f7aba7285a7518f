/** Takes credentials out of texts an API echoes (debug pages and error bodies do). */

/** Shorter ones would also hit what is no secret. */
const SHORTEST = 6;

/** A function that replaces every occurrence of the secrets; the identity when there are none. */
export function redactor(secrets: readonly string[]): (text: string) => string {
  const found = [...new Set(secrets)]
    .filter((one) => one.length >= SHORTEST)
    .flatMap((one) => {
      const inJson = JSON.stringify(one).slice(1, -1);
      return inJson === one ? [one] : [one, inJson];
    })
    .sort((a, b) => b.length - a.length);
  return (text) => found.reduce((rest, secret) => rest.replaceAll(secret, '[redacted]'), text);
}
