/** Refuses requests that do not come from the page itself: a website may send requests to loopback, and name its own host. */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

import { Refusal } from '../problem.ts';

/** The secrets of one run: the token of the printed address, which is taken once, and that of the cookie. */
export class Access {
  readonly token = randomBytes(32).toString('base64url');
  readonly #secret = randomBytes(32).toString('base64url');
  #isTaken = false;

  /** Whether this is the token, given for the first time. */
  redeemToken(token: string): boolean {
    if (this.#isTaken || !isSame(token, this.token)) return false;
    this.#isTaken = true;
    return true;
  }

  /** Whether this is the token, which was given before. */
  wasTokenRedeemed(token: string): boolean {
    return this.#isTaken && isSame(token, this.token);
  }

  /** Browsers send the cookies of all ports of a host, so the name has the port. */
  makeCookie(port: number): string {
    return `${nameOfCookie(port)}=${this.#secret}; HttpOnly; SameSite=Strict; Path=/`;
  }

  hasCookie({ headers }: IncomingMessage, port: number): boolean {
    const pairs = (headers.cookie ?? '').split(';').map((each) => each.trim().split('='));
    return pairs.some(([name, value = '']) => name === nameOfCookie(port) && isSame(value, this.#secret));
  }
}

function nameOfCookie(port: number): string {
  return `mcpgen_preview_${String(port)}`;
}

/** Takes the same time whatever differs. */
function isSame(one: string, other: string): boolean {
  const [a, b] = [one, other].map((text) => createHash('sha256').update(text).digest());
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

/** A form of another site can post, but neither as JSON nor with this origin. @throws {Refusal} */
export function refuseCrossSiteForms({ headers }: IncomingMessage): void {
  const type = /^[^;]*/
    .exec(headers['content-type'] ?? '')?.[0]
    .trim()
    .toLowerCase();
  if (type !== 'application/json') throw new Refusal(415, 'The body must be application/json.');
  if (headers.origin === undefined) throw new Refusal(403, 'The request has no Origin.');
}
