/** Refuses requests that do not come from the page itself: a website may send requests to loopback, and name its own host. */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

import { Refusal } from '../problem.ts';

/**
 * The secrets of one run: the token of the printed address, and the one that it is exchanged for, once. The second is no cookie,
 * since browsers send the cookies of a host to all of its ports; they send `Authorization` only where the page sets it.
 */
export class Access {
  readonly token = randomBytes(32).toString('base64url');
  readonly secret = randomBytes(32).toString('base64url');
  #isTaken = false;

  /** Whether this is the token, given for the first time. */
  redeemToken(token: unknown): boolean {
    if (this.#isTaken || !isSame(token, this.token)) return false;
    this.#isTaken = true;
    return true;
  }

  /** Whether this is the token, which was given before. */
  wasTokenRedeemed(token: unknown): boolean {
    return this.#isTaken && isSame(token, this.token);
  }

  hasSecret({ headers }: IncomingMessage): boolean {
    return isSame(headers.authorization, `Bearer ${this.secret}`);
  }
}

/** Takes the same time whatever differs. */
function isSame(value: unknown, secret: string): boolean {
  const [a, b] = [String(value), secret].map((text) => createHash('sha256').update(text).digest());
  return a !== undefined && b !== undefined && timingSafeEqual(a, b);
}

const NAMES = ['127.0.0.1', 'localhost'];

/** @throws {Refusal} */
export function refuseForeignRequests({ headers }: Pick<IncomingMessage, 'headers'>, port: number): void {
  // Browsers leave the usual port out.
  const hosts = NAMES.flatMap((name) => [`${name}:${String(port)}`, ...(port === 80 ? [name] : [])]);
  const host = headers.host?.toLowerCase() ?? '';
  if (!hosts.includes(host)) throw new Refusal(403, 'This host is not served.');
  const { origin, 'sec-fetch-site': site } = headers;
  if (origin !== undefined && origin !== `http://${host}`)
    throw new Refusal(403, 'Requests of other origins are refused.');
  if (site !== undefined && site !== 'same-origin' && site !== 'none')
    throw new Refusal(403, 'Requests of other sites are refused.');
}
