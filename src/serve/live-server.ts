/** A server whose code and lists may be replaced while clients are connected. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Call, Feature, ServerDefinition } from '../../templates/runtime/feature.ts';
import type { Agreement } from '../../templates/runtime/json-rpc.ts';
import { isRecord, writeJson } from '../../templates/runtime/json-rpc.ts';
import { hasCompletionsCapability } from '../../templates/runtime/features/resources.ts';
import type { Exchange } from '../../templates/runtime/session.ts';
import { type Reply, Server, type ServerOptions } from '../../templates/runtime/server.ts';
import { LIMITS } from '../../templates/runtime/settings.ts';
import type { Outcome } from '../../templates/runtime/types.ts';

const LISTS = ['tools', 'resources', 'prompts'] as const;
export type ChangedList = (typeof LISTS)[number];

/** Features of the process and of its clients: they hold ports, files, sessions, tasks, keys and logins. All others are made anew from each model. */
const LASTING: ReadonlySet<string> = new Set([
  ...['http', 'sse', 'websocket', 'tls', 'fetch', 'signed-sessions', 'resumption', 'changes'],
  ...['tasks', 'ask', 'audit', 'metrics', 'traces', 'redis', 'login'],
]);

/** One state of the sources. */
class Version extends Server {
  readonly #calls = new Set<Promise<Outcome>>();

  get isIdle(): boolean {
    return this.#calls.size === 0;
  }

  override around(call: Call, inner: () => Promise<Outcome>): Promise<Outcome> {
    const outcome = super.around(call, inner);
    this.#calls.add(outcome);
    void outcome.finally(() => this.#calls.delete(outcome));
    return outcome;
  }

  /** A client that saw no capability would not look for it in the next version. */
  override capabilities(agreement: Agreement): Record<string, unknown> {
    const declared = super.capabilities(agreement);
    // Without sessions nobody can be told.
    if (this.services.sessions === undefined) return declared;
    const lists = LISTS.map((list) => {
      const others = declared[list];
      return [list, { ...(isRecord(others) && others), listChanged: true }];
    });
    return {
      ...(hasCompletionsCapability(agreement.revision) && { completions: {} }),
      ...declared,
      ...Object.fromEntries(lists),
    };
  }

  async waitForCalls(): Promise<void> {
    await Promise.all(this.#calls);
  }

  /** Ends what this version alone has. */
  async end(): Promise<void> {
    for (const { name, stop } of this.features.toReversed()) {
      if (LASTING.has(name)) continue;
      const done = Promise.resolve().then(stop).catch(this.report);
      await Promise.race([done, sleep(LIMITS.closeMs, undefined, { ref: false })]);
    }
  }
}

class NextVersion extends Version {
  constructor(definition: ServerDefinition, live: LiveServer) {
    const { features, services, env, flags, report } = live;
    const lasting = new Map(features.filter(({ name }) => LASTING.has(name)).map((one) => [one.name, one]));
    const kept = definition.features?.map((feature) => withoutStart(lasting.get(feature.name)) ?? feature);
    super({ ...definition, ...(kept && { features: kept }) }, { env, flags, report });
    Object.assign(this.services, services);
  }
}

/** A feature that has started already, and belongs to the server that it started with. `started` of the new code runs too. */
function withoutStart(feature: Feature | undefined): Feature | undefined {
  if (feature === undefined) return undefined;
  const { start, catalog, ...rest } = feature;
  void catalog;
  return feature.name === 'changes' && start !== undefined ? { ...rest, start } : rest;
}

/** Transports hold this one. Messages go to the newest version; a call that is at work ends on the one that it began on. */
export class LiveServer extends Version {
  readonly #started: (live: LiveServer) => void;
  readonly #replaced = new Set<Version>();
  #current: Version = this;

  /** @param started is called when the server may be replaced */
  constructor(definition: ServerDefinition, options: ServerOptions, started: (live: LiveServer) => void) {
    super(definition, options);
    this.#started = started;
  }

  override async start(): Promise<void> {
    await super.start();
    this.#started(this);
  }

  override receive(value: unknown, exchange: Exchange): Promise<Reply | undefined> {
    const current = this.#current;
    return current === this ? super.receive(value, exchange) : current.receive(value, exchange);
  }

  /**
   * Returns the lists that clients were notified of.
   * @throws {Error} if the next version can't be served; the one before then stays
   */
  async replace(definition: ServerDefinition): Promise<ChangedList[]> {
    const next = new NextVersion(definition, this);
    try {
      await next.start();
    } catch (thrown) {
      await next.end();
      throw thrown;
    }
    const before = this.#current;
    this.#current = next;
    this.#replaced.add(before);
    const ended = before.waitForCalls().then(async () => {
      await before.end();
      this.#replaced.delete(before);
    });
    if (before.isIdle) await ended;
    const changed = LISTS.filter((list) => printList(before, list) !== printList(next, list));
    for (const list of changed) this.services.bus.publish({ kind: 'list', list });
    return changed;
  }

  override async close(): Promise<void> {
    const others = new Set([...this.#replaced, this.#current]);
    others.delete(this);
    await Promise.all([...others].map((version) => version.end()));
    await super.close();
  }
}

function printList({ catalog }: Server, list: ChangedList): string {
  const templates = list === 'resources' ? catalog.resourceTemplates.values() : [];
  return writeJson([...catalog[list].values(), ...templates]);
}
