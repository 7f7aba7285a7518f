// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Rate limits and counts by client. */
import type { IncomingMessage } from 'node:http';
import { type BlockList, isIP, type Socket } from 'node:net';
import type { Caller } from '../../core/call.ts';
import { RateLimiter } from '../../core/rate-limiter.ts';

/** The key that limits count by: the caller's subject, or the client's address without authentication. */
export function rateLimitKey(
  request: IncomingMessage,
  caller: Pick<Caller, 'subject'> | undefined,
  proxies: BlockList | undefined,
): string {
  return caller === undefined ? clientAddress(request, proxies) : `subject ${caller.subject}`;
}

/** Rate limits by key, so that opening more sessions gains a caller nothing. */
export class KeyedRateLimiters {
  readonly #callsPerMinute: number | undefined;
  readonly #most: number;
  readonly #now: () => number;
  /** The least recently used first. */
  readonly #limiters = new Map<string, RateLimiter>();

  /** Keeps `most` clients, and forgets the least recently used one for another. `now` is in milliseconds. */
  constructor(callsPerMinute: number | undefined, most: number, now: () => number = Date.now) {
    this.#callsPerMinute = callsPerMinute;
    this.#most = most;
    this.#now = now;
  }

  /** Undefined: calls are not limited. */
  limiterOf(client: string): RateLimiter | undefined {
    if (this.#callsPerMinute === undefined) return undefined;
    const limiter = this.#limiters.get(client) ?? new RateLimiter(this.#callsPerMinute, this.#now);
    this.#limiters.delete(client);
    this.#limiters.set(client, limiter);
    const [oldest] = this.#limiters.keys();
    if (this.#limiters.size > this.#most && oldest !== undefined) this.#limiters.delete(oldest);
    return limiter;
  }
}

/** Counts by key; holds only the keys that have some. */
export class KeyCounter {
  readonly #counts = new Map<string, number>();

  get(key: string): number {
    return this.#counts.get(key) ?? 0;
  }

  add(key: string): void {
    this.#counts.set(key, this.get(key) + 1);
  }

  remove(key: string): void {
    const left = this.get(key) - 1;
    if (left > 0) this.#counts.set(key, left);
    else this.#counts.delete(key);
  }

  /** The key that has most; an empty one where none has any. */
  largest(): [key: string, count: number] {
    let largest: [string, number] = ['', 0];
    for (const each of this.#counts) if (each[1] > largest[1]) largest = each;
    return largest;
  }
}

/** Enough for any chain of proxies: clients make up longer lists. */
const MOST_HOPS = 20;

/**
 * The address that a client is counted by. A client with one IPv6 address has its whole /64 (RFC 6177, section 2), so only the
 * /64 counts.
 *
 * @param proxies trusted proxies, whose `X-Forwarded-For` names the client
 */
export function clientAddress(request: IncomingMessage, proxies?: BlockList): string {
  return countedAs(proxies === undefined ? peerOf(request) : behind(proxies, request));
}

/** The address of the connection, as it is counted. Undefined for a trusted proxy, which connects for many clients. */
export function peerAddress({ remoteAddress = '' }: Socket, proxies?: BlockList): string | undefined {
  const isProxy = proxies !== undefined && isTrusted(remoteAddress, proxies);
  return isProxy ? undefined : countedAs(remoteAddress);
}

function peerOf({ socket: { remoteAddress = '' } }: IncomingMessage): string {
  return remoteAddress;
}

/** Reads `X-Forwarded-For` from the right: each trusted proxy names its peer, and anyone can write the rest. */
function behind(proxies: BlockList, request: IncomingMessage): string {
  const field = request.headers['x-forwarded-for'] ?? '';
  const hops = String(field).split(',').slice(-MOST_HOPS);
  let address = peerOf(request);
  while (isTrusted(address, proxies)) {
    const next = hops.pop()?.trim() ?? '';
    if (isIP(next) === 0) break;
    address = next;
  }
  return address;
}

function isTrusted(address: string, proxies: BlockList): boolean {
  const family = isIP(address);
  return family !== 0 && proxies.check(address, family === 6 ? 'ipv6' : 'ipv4');
}

function countedAs(address: string): string {
  // IPv4, or IPv4 written as IPv6.
  if (address.includes('.') || !address.includes(':')) return address;
  const [head = '', tail] = address.split('::');
  const groups = head === '' ? [] : head.split(':');
  const missing = tail === undefined ? 0 : 8 - groups.length - tail.split(':').length;
  const filled = [...groups, ...Array<string>(missing).fill('0'), ...(tail?.split(':') ?? [])];
  return `${filled.slice(0, 4).join(':')}::/64`;
}
