// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** One way to send commands to a single Redis, a cluster, or the master that sentinels name. */
import { createClient, createCluster, createSentinel } from '@redis/client';

import type { RedisSettings } from './settings.ts';

export type Listener = (text: string) => void;

export interface RedisLink {
  /** Rejects at once while there is no connection. @param key decides which node of a cluster gets it */
  send(key: string, args: string[]): Promise<unknown>;
  subscribe(channel: string, listener: Listener): Promise<void>;
  unsubscribe(channel: string): Promise<void>;
  destroy(): void;
}

export interface LinkEvents {
  /** A connection failed. It is tried again. */
  failed: (error: Error) => void;
  /** Subscriptions were interrupted, and are heard again. */
  heardAgain: () => void;
}

const CONNECT_MS = 1_000;

/** Recovery may take 2 seconds. */
const LONGEST_WAIT_MS = 500;

/** After this time without an error subscriptions are heard again. */
const QUIET_MS = 1_000;

interface Emitter {
  on(event: string, listener: (value: Error) => void): unknown;
}

/** Connects in the background. */
export function openLink(settings: RedisSettings, events: LinkEvents): RedisLink {
  switch (settings.mode) {
    case 'single':
      return openSingle(settings, events);
    case 'cluster':
      return openCluster(settings, events);
    case 'sentinel':
      return openSentinel(settings, events);
  }
}

function clientOptions({ username, password, tls }: RedisSettings) {
  const socket = {
    connectTimeout: CONNECT_MS,
    reconnectStrategy: (retries: number) => Math.min(50 * 2 ** retries, LONGEST_WAIT_MS),
  };
  return {
    ...(username === undefined ? {} : { username }),
    ...(password === undefined ? {} : { password }),
    RESP: 2 as const,
    disableOfflineQueue: true,
    socket: tls ? { ...socket, tls: true as const } : socket,
  };
}

function openSingle(settings: RedisSettings, { failed, heardAgain }: LinkEvents): RedisLink {
  const { addresses, database, tls } = settings;
  const options = clientOptions(settings);
  const [address = { host: '127.0.0.1', port: 6_379 }] = addresses;
  const socket = tls
    ? { ...options.socket, ...address, tls: true as const }
    : { ...options.socket, ...address };
  const client = createClient({ ...options, database, socket });
  listenForErrors(client, failed);
  client.connect().catch(failed);
  // Subscriptions take a connection of their own.
  const subscriber = createClient({ ...options, database, socket, disableOfflineQueue: false });
  listenForErrors(subscriber, failed);
  let isFirst = true;
  subscriber.on('ready', () => {
    if (!isFirst) heardAgain();
    isFirst = false;
  });
  let ready: Promise<unknown> | undefined;
  return {
    send: (_key, args) => client.sendCommand(args),
    subscribe: async (channel, listener) => {
      await (ready ??= subscriber.connect());
      await subscriber.subscribe(channel, listener);
    },
    unsubscribe: async (channel) => subscriber.unsubscribe(channel),
    destroy: () => {
      for (const each of [client, subscriber]) if (each.isOpen) each.destroy();
    },
  };
}

function openCluster(settings: RedisSettings, events: LinkEvents): RedisLink {
  const options = clientOptions(settings);
  const cluster = createCluster({
    rootNodes: settings.addresses.map((address) => ({
      ...options,
      socket: settings.tls
        ? { ...options.socket, ...address, tls: true as const }
        : { ...options.socket, ...address },
    })),
    defaults: options,
    topologyRefreshOnReconnectionAttemptStrategy: LONGEST_WAIT_MS,
    RESP: 2,
  });
  watchReconnections(cluster, ['error', 'node-error', 'node-ready'], events);
  return {
    send: (key, args) => cluster.sendCommand(key, false, args),
    subscribe: (channel, listener) => cluster.subscribe(channel, listener),
    unsubscribe: (channel) => cluster.unsubscribe(channel),
    destroy: keepReconnecting(cluster, events),
  };
}

function openSentinel(settings: RedisSettings, events: LinkEvents): RedisLink {
  const { database, addresses, master, tls } = settings;
  const nodeClientOptions = { ...clientOptions(settings), database };
  const sentinel = createSentinel({
    name: master,
    sentinelRootNodes: [...addresses],
    nodeClientOptions,
    sentinelClientOptions: tls ? { socket: { tls: true, connectTimeout: CONNECT_MS } } : {},
    scanInterval: 1_000,
    passthroughClientErrorEvents: true,
    // Commands that come together would wait for each other.
    reserveClient: true,
    RESP: 2,
  });
  watchReconnections(sentinel, ['error', 'client-error', 'topology-change'], events);
  return {
    send: (_key, args) => sentinel.sendCommand(false, args),
    subscribe: async (channel, listener) => sentinel.subscribe(channel, listener),
    unsubscribe: async (channel) => sentinel.unsubscribe(channel),
    destroy: keepReconnecting(sentinel, events),
  };
}

/** Without a listener, an error would end the process. */
function listenForErrors(client: Emitter, failed: LinkEvents['failed']): void {
  client.on('error', failed);
}

/** The package moves subscriptions to another node without a word: after anything that may be a reason, they count as interrupted. */
function watchReconnections(
  client: Emitter,
  names: readonly string[],
  { failed, heardAgain }: LinkEvents,
): void {
  let timer: NodeJS.Timeout | undefined;
  for (const name of names) {
    client.on(name, (value) => {
      if (value instanceof Error) failed(value);
      clearTimeout(timer);
      timer = setTimeout(heardAgain, QUIET_MS).unref();
    });
  }
}

interface Several {
  readonly isOpen: boolean;
  connect(): Promise<unknown>;
  destroy(): unknown;
}

/** Clusters and sentinels give up when none of them can be reached. Returns what ends it. */
function keepReconnecting(client: Several, { failed }: LinkEvents): () => void {
  let isWanted = true;
  const connect = (): void => {
    if (!isWanted) return;
    client.connect().then(destroyUnwanted, (thrown: Error) => {
      failed(thrown);
      setTimeout(connect, LONGEST_WAIT_MS).unref();
    });
  };
  const destroy = async (): Promise<void> => void (await client.destroy());
  const destroyUnwanted = (): void => {
    if (!isWanted && client.isOpen) destroy().catch(() => undefined);
  };
  connect();
  return () => {
    isWanted = false;
    destroyUnwanted();
  };
}
