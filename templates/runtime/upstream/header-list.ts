/** Request headers: unique by name without regard to case, sent in the spelling they were given. */
import { isHttpToken } from '../contract/token-syntax.ts';
import { UpstreamError } from './upstream-error.ts';

/** Those that change how a message is sent (RFC 9110, sections 7.8, 8.6 and 10.1.1; RFC 9112, sections 6.1 and 9.6). */
const MESSAGE_HEADERS = new Set([
  'connection',
  'content-length',
  'expect',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

export class HeaderList {
  readonly #byName = new Map<string, { name: string; value: string }>();

  /**
   * Replaces the header. Line breaks and other control characters are refused (they would start a header of their
   * own), and what is beyond ASCII travels as UTF-8 octets.
   */
  set(name: string, value: string, what = `Header "${name}"`): void {
    if (!isHttpToken(name))
      throw new UpstreamError('argument', `${what} can't be sent: "${name}" is no header name.`);
    const key = name.toLowerCase();
    if (/^[\t\x20-\x7E]*$/.test(value)) {
      this.#byName.set(key, { name, value });
      return;
    }
    if (/[\0-\x08\x0A-\x1F\x7F]/.test(value)) {
      throw new UpstreamError(
        'argument',
        `${what} can't be sent: a header value must not hold line breaks or control characters. Remove them.`,
      );
    }
    this.#byName.set(key, { name, value: Buffer.from(value, 'utf8').toString('latin1') });
  }

  copy(): HeaderList {
    const copy = new HeaderList();
    for (const [key, entry] of this.#byName) copy.#byName.set(key, entry);
    return copy;
  }

  /** Copies a value that another list has already accepted. */
  setOctets(name: string, value: string): void {
    this.#byName.set(name.toLowerCase(), { name, value });
  }

  names(): string[] {
    return [...this.#byName.values()].map(({ name }) => name);
  }

  get(name: string): string | undefined {
    return this.#byName.get(name.toLowerCase())?.value;
  }

  delete(name: string): void {
    this.#byName.delete(name.toLowerCase());
  }

  /** Takes over the state of a `Headers` that began as a copy of this one; spellings stay. */
  replaceFrom(headers: Headers): void {
    const spelling = new Map([...this.#byName].map(([key, { name }]) => [key, name]));
    this.#byName.clear();
    for (const [key, value] of headers) this.#byName.set(key, { name: spelling.get(key) ?? key, value });
  }

  toHeaders(): Headers {
    return new Headers([...this.#byName.values()].map(({ name, value }): [string, string] => [name, value]));
  }

  /** Whether they say nothing but what they say to the server: none changes how the message itself is sent. */
  get isOrdinary(): boolean {
    for (const [key, { name, value }] of this.#byName)
      if (MESSAGE_HEADERS.has(key) || !isHttpToken(name) || /[^\t\x20-\x7E\x80-\xFF]/.test(value))
        return false;
    return true;
  }

  /** As they stand in a message. */
  toLines(): string {
    let lines = '';
    for (const { name, value } of this.#byName.values()) lines += `${name}: ${value}\r\n`;
    return lines;
  }

  /** For `node:http`; without a prototype, since names come from documents. */
  toRecord(): Record<string, string> {
    const record: Record<string, string> = Object.create(null);
    for (const { name, value } of this.#byName.values()) record[name] = value;
    return record;
  }
}
