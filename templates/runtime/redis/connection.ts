// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Whether Redis can be reached. A command that fails or hangs makes it away; then nothing is sent but the question whether it is back. */
import { sharedStateAwayError } from '../protocol/json-rpc.ts';
import type { SharedHealth } from '../feature-loaders.ts';
import type { LinkEvents, Listener, RedisLink } from './link.ts';

/** A call must not wait long for a Redis that hangs. */
const COMMAND_MS = 500;

const PROBE_MS = 150;

/** A start waits this long for the first answer. */
const START_MS = 1_000;

/**
 * After so many hangs or replies of a replica in a row, a new connection is opened: it is faster than the retransmissions of
 * TCP, and the name may lead to another server meanwhile.
 */
const MOST_IN_A_ROW = 6;

class Hang extends Error {
  constructor() {
    super(`no answer in ${COMMAND_MS} ms`);
  }
}

interface Channel {
  listeners: Set<Listener>;
  /** The connection on which the channel is subscribed. */
  link: RedisLink | undefined;
  hear: Listener;
}

export interface ConnectionOptions {
  open: (events: LinkEvents) => RedisLink;
  /** Asked for to find out whether Redis is back. */
  probed: string;
  /** Never shown. */
  password: string | undefined;
  /** Words for the warning: how this node limits rates while Redis is away. */
  rates: string;
  tell: (words: string) => void;
}

export class Connection {
  readonly #options: ConnectionOptions;
  readonly #channels = new Map<string, Channel>();
  readonly #returns = new Set<() => void>();
  readonly #sent = new Set<Promise<unknown>>();
  #link: RedisLink;
  #health: SharedHealth = { store: 'redis', state: 'down', since: new Date() };
  #reason = 'it has not answered yet';
  #saidAway = false;
  #isClosed = false;

  constructor(options: ConnectionOptions) {
    this.#options = options;
    this.#link = this.#openLink();
  }

  get health(): SharedHealth {
    return this.#health;
  }

