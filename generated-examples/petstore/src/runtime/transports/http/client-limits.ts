// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Limits by client: rates, counts, and the bytes that the server keeps for an address. */
import { BlockList, isIP } from 'node:net';

import type { Caller, HttpRequest } from '../../feature-loaders.ts';
import { type Limiter, RateLimiter } from '../../core/shared-state.ts';
import type { Audit } from '../../core/call.ts';
import { type Limits, UsageError } from '../../contract/feature.ts';
import { putAndDropOldest } from '../../contract/json-value.ts';
import type { TrustedProxies } from '../../main/settings.ts';
import type { Hold, Holding } from '../conversation.ts';

/** Rate-limit key: the caller's subject, or the client's address without authentication. */
export function rateLimitKey(
  request: HttpRequest,
  caller: Pick<Caller, 'subject'> | undefined,
  proxies: BlockList | undefined,
): string {
  return caller === undefined ? clientAddress(request, proxies) : `subject ${caller.subject}`;
}

export class KeyedRateLimiters implements ClientLimiters {
  readonly #callsPerMinute: number | undefined;
  readonly #most: number;
  readonly #now: () => number;
  /** Limiters by client, the least recently used first. */
  readonly #limiters = new Map<string, RateLimiter>();

  constructor(callsPerMinute: number | undefined, most: number, now: () => number = Date.now) {
    this.#callsPerMinute = callsPerMinute;
    this.#most = most;
    this.#now = now;
  }

