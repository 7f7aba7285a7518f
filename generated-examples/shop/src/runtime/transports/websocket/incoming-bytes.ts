/** Bytes that have arrived and are not read yet. */
export class IncomingBytes {
  #chunk: Uint8Array = NONE;
  #at = 0;

  get length(): number {
    return this.#chunk.length - this.#at;
  }

  push(chunk: Uint8Array): void {
    const rest = this.#chunk.subarray(this.#at);
    this.#chunk = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    this.#at = 0;
  }

  /** The next bytes: as many as there are, up to `most`. They are not to be written to. */
  take(most: number): Uint8Array {
    const part = this.#chunk.subarray(this.#at, this.#at + most);
    this.#at += part.length;
    // Nothing is kept for a connection that is silent.
    if (this.#at === this.#chunk.length) this.clear();
    return part;
  }

  clear(): void {
    this.#chunk = NONE;
    this.#at = 0;
  }
}

const NONE = new Uint8Array();
