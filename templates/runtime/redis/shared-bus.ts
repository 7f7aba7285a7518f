// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Events of all nodes. */
import { isRecord } from '../contract/json-value.ts';
import { type EventBus, LocalEventBus, type ServerEvent } from '../core/session.ts';
import type { SharedState } from '../feature-loaders.ts';

const CHANNEL = 'events';

/** Equal events count once. */
const MOST_UNSAID = 1_000;

/** Other nodes listen again by then. */
const RETURN_MS = 1_000;

export class SharedEventBus implements EventBus {
  readonly #local = new LocalEventBus();
  readonly #shared: SharedState;
  /** By their texts: events that the other nodes have not heard. */
  readonly #unsaid = new Set<string>();
  #hearing: Promise<unknown> | undefined;
  #isWanted = false;

  constructor(shared: SharedState) {
    this.#shared = shared;
    shared.onReturn(() => {
      if (this.#isWanted) void this.whenHeard().catch(() => undefined);
      setTimeout(() => this.#sayAgain(), RETURN_MS).unref();
    });
  }

  publish(event: ServerEvent): void {
    this.#local.publish(event);
    void this.#say(JSON.stringify({ node: this.#shared.node, event }));
  }

  subscribe(listener: (event: ServerEvent) => void): () => void {
    this.#isWanted = true;
    void this.whenHeard().catch(() => undefined);
    return this.#local.subscribe(listener);
  }

  async whenHeard(): Promise<void> {
    if (this.#shared.health.state === 'down') await this.#hear();
    await (this.#hearing ??= this.#hear());
  }

  async #hear(): Promise<void> {
    try {
      await this.#shared.subscribe(CHANNEL, (text) => {
        const event = readEvent(text, this.#shared.node);
        if (event !== undefined) this.#local.publish(event);
      });
    } catch (thrown) {
      this.#hearing = undefined;
      throw thrown;
    }
  }

  async #say(text: string): Promise<void> {
    try {
      await this.#shared.publish(CHANNEL, text);
      this.#unsaid.delete(text);
    } catch {
      if (this.#unsaid.size < MOST_UNSAID) this.#unsaid.add(text);
    }
  }

  #sayAgain(): void {
    for (const text of [...this.#unsaid]) void this.#say(text);
  }
}

const LISTS = ['tools', 'resources', 'prompts'] as const;

/** Undefined for events of `own`, and for what is none. */
export function readEvent(text: string, own: string): ServerEvent | undefined {
  const { node, event } = readObject(text);
  if (node === own || !isRecord(event)) return undefined;
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
