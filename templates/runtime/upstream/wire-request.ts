// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** A request as it is sent: its parts, and its headers, unique by name without regard to case. */
import type { ClientRequest } from 'node:http';
import { isHttpToken } from '../contract/token-syntax.ts';
import type { Target } from './dispatcher.ts';
import { UpstreamError } from './upstream-error.ts';

/** `url` gives the server; its path and query are replaced by `target`. */
export interface WireRequest extends Target {
  method: string;
  /** Path and query, byte for byte as in the request line. */
  target: string;
  headers: HeaderList;
  body?: string | Uint8Array | StreamedBody;
}

/** A body that is read while it is sent, anew for each attempt. */
export interface StreamedBody {
  byteLength: number;
  /** Writes and ends the request; a failure destroys it. */
  send(request: ClientRequest): void;
}

export function isStreamed(body: WireRequest['body']): body is StreamedBody {
  return typeof body === 'object' && 'send' in body;
}

/** Request headers, sent in the spelling they were given. */
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

  /** Names and values in turn, which `node:http` writes as they are: it adds `Connection` alone. */
  toFlat(host: string, length: number | undefined): string[] {
    const flat: string[] = [];
    for (const [key, { name, value }] of this.#byName) {
      if (key !== 'content-length' || length === undefined) flat.push(name, value);
    }
    if (!this.#byName.has('host')) flat.push('Host', host);
    if (length !== undefined) flat.push('Content-Length', String(length));
    return flat;
  }
}
