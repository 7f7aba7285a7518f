/** Takes credentials out of texts an API echoes (debug pages and error bodies do), and out of errors. */
import { encodeFormUrl, encodeUnreserved } from './percent-encoding.ts';

export type Redact = (text: string) => string;

/** Shorter ones would also hit what is no secret. */
export const SHORTEST_SECRET = 6;

/** Of errors: causes may go in a circle. */
const MOST_CAUSES = 10;

/** Where there are no secrets. */
export const redactNothing: Redact = (text) => text;

/** A function that replaces every occurrence of the secrets; `redactNothing` when there are none. */
export function redactor(secrets: readonly string[]): Redact {
  if (secrets.length === 0) return redactNothing;
  const spelled = secrets.filter((one) => one.length >= SHORTEST_SECRET).flatMap(spellings);
  const found = [...new Set(spelled)].sort((a, b) => b.length - a.length);
  return (text) => found.reduce((rest, secret) => rest.replaceAll(secret, '[redacted]'), text);
}

/** As it stands, and as it stands in JSON, in a URL and in a form. */
function spellings(secret: string): string[] {
  const escaped = [JSON.stringify(secret).slice(1, -1), encodeUnreserved(secret), encodeFormUrl(secret)];
  return /^[\w.-]*$/.test(secret) ? [secret] : [secret, ...escaped];
}

/** The same error, showing no secret: neither by its message, nor by its stack, which repeats it and may be reported. */
export function withoutSecrets(thrown: unknown, redact: Redact): unknown {
  for (let error = thrown, depth = 0; error instanceof Error && depth < MOST_CAUSES; depth++) {
    for (const name of ['message', 'stack'] as const) {
      const text = error[name];
      const shown = text === undefined ? text : redact(text);
      // Not an assignment: the message of a signal's reason (`DOMException`) is read-only.
      if (shown !== text)
        Reflect.defineProperty(error, name, { value: shown, configurable: true, writable: true });
    }
    error = error.cause;
  }
  return thrown;
}
