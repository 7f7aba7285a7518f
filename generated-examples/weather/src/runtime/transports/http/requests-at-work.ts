/** Counts the requests at work of clients that have no session, by the address they come from. */
import type { RequestId } from '../../protocol/json-rpc.ts';
import { overLimit } from '../../protocol/protocol-error.ts';
import { HttpRefusal } from './http-refusal.ts';

export class RequestsAtWork {
  readonly #most: number;
  /** Only of addresses that have some. */
  readonly #counts = new Map<string, number>();

  constructor(most: number) {
    this.#most = most;
  }

  /**
   * Counts one more; what begins must `end`.
   *
   * @throws {HttpRefusal} 429 when there are too many
   */
  begin(address: string, id: RequestId): void {
    const count = this.#counts.get(address) ?? 0;
    if (count >= this.#most) throw tooMany(this.#most, id);
    this.#counts.set(address, count + 1);
  }

  end(address: string): void {
    const left = (this.#counts.get(address) ?? 1) - 1;
    if (left > 0) this.#counts.set(address, left);
    else this.#counts.delete(address);
  }
}

function tooMany(most: number, id: RequestId): HttpRefusal {
  const { code, message } = overLimit(`${most} requests of your address are at work already.`, 1);
  return new HttpRefusal(429, message, { 'retry-after': '1' }, id, code);
}
