// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Events of all nodes. */
import { randomBytes } from 'node:crypto';

import { isRecord } from '../contract/json-value.ts';
import { type EventBus, LocalEventBus, type ServerEvent, eventToNotification } from '../core/session.ts';
import type { SharedState } from '../feature-loaders.ts';
import { type OutgoingNotification, sharedStateAwayError } from '../protocol/json-rpc.ts';
import type { ListName } from '../protocol/revisions.ts';

const CHANNEL = 'events';

/** Equal events count once. */
const MOST_UNSAID = 1_000;

/** After a lost connection, other nodes subscribe again within this time. */
const RETURN_MS = 1_000;

/** Longer than a node can be cut off. */
const VERSION_MS = 7 * 24 * 3_600_000;

const LISTS = ['tools', 'resources', 'prompts'] as const;

export class SharedEventBus implements EventBus {
  readonly #local = new LocalEventBus();
  readonly #shared: SharedState;
  /** Events that other nodes have not heard yet, by their JSON text. */
  readonly #unsaid = new Map<string, ServerEvent>();
  /** The last change of each list that this node has heard about. */
  readonly #versions = new Map<ListName, string | undefined>();
  #hearing: Promise<void> | undefined;
  #isWanted = false;

  constructor(shared: SharedState) {
    this.#shared = shared;
    shared.onReconnect(() => {
      if (this.#isWanted) void this.#publishMissedChanges().catch(() => undefined);
      setTimeout(() => this.#publishUnsent(), RETURN_MS).unref();
    });
  }

  publishEvent(event: ServerEvent): void {
    this.#local.publishEvent(event);
    void this.#publishToNodes(event);
  }

  subscribe(listener: (event: ServerEvent) => void): () => void {
    this.#isWanted = true;
    void this.whenSubscribed().catch(() => undefined);
    return this.#local.subscribe(listener);
  }

  async whenSubscribed(): Promise<void> {
    // An earlier subscription is heard again when the state is back.
    if (this.#shared.health.state === 'down') throw sharedStateAwayError();
    await (this.#hearing ??= this.#subscribeEvents());
  }

  async #subscribeEvents(): Promise<void> {
    try {
      await this.#shared.subscribe(CHANNEL, (text) => {
        const { node, version } = readObject(text);
        const event = node === this.#shared.node ? undefined : parseServerEvent(text);
        if (event === undefined) return;
        if (event.kind === 'list-changed' && typeof version === 'string')
          this.#versions.set(event.list, version);
        this.#local.publishEvent(event);
      });
    } catch (thrown) {
      this.#hearing = undefined;
      throw thrown;
    }
    for (const list of LISTS)
      if (!this.#versions.has(list)) this.#versions.set(list, await getListVersion(this.#shared, list));
  }

  /** Lists that others changed while this node did not hear them. */
  async #publishMissedChanges(): Promise<void> {
    await this.whenSubscribed();
    for (const list of LISTS) {
      const version = await getListVersion(this.#shared, list);
      if (version === this.#versions.get(list)) continue;
      this.#versions.set(list, version);
      this.#local.publishEvent({ kind: 'list-changed', list });
    }
  }

  async #publishToNodes(event: ServerEvent): Promise<void> {
    const key = JSON.stringify(event);
    const version = randomBytes(9).toString('base64url');
    try {
      if (event.kind === 'list-changed') {
        await this.#shared.set(`version of ${event.list}`, version, VERSION_MS);
        this.#versions.set(event.list, version);
      }
      await this.#shared.publish(CHANNEL, JSON.stringify({ node: this.#shared.node, event, version }));
      this.#unsaid.delete(key);
    } catch {
      if (this.#unsaid.size < MOST_UNSAID) this.#unsaid.set(key, event);
    }
  }

  #publishUnsent(): void {
    for (const event of [...this.#unsaid.values()]) void this.#publishToNodes(event);
  }
}

async function getListVersion(shared: SharedState, list: ListName): Promise<string | undefined> {
  return shared.get(`version of ${list}`);
}

/** For a client that was not told for a while: lists that any node has changed in days, and its resources. */
export async function listPossibleChanges(
  shared: SharedState,
  uris: readonly string[],
): Promise<OutgoingNotification[]> {
  const versions = await Promise.all(LISTS.map(async (list) => getListVersion(shared, list)));
  const lists = LISTS.filter((_, index) => versions[index] !== undefined);
  return [
    ...lists.map((list) => eventToNotification({ kind: 'list-changed', list })),
    ...uris.map((uri) => eventToNotification({ kind: 'resource-updated', uri })),
  ];
}

/** Reads an event that another node published; undefined if the text is none. */
export function parseServerEvent(text: string): ServerEvent | undefined {
  const { event } = readObject(text);
  if (!isRecord(event)) return undefined;
  const { kind, uri, taskId } = event;
  const list = LISTS.find((each) => each === event['list']);
  if (kind === 'list-changed' && list !== undefined) return { kind, list };
  if (kind === 'resource-updated' && typeof uri === 'string') return { kind, uri };
  if (kind === 'task-changed' && typeof taskId === 'string') return { kind, taskId };
  return undefined;
}

/** Empty if the text is no JSON object. */
export function readObject(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : {};
  } catch {
    return {};
  }
}
