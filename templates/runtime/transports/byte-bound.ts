// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Bounds the bytes that the server keeps for clients: for each address, and for all of them. */
import type { IncomingMessage } from 'node:http';
import type { BlockList } from 'node:net';
import type { Limits } from '../limits.ts';
import { clientAddress } from './http/rate-limit-key.ts';

export interface ByteBoundOptions {
  perAddress: number;
  inAll: number;
  /** Called when bytes are given up for the first time: later ones may be thousands. */
  tell: (address: string) => void;
}

/** Begins to count the bytes kept for one client. `giveUp` must release all of them. */
export type Hold = (giveUp: () => void, measure?: () => number) => Holding;

/** Bytes kept for one client: a body, an answer, the backlog of a stream. */
export class Holding {
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
    this.#bound.change(this, bytes - before);
  }

  end(): void {
    this.set(0);
    this.#isOver = true;
  }

  /** Measures again: the client may have read some since. */
  refresh(): void {
    if (this.#measure !== undefined) this.set(Math.min(this.#bytes, this.#measure()));
  }

  giveUp(): void {
    this.set(0);
    this.#giveUp();
  }
}

/** The holdings of one address that hold something. The one that began first comes first. */
interface Held {
  bytes: number;
  holdings: Set<Holding>;
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
  holdFor(request: IncomingMessage, proxies: BlockList | undefined): Hold {
    return (giveUp, measure) => new Holding(this, clientAddress(request, proxies), giveUp, measure);
  }

  /** Counts a holding that has changed by `by` bytes. */
  change(holding: Holding, by: number): void {
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

  /**
   * Gives up the oldest holdings first. A single holding may exceed the bound, since its own limit bounds it.
   */
  #makeRoom(address: string, held: Held): void {
    const { perAddress, inAll } = this.#options;
    if (held.bytes > perAddress) {
      for (const each of [...held.holdings]) each.refresh();
      while (held.bytes > perAddress && held.holdings.size > 1) this.#giveUpFirst(address, held);
    }
    while (this.#bytes > inAll) {
      const [largest, most] = this.#largest();
      for (const each of [...most.holdings]) each.refresh();
      if (this.#bytes <= inAll || (this.#addresses.size === 1 && most.holdings.size === 1)) return;
      this.#giveUpFirst(largest, most);
    }
  }

  #giveUpFirst(address: string, { holdings }: Held): void {
    const [first] = holdings;
    if (first === undefined) return;
    if (!this.#isTold) this.#options.tell(address);
    this.#isTold = true;
    first.giveUp();
  }

  #largest(): [address: string, held: Held] {
    let largest: [string, Held] = ['', { bytes: 0, holdings: new Set() }];
    for (const each of this.#addresses) if (each[1].bytes > largest[1].bytes) largest = each;
    return largest;
  }
}

export interface MemoryBounds {
  /** Request bodies and WebSocket messages of which the end has not come. */
  unfinished: ByteBound;
  /** Answers and events that wait for their client to read them, or to come back for them. */
  unread: ByteBound;
}

/** @param warn called once for each bound */
export function memoryBounds(
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
