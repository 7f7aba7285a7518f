// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Nonces without state. */
import { createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';

const TIME_BYTES = 6;
const TAG_BYTES = 16;
const RENEWED_MS = 30_000;

/** A nonce is the time at which it was made, and an HMAC of it: nothing is kept, and nodes with one secret accept each other's. */
export class Nonces {
  readonly #key: Uint8Array;
  readonly #now: () => number;
  #current = { nonce: '', at: -Infinity };

  /** @param purpose keeps servers that share a secret apart */
  constructor(secret: string, purpose: string, now: () => number) {
    const material = secret === '' ? randomBytes(32) : secret;
    this.#key = new Uint8Array(hkdfSync('sha256', material, '', `mcpgen DPoP nonce ${purpose}`, 32));
    this.#now = now;
  }

  get getCurrentNonce(): string {
    const now = this.#now();
    if (Math.abs(now - this.#current.at) > RENEWED_MS)
      this.#current = { nonce: this.#writeNonce(now), at: now };
    return this.#current.nonce;
  }

  /** Milliseconds since 1970 at which the nonce was made. Undefined if it was not made with this key. */
  readTime(nonce: unknown): number | undefined {
    if (typeof nonce !== 'string') return undefined;
    const bytes = Buffer.from(nonce, 'base64url');
    if (bytes.length !== TIME_BYTES + TAG_BYTES) return undefined;
    const at = bytes.readUIntBE(0, TIME_BYTES);
    return timingSafeEqual(bytes, this.#nonceBytes(at)) ? at : undefined;
  }

  #writeNonce(at: number): string {
    return this.#nonceBytes(at).toString('base64url');
  }

  #nonceBytes(at: number): Buffer {
    const time = Buffer.alloc(TIME_BYTES);
    time.writeUIntBE(Math.floor(at), 0, TIME_BYTES);
    const tag = createHmac('sha256', this.#key).update(time).digest().subarray(0, TAG_BYTES);
    return Buffer.concat([time, tag]);
  }
}
