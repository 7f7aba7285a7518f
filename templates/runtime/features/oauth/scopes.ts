// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Which scopes a request needs: those of its item in the source, and those of the user's own code. */
import type { Caller, MethodCall } from '../../feature.ts';
import { isRecord, ownMember } from '../../json-rpc.ts';
import type { Server } from '../../server.ts';
import type { Session } from '../../session.ts';

export interface ScopeOptions {
  /** Every request needs these. */
  scopes?: readonly string[];
  /** Scope → narrower ones that it includes, which may include others. */
  implies?: Readonly<Record<string, readonly string[]>>;
}

interface Scoped {
  scopes?: readonly string[];
  do?: { kind: string; name?: string };
}
/** The part `listed`: the item that serves a URI. */
type FindListed = (server: Server, uri: string) => { list: string; key: string } | undefined;
type Needs = readonly string[];

/** Of a request to listen: more are refused. */
const MAX_URIS = 1_000;
/** Proxies and clients refuse longer headers. */
const MAX_CHARACTERS = 2_000;

export class Scopes {
  readonly #server: Server;
  readonly #options: ScopeOptions;
  /** By session: what its subscriptions need, and the streams that hear of them. */
  readonly #heard = new WeakMap<Session, { needs: Set<string>; streams: Map<Caller, () => void> }>();
  /** `scopes_supported`. `offline_access` concerns clients and issuers alone. */
  readonly supported: Needs;
  /** What a client should ask for first (MCP, "Scope Selection Strategy"). */
  readonly initial: Needs;
  readonly known: ReadonlySet<string>;

  constructor(server: Server, options: ScopeOptions) {
    const lists = ['tools', 'extraTools', 'resources', 'resourceTemplates', 'prompts'].flatMap((list) =>
      listsOf(server, list),
    );
    const operations = Object.values(server.bindings.operations ?? {});
    const items = [...lists, ...operations].flatMap((list): Scoped[] => Object.values(list));
    const { scopes = [], implies = {} } = options;
    const all = join(scopes, ...items.map((item) => item.scopes));
    this.#server = server;
    this.#options = options;
    this.supported = all.filter((scope) => scope !== 'offline_access');
    const first = this.supported.filter((scope) => scopes.length === 0 || scopes.includes(scope));
    this.initial = scopes.length === 0 && first.join(' ').length > MAX_CHARACTERS ? [] : first;
    this.known = new Set([...this.supported, ...Object.keys(implies)]);
  }

  /** All that is needed, if not all of it is granted. */
  missing(granted: Needs, needs: Needs): Needs | undefined {
    const { scopes = [], implies = {} } = this.#options;
    const all = new Set(granted);
    // The loop also visits what it adds, once each, even if two scopes imply each other.
    for (const scope of all) for (const narrower of ownMember(implies, scope) ?? []) all.add(narrower);
    const needed = join(scopes, needs);
    return needed.every((scope) => all.has(scope)) ? undefined : needed;
  }

  ofItem(kind: string, name: string): Needs {
    const { bindings, catalog } = this.#server;
    if (kind === 'tool') {
      const extra = catalog.handlers.extraTools?.find((tool) => tool.name === name) as Scoped | undefined;
      // Code calls operations that no tool has, by their operationId.
      const operations = Object.values(bindings.operations ?? {}).flatMap(
        (ids) => ownMember(ids, name) ?? [],
      );
      const items: Scoped[] = [...this.#listed('tools', name), extra ?? {}, ...operations];
      return join(...items.map((item) => item.scopes));
    }
    if (kind === 'prompt') return join(...this.#listed('prompts', name).map((item) => item.scopes));
    const [find] = Object.values(this.#server.parts<FindListed>('listed'));
    const { list = '', key = '' } = find?.(this.#server, name) ?? {};
    // A resource may be read by a tool.
    const needs = this.#listed(list, key).map(({ scopes, do: work }) =>
      join(scopes, work?.kind === 'tool' ? this.ofItem('tool', String(work.name)) : []),
    );
    return join(...needs);
  }

  #listed(list: string, key: string): Scoped[] {
    return listsOf(this.#server, list).flatMap((items) => ownMember(items, key) ?? []);
  }

  ofRequest({ method, params }: MethodCall): Needs {
    const { name, uri, ref, notifications } = params;
    if (method === 'tools/call') return this.ofItem('tool', String(name));
    if (method === 'prompts/get') return this.ofItem('prompt', String(name));
    if (method === 'resources/read' || method === 'resources/subscribe')
      return this.ofItem('resource', String(uri));
    if (method === 'completion/complete' && isRecord(ref)) {
      if (ref['type'] === 'ref/prompt') return this.ofItem('prompt', String(ref['name']));
      const key = String(ref['uri']);
      const scopes = this.#listed('resourceTemplates', key).map((item) => item.scopes);
      return join(...scopes, this.ofItem('resource', key));
    }
    if (method !== 'subscriptions/listen' || !isRecord(notifications)) return [];
    const uris: unknown[] = [notifications['resourceSubscriptions'] ?? []].flat();
    const bounded = uris.slice(0, MAX_URIS);
    return join(...bounded.map((one) => this.ofItem('resource', String(one))));
  }

  // A stream of GET reports what others of the session subscribed to, maybe with a wider token.

  /** @throws {RpcError} if the caller may not hear the session */
  listen(session: Session, caller: Caller, end: () => void): void {
    const heard = this.#heard.get(session) ?? { needs: new Set(), streams: new Map() };
    caller.require?.([...heard.needs]);
    heard.streams.set(caller, end);
    this.#heard.set(session, heard);
  }

  /** A newer stream of the caller stays. */
  forget(session: Session, caller: Caller, end: () => void): void {
    const streams = this.#heard.get(session)?.streams;
    if (streams?.get(caller) === end) streams.delete(caller);
  }

  subscribe(session: Session, needs: Needs): void {
    const heard = this.#heard.get(session) ?? { needs: new Set(), streams: new Map() };
    this.#heard.set(session, heard);
    for (const scope of needs) heard.needs.add(scope);
    for (const [{ auth }, end] of [...heard.streams])
      if (this.missing(auth?.scopes ?? [], [...heard.needs]) !== undefined) end();
  }
}

/** Those of bindings and of handlers. */
function listsOf({ bindings, catalog }: Server, list: string): Readonly<Record<string, Scoped>>[] {
  const both = [bindings, catalog.handlers] as unknown as Record<string, Record<string, Scoped>>[];
  return both.map((lists) => ownMember(lists, list) ?? {});
}

function join(...lists: (Needs | undefined)[]): Needs {
  return [...new Set(lists.flatMap((list) => list ?? []))];
}
