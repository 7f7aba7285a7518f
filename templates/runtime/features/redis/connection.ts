// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** One Redis. A command that fails or hangs makes it away; then nothing is sent but the question whether it is back. */
import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { createClient } from '@redis/client';
import { INTERNAL_ERROR, RpcError } from '../../json-rpc.ts';
import { randomId } from '../../session.ts';
import { ignore } from './feed.ts';

/** A call must not wait long for a Redis that hangs. */
const COMMAND_MS = 500;
const CONNECT_MS = 1_000;
const PROBE_MS = 150;
/** So many failures take longer than a connection. A new one may lead to another server of the same name. */
const FAILURES = 10;
/** A node that has not said for this time that it lives has ended. */
const LEASE_MS = 4_000;
const BEAT_MS = 1_000;

interface Subscription {
  channel: string;
  listener: (text: string) => void;
}

export class Connection {
  readonly node = randomId();
  readonly #url: string;
  readonly #prefix: string;
  readonly #report: (reason: string) => void;
  readonly #subscriptions = new Set<Subscription>();
  readonly #returns = new Set<() => void>();
  readonly #sent = new Set<Promise<unknown>>();
  #link: ReturnType<typeof openLink>;
  #reason = 'it has not answered yet';
  #upSince = 0;
  #isClosed = false;
  isUp = false;

  constructor(url: string, prefix: string, report: (reason: string) => void) {
    this.#url = url;
    this.#prefix = prefix;
    this.#report = report;
    this.#link = this.#openLink();
  }

  /** Waits for the first answer, but not long: a server starts without Redis too. */
  async open(): Promise<void> {
    const beat = (): void =>
      void this.send('SET', this.key('alive', this.node), '', 'PX', LEASE_MS).catch(ignore);
    this.onReturn(beat);
    const timer = setInterval(() => (this.#isClosed ? clearInterval(timer) : beat()), BEAT_MS).unref();
    await Promise.race([this.#probe(), sleep(CONNECT_MS, undefined, { ref: false })]);
    if (!this.isUp) this.#report(this.#reason);
  }

  /** The text may be of a stranger, or say who a caller is. */
  key(kind: string, text: string): string {
    const hash = createHash('sha256').update(text).digest('base64url').slice(0, 32);
    return `${this.#prefix}:${kind}:${hash}`;
  }

  /** @throws {RpcError} with status 503 while Redis is away */
  requireUp(): void {
    if (!this.isUp) throw awayError();
  }

  /** @throws {RpcError} with status 503 if there is no answer */
  async send(...args: (string | number)[]): Promise<unknown> {
    this.requireUp();
    const answer = inTime(this.#link.commands.sendCommand(args.map(String)));
    this.#sent.add(answer);
    try {
      return await answer;
    } catch (thrown) {
      this.#lose(thrown);
      throw awayError();
    } finally {
      this.#sent.delete(answer);
    }
  }

  /** While Redis is away, the channel is heard when it is back. */
  async subscribe(channel: string, listener: (text: string) => void): Promise<() => void> {
    const subscription = { channel, listener };
    this.#subscriptions.add(subscription);
    if (this.isUp) await this.#hear(subscription).catch((thrown: unknown) => this.#lose(thrown));
    return () => {
      this.#subscriptions.delete(subscription);
      this.#link.subscriber.unsubscribe(channel, listener).catch(ignore);
    };
  }

  /** Redis is there, or there again: messages of channels may be lost. */
  onReturn(listener: () => void): void {
    this.#returns.add(listener);
  }

  /** After an outage nodes have had no chance to say that they live. */
  async isAlive(node: string): Promise<boolean> {
    if (node === this.node || Date.now() - this.#upSince < LEASE_MS) return true;
    return (await this.send('EXISTS', this.key('alive', node))) === 1;
  }

  /** After what was sent is answered. */
  async close(): Promise<void> {
    while (this.#sent.size > 0) await Promise.allSettled(this.#sent);
    this.#isClosed = true;
    this.isUp = false;
    this.#link.destroy();
  }

  #openLink(): ReturnType<typeof openLink> {
    const fail = (error: Error): void => void (this.#reason = error.message || this.#reason);
    return openLink(this.#url, fail, () => this.isUp && this.#tellReturn());
  }

  async #hear(subscription: Subscription): Promise<void> {
    const { heard, subscriber } = this.#link;
    if (heard.has(subscription)) return;
    await inTime(subscriber.subscribe(subscription.channel, subscription.listener));
    heard.add(subscription);
  }

  #lose(thrown: unknown): void {
    if (!this.isUp || this.#isClosed) return;
    this.isUp = false;
    this.#reason = (thrown as Error).message;
    this.#report(this.#reason);
    void this.#probe();
  }

  async #probe(): Promise<void> {
    for (let failures = 1; !this.#isClosed; failures++) {
      try {
        // A write: a Redis that is full, or a replica, answers reads.
        await inTime(this.#link.commands.sendCommand(['SET', this.key('probe', ''), '', 'PX', '1000']));
        for (const subscription of this.#subscriptions) await this.#hear(subscription);
        this.isUp = true;
        this.#upSince = Date.now();
        return this.#tellReturn();
      } catch (thrown) {
        // The package's words for a connection that failed before say less.
        if (!/offline|closed/i.test((thrown as Error).constructor.name))
          this.#reason = (thrown as Error).message;
      }
      await sleep(PROBE_MS, undefined, { ref: false });
      if (failures % FAILURES !== 0 || this.#isClosed) continue;
      this.#link.destroy();
      this.#link = this.#openLink();
    }
  }

  #tellReturn(): void {
    for (const listener of this.#returns) listener();
  }
}

function openLink(url: string, fail: (error: Error) => void, hearAgain: () => void) {
  const reconnectStrategy = (retries: number): number => Math.min(50 * 2 ** retries, COMMAND_MS);
  const makeOptions = () => ({
    url,
    RESP: 2 as const,
    socket: { connectTimeout: CONNECT_MS, reconnectStrategy },
  });
  const commands = createClient({ ...makeOptions(), disableOfflineQueue: true });
  // Subscriptions take a connection of their own.
  const subscriber = createClient(makeOptions());
  subscriber.on('ready', hearAgain);
  for (const client of [commands, subscriber]) client.on('error', fail).connect().catch(fail);
  const destroy = (): void => [commands, subscriber].forEach((client) => client.isOpen && client.destroy());
  return { commands, subscriber, heard: new WeakSet<Subscription>(), destroy };
}

function awayError(): RpcError {
  const reason =
    'The nodes of this server share their state in Redis, which is away. Try again in 2 seconds.';
  return new RpcError(INTERNAL_ERROR, reason, { status: 503, headers: { 'retry-after': '2' } });
}

async function inTime<T>(answer: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const fail = (): void => reject(new Error(`no answer in ${COMMAND_MS} ms`));
    // An answer that has come while this process was busy is read first.
    timer = setTimeout(() => setImmediate(fail), COMMAND_MS);
  });
  return Promise.race([answer, late]).finally(() => clearTimeout(timer));
}
