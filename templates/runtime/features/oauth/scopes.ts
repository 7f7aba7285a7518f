// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Which scopes a request needs: those of its item in the source, and those of the user's own code. */
import type { Caller, MethodCall } from '../../feature.ts';
import { isRecord, ownMember } from '../../json-rpc.ts';
import { findListedResource } from '../../resources.ts';
import type { Server } from '../../server.ts';
import type { Session } from '../../session.ts';
import type { Binding } from '../../types.ts';

export interface ScopeOptions {
  /** Every request needs these. */
  scopes?: readonly string[];
  /** Scope → narrower ones that it includes, which may include others. */
  implies?: Readonly<Record<string, readonly string[]>>;
}

interface Scoped {
  scopes?: readonly string[];
}
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
    const { bindings, definition } = server;
    const { tools, resources, resourceTemplates, prompts, operations = {} } = bindings;
    const { extraTools = [], ...own } = definition.handlers ?? {};
    const items: Scoped[] = [
      ...[tools, resources, resourceTemplates, prompts, ...Object.values(operations)],
      ...[own.prompts, own.resources, own.resourceTemplates],
    ].flatMap((list) => Object.values(list ?? {}) as Scoped[]);
    const { scopes = [], implies = {} } = options;
    const all = join(scopes, ...[...items, ...(extraTools as Scoped[])].map((item) => item.scopes));
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
    const { handlers } = catalog;
    const listed = (list: object | undefined, key: string): Scoped | undefined =>
      ownMember(list as Record<string, Scoped> | undefined, key);
    if (kind === 'tool') {
      const extra = handlers.extraTools?.find((tool) => tool.name === name) as Scoped | undefined;
      // Code calls operations that no tool has, by their operationId.
      const operations = Object.values(bindings.operations ?? {}).map((ids) => listed(ids, name)?.scopes);
      return join(listed(bindings.tools, name)?.scopes, extra?.scopes, ...operations);
    }
    if (kind === 'prompt')
      return join(listed(bindings.prompts, name)?.scopes, listed(handlers.prompts, name)?.scopes);
    const { list, key } = findListedResource(this.#server, name) ?? {};
    if (list === undefined || key === undefined) return [];
    const binding = listed(bindings[list], key) as (Scoped & { do: Binding }) | undefined;
    // A resource may be read by a tool.
    const ofTool = binding?.do.kind === 'tool' ? this.ofItem('tool', String(binding.do['name'])) : [];
    return join(binding?.scopes, listed(handlers[list], key)?.scopes, ofTool);
  }

  ofRequest({ method, params, server }: MethodCall): Needs {
    const { name, uri, ref, notifications } = params;
    if (method === 'tools/call') return this.ofItem('tool', String(name));
    if (method === 'prompts/get') return this.ofItem('prompt', String(name));
    if (method === 'resources/read' || method === 'resources/subscribe')
      return this.ofItem('resource', String(uri));
    if (method === 'completion/complete' && isRecord(ref)) {
      if (ref['type'] === 'ref/prompt') return this.ofItem('prompt', String(ref['name']));
      const key = String(ref['uri']);
      const lists = [server.bindings.resourceTemplates, server.catalog.handlers.resourceTemplates];
      const scopes = lists.map((list) => ownMember(list as Record<string, Scoped> | undefined, key)?.scopes);
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

function join(...lists: (Needs | undefined)[]): Needs {
  return [...new Set(lists.flatMap((list) => list ?? []))];
}