  limiterForClient(client: string): RateLimiter | undefined {
    if (this.#callsPerMinute === undefined) return undefined;
    const limiter = this.#limiters.get(client) ?? new RateLimiter(this.#callsPerMinute, this.#now);
    putAndDropOldest(this.#limiters, client, limiter, this.#most);
    return limiter;
  }
}

export interface ClientLimiters {
  limiterForClient(client: string): Limiter | undefined;
}

export class KeyCounter {
  readonly #counts = new Map<string, number>();

  getCount(key: string): number {
    return this.#counts.get(key) ?? 0;
  }

  countUp(key: string): void {
    this.#counts.set(key, this.getCount(key) + 1);
  }

  countDown(key: string): void {
    const left = this.getCount(key) - 1;
    if (left > 0) this.#counts.set(key, left);
    else this.#counts.delete(key);
  }

  findLargestCount(): [key: string, count: number] {
    let largest: [string, number] = ['', 0];
    for (const each of this.#counts) if (each[1] > largest[1]) largest = each;
    return largest;
  }
}

/** Enough for any chain of proxies: clients make up longer lists. */
const MOST_HOPS = 20;

/**
 * A client with one IPv6 address has its whole /64 (RFC 6177, section 2), so only the /64 counts.
 * @param proxies trusted proxies, whose `X-Forwarded-For` names the client
 */
export function clientAddress(request: HttpRequest, proxies?: BlockList): string {
  return toCountedAddress(
    proxies === undefined ? remoteAddressOf(request) : findForwardedAddress(proxies, request),
  );
}

/** Undefined for a trusted proxy, which connects for many clients. */
export function peerAddress(
  { remoteAddress = '' }: HttpRequest['socket'],
  proxies?: BlockList,
): string | undefined {
  return isTrusted(remoteAddress, proxies) ? undefined : toCountedAddress(remoteAddress);
}

function remoteAddressOf({ socket: { remoteAddress = '' } }: HttpRequest): string {
  return remoteAddress;
}

/** Reads `X-Forwarded-For` from the right: each trusted proxy names its peer, and anyone can write the rest. */
function findForwardedAddress(proxies: BlockList, request: HttpRequest): string {
  const field = request.headers['x-forwarded-for'] ?? '';
  const hops = String(field).split(',').slice(-MOST_HOPS);
  let address = remoteAddressOf(request);
  while (isTrusted(address, proxies)) {
    const next = hops.pop()?.trim() ?? '';
    if (isIP(next) === 0) break;
    address = next;
  }
  return address;
}

function isTrusted(address: string, proxies: BlockList | undefined): boolean {
  return proxies?.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4') === true;
}

function toCountedAddress(address: string): string {
  // IPv4, or IPv4 written as IPv6.
  if (address.includes('.') || !address.includes(':')) return address;
  const [head = '', tail] = address.split('::');
  const groups = head === '' ? [] : head.split(':');
  const missing = tail === undefined ? 0 : 8 - groups.length - tail.split(':').length;
  const filled = [...groups, ...Array<string>(missing).fill('0'), ...(tail?.split(':') ?? [])];
  return `${filled.slice(0, 4).join(':')}::/64`;
}

interface ByteBoundOptions {
  perAddress: number;
  inAll: number;
  /** Called only when bytes are dropped for the first time, since thousands of times may follow. */
  tell: (address: string) => void;
}

class CountedHolding implements Holding {
  readonly address: string;
  readonly #bound: ByteBound;
  readonly #giveUp: () => void;
  readonly #measure: (() => number) | undefined;
  #bytes = 0;
  #isOver = false;

  constructor(bound: ByteBound, address: string, giveUp: () => void, measure?: () => number) {
    this.address = address;
    this.#bound = bound;
    this.#giveUp = giveUp;
    this.#measure = measure;
  }

  get bytes(): number {
    return this.#bytes;
  }

  set(bytes: number): void {
    if (this.#isOver || bytes === this.#bytes) return;
    const before = this.#bytes;
    this.#bytes = bytes;
    this.#bound.changeHeld(this, bytes - before);
  }

  end(): void {
    this.set(0);
    this.#isOver = true;
  }

  lowerToMeasured(): void {
    if (this.#measure !== undefined) this.set(Math.min(this.#bytes, this.#measure()));
  }

  releaseAll(): void {
    this.set(0);
    this.#giveUp();
  }
}

interface Held {
  bytes: number;
  holdings: Set<CountedHolding>;
}

export class ByteBound {
  readonly #options: ByteBoundOptions;
  readonly #addresses = new Map<string, Held>();
  #bytes = 0;
  #isTold = false;

  constructor(options: ByteBoundOptions) {
    this.#options = options;
  }

  /** Reads the address when bytes are held: most requests hold none. */
  createHold(request: HttpRequest, proxies: BlockList | undefined): Hold {
    return (giveUp, measure) => new CountedHolding(this, clientAddress(request, proxies), giveUp, measure);
  }

  changeHeld(holding: CountedHolding, by: number): void {
    const { address } = holding;
    const held = this.#addresses.get(address) ?? { bytes: 0, holdings: new Set() };
    held.bytes += by;
    this.#bytes += by;
    if (holding.bytes > 0) held.holdings.add(holding);
    else held.holdings.delete(holding);
    if (held.holdings.size > 0) this.#addresses.set(address, held);
    else this.#addresses.delete(address);
    if (by > 0) this.#makeRoom(address, held);
  }

  /** Gives up the oldest holdings first. A single holding may exceed the bound, since its own limit bounds it. */
  #makeRoom(address: string, held: Held): void {
    const { perAddress, inAll } = this.#options;
    if (held.bytes > perAddress) {
      for (const each of [...held.holdings]) each.lowerToMeasured();
      while (held.bytes > perAddress && held.holdings.size > 1) this.#releaseOldest(address, held);
    }
    while (this.#bytes > inAll) {
      const [largest, most] = this.#addressWithMost();
      for (const each of [...most.holdings]) each.lowerToMeasured();
      if (this.#bytes <= inAll || (this.#addresses.size === 1 && most.holdings.size === 1)) return;
      this.#releaseOldest(largest, most);
    }
  }

  #releaseOldest(address: string, { holdings }: Held): void {
    const [first] = holdings;
    if (first === undefined) return;
    if (!this.#isTold) this.#options.tell(address);
    this.#isTold = true;
    first.releaseAll();
  }

  #addressWithMost(): [address: string, held: Held] {
    let largest: [string, Held] = ['', { bytes: 0, holdings: new Set() }];
    for (const each of this.#addresses) if (each[1].bytes > largest[1].bytes) largest = each;
    return largest;
  }
}

export interface MemoryBounds {
  unfinished: ByteBound;
  /** Answers and events that wait for their client to read them, or to come back for them. */
  unread: ByteBound;
}

export function makeMemoryBounds(
  limits: Pick<
    Limits,
    'unfinishedBytes' | 'unfinishedBytesPerAddress' | 'unreadBytes' | 'unreadBytesPerAddress'
  >,
  warn: (words: string) => void,
): MemoryBounds {
  return {
    unfinished: new ByteBound({
      perAddress: limits.unfinishedBytesPerAddress,
      inAll: limits.unfinishedBytes,
      tell: (address) =>
        warn(`${address} has begun more bytes of requests than it may without ending them${REST}`),
    }),
    unread: new ByteBound({
      perAddress: limits.unreadBytesPerAddress,
      inAll: limits.unreadBytes,
      tell: (address) => warn(`${address} has left more bytes of answers unread than it may${REST}`),
    }),
  };
}

const REST =
  ': the connection that has waited longest is closed, also when it happens again, which is not logged. If this is the address of a ' +
  'proxy, name it by --trusted-proxy or MCP_TRUSTED_PROXIES, and its clients are counted one by one.';

const MOST_REPORTED = 10;

/** Warns once about each address that sends `X-Forwarded-For` and is not named as a proxy. */
export function createUnnamedProxyWarner(
  proxies: BlockList | undefined,
  warn: (words: string) => void,
): (request: HttpRequest) => void {
  const reported = new Set<string>();
  return ({ headers, socket }) => {
    if (headers['x-forwarded-for'] === undefined || reported.size >= MOST_REPORTED) return;
    const { remoteAddress = '' } = socket;
    if (reported.has(remoteAddress) || isTrusted(remoteAddress, proxies)) return;
    reported.add(remoteAddress);
    warn(
      `a request of ${remoteAddress} has X-Forwarded-For, which is ignored, since that address is not named as a proxy. ` +
        `If it is yours, set MCP_TRUSTED_PROXIES=${remoteAddress} or --trusted-proxy: until then limits by address ` +
        'count all of its clients as one.',
    );
  };
}

/** An IPv6 block with a shorter prefix belongs to several providers or a whole registry. */
const SHORTEST_IPV6 = 20;

/** Trusted proxies may be any block of unique local or link-local addresses (RFC 4193; RFC 4291, section 2.5.6), which stay within one network. */
const LOCAL_IPV6 = /^f(?:[cd]|e[89ab])/i;
const SHORTEST_LOCAL = 7;

/** The first bytes of IPv4 addresses that hosts can have. */
const FIRST_BYTES = Array.from({ length: 223 }, (_, index) => index + 1);

type Block = [address: string, prefixBits: number, family: 'ipv4' | 'ipv6'];

export function parseProxies(from: string, texts: readonly string[]): TrustedProxies {
  if (texts.length === 0) return { proxies: undefined, wideProxies: [] };
  const proxies = new BlockList();
  const wideProxies = texts.filter((text) => {
    const block = parseAddressBlock(text, from);
    proxies.addSubnet(...block);
    return isWide(block);
  });
  return { proxies, wideProxies };
}

function parseAddressBlock(text: string, name: string): Block {
  const [, address = '', prefix] = /^([^/]*)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
  const most = family === 'ipv6' ? 128 : 32;
  const bits = prefix === undefined ? most : Number(prefix);
  if (isIP(address) !== 0 && bits <= most) return [address, bits, family];
  throw new UsageError(`${name} must be an address, or a block of them such as 10.0.0.0/8, not ${text}.`);
}

/** A wide IPv4 block spans two of `/8`, also if it is written as IPv6 (RFC 4291, section 2.5.5.2). */
function isWide([address, bits, family]: Block): boolean {
  const alone = new BlockList();
  alone.addSubnet(address, bits, family);
  if (FIRST_BYTES.filter((byte) => alone.check(`${byte}.0.0.1`)).length > 1) return true;
  return family === 'ipv6' && bits < (LOCAL_IPV6.test(address) ? SHORTEST_LOCAL : SHORTEST_IPV6);
}

export interface ConnectionLimit {
  most: number;
  proxies?: BlockList | undefined;
  /** Called for each connection that was closed before a byte of it was read. */
  closed: (address: string) => void;
}

/** Undefined if connections are not limited. `warn` gets only the first address over the limit, since there may be thousands. */
export function makeConnectionLimit(
  { connectionsPerAddress }: Limits,
  proxies: TrustedProxies['proxies'],
  warn: (words: string) => void,
  refused: Audit['recordRefusal'] | undefined,
): ConnectionLimit | undefined {
  if (connectionsPerAddress === Infinity) return undefined;
  let isWarned = false;
  const closed = (address: string): void => {
    refused?.('connection');
    if (isWarned) return;
    isWarned = true;
    warn(
      `${address} has as many connections as one address may have, and more are closed; of other addresses this is not told ` +
        'again. Is it a proxy? Then name it by --trusted-proxy. --connections sets the number.',
    );
  };
  return { most: connectionsPerAddress, proxies, closed };
}