  /** Resolves when Redis has answered, or has had time to. */
  async waitForRedis(): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(() => {
        this.#reportOutage();
        resolve();
      }, START_MS);
    });
    await Promise.race([late, this.#probeUntilBack(this.#options.probed, 20)]);
    clearTimeout(timer);
  }

  async send(
    key: string,
    args: string[],
    isExpected: (thrown: unknown) => boolean = () => false,
  ): Promise<unknown> {
    if (this.#health.state === 'down') throw sharedStateAwayError();
    const answer = rejectAfterTimeout(this.#link.send(key, args));
    this.#sent.add(answer);
    try {
      return await answer;
    } catch (thrown) {
      if (isExpected(thrown)) throw thrown;
      if (!isWrongType(thrown)) this.#startOutage(key, thrown);
      throw sharedStateAwayError();
    } finally {
      this.#sent.delete(answer);
    }
  }

  async subscribe(name: string, listener: Listener): Promise<() => void> {
    if (this.#health.state === 'down') throw sharedStateAwayError();
    const channel = this.#channels.get(name) ?? createChannel();
    this.#channels.set(name, channel);
    // Wrapped in a new function, since the same listener may be added twice.
    const callListener: Listener = (text) => listener(text);
    channel.listeners.add(callListener);
    const end = (): void => this.#removeListener(name, channel, callListener);
    try {
      await this.#subscribeChannel(name, channel);
    } catch (thrown) {
      end();
      this.#startOutage(this.#options.probed, thrown);
      throw sharedStateAwayError();
    }
    return end;
  }

  onReturn(listener: () => void): () => void {
    this.#returns.add(listener);
    return () => void this.#returns.delete(listener);
  }

  /** Closes the connection after all sent commands are answered. */
  async close(): Promise<void> {
    while (this.#sent.size > 0) await Promise.allSettled(this.#sent);
    this.#isClosed = true;
    this.#link.destroy();
  }

  #openLink(): RedisLink {
    return this.#options.open({
      failed: (error) => void (this.#reason = this.#describeError(error)),
      heardAgain: () => {
        if (this.#health.state === 'up') this.#notifyReturn();
      },
    });
  }

  async #subscribeChannel(name: string, channel: Channel): Promise<void> {
    if (channel.link === this.#link) return;
    const link = this.#link;
    await rejectAfterTimeout(link.subscribe(name, channel.hear));
    channel.link = link;
  }

  #removeListener(name: string, channel: Channel, listener: Listener): void {
    channel.listeners.delete(listener);
    if (channel.listeners.size > 0 || this.#channels.get(name) !== channel) return;
    this.#channels.delete(name);
    channel.link?.unsubscribe(name).catch(() => undefined);
  }

  #startOutage(key: string, thrown: unknown): void {
    if (this.#health.state === 'down' || this.#isClosed) return;
    this.#reason = this.#describeError(thrown);
    this.#health = { store: 'redis', state: 'down', since: new Date() };
    this.#reportOutage();
    void this.#probeUntilBack(key, PROBE_MS);
  }

  async #probeUntilBack(key: string, pauseMs: number): Promise<void> {
    // A write: a Redis that is full, or a replica, answers reads. It goes to the same node of a cluster.
    const probe = `${key}:probe`;
    let inARow = 0;
    for (;;) {
      await waitUnreferenced(pauseMs);
      if (this.#isClosed) return;
      try {
        await rejectAfterTimeout(this.#link.send(probe, ['SET', probe, '', 'PX', '1000']));
        for (const [name, channel] of this.#channels) await this.#subscribeChannel(name, channel);
        break;
      } catch (thrown) {
        if (!isOffline(thrown)) this.#reason = this.#describeError(thrown);
        inARow = thrown instanceof Hang || isReplicaReply(thrown) ? inARow + 1 : 0;
      }
      if (inARow < MOST_IN_A_ROW) continue;
      inARow = 0;
      this.#link.destroy();
      this.#link = this.#openLink();
    }
    this.#health = { store: 'redis', state: 'up', since: new Date() };
    if (this.#saidAway) this.#options.tell('Redis is back.');
    this.#saidAway = false;
    this.#notifyReturn();
  }

  #reportOutage(): void {
    if (this.#isClosed) return;
    this.#saidAway = true;
    this.#options.tell(
      `warning: Redis is away (${this.#reason}). Until it is back, this node ${this.#options.rates}, and single-use states, tasks, ` +
        'resumed streams and subscriptions answer 503.',
    );
  }

  #notifyReturn(): void {
    for (const listener of [...this.#returns]) listener();
  }

  #describeError(thrown: unknown): string {
    const { code, message = '' } = thrown instanceof Error ? (thrown as NodeJS.ErrnoException) : {};
    const words = (message || code || 'unknown reason').replace(/\s+/g, ' ').slice(0, 200);
    const { password } = this.#options;
    return password === undefined ? words : words.replaceAll(password, '…');
  }
}

function createChannel(): Channel {
  const listeners = new Set<Listener>();
  const hear: Listener = (text) => {
    for (const listener of [...listeners]) listener(text);
  };
  return { listeners, link: undefined, hear };
}

async function rejectAfterTimeout<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    // An answer that has come while this process was busy is read first.
    timer = setTimeout(() => setImmediate(() => reject(new Hang())), COMMAND_MS);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

function waitUnreferenced(ms: number): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, ms).unref());
}

/** The package's word for a connection that failed before: that reason is better. */
function isOffline(thrown: unknown): boolean {
  return thrown instanceof Error && /offline|closed/i.test(thrown.constructor.name);
}

function isReplicaReply(thrown: unknown): boolean {
  return thrown instanceof Error && thrown.message.startsWith('READONLY');
}

/** Another program has written the key: only what needs it is refused. */
function isWrongType(thrown: unknown): boolean {
  return thrown instanceof Error && thrown.message.includes('WRONGTYPE');
}
