/** A server without transport: sends messages to the core. */
import { allFeatures } from '../../../templates/runtime/all-features.ts';
import type { Bindings } from '../../../templates/runtime/contract/bindings.ts';
import type { Catalog } from '../../../templates/runtime/contract/json-schema.ts';
import { type Answer, answerToObject } from '../../../templates/runtime/core/call.ts';
import { CatalogStore } from '../../../templates/runtime/core/catalog-store.ts';
import { planted } from '../../support/canaries.ts';
import { makeClient, makeServer } from '../../runtime-next/core.ts';
import { createCheckedCore } from '../../support/checked-core.ts';
import {
  createServer,
  type LiveServer,
  type ServerInstance,
  type ServerSource,
} from '../../../templates/runtime/core/server-instance.ts';
import { type ChangedList, replaceServer } from '../../../templates/runtime/core/replace-server.ts';
import { Session } from '../../../templates/runtime/core/session.ts';
import type { AuthDefinition, Handlers, FunctionModules } from '../../../templates/runtime/definition.ts';
import { DEFAULT_LIMITS, type Limits } from '../../../templates/runtime/contract/feature.ts';
import { type ErrorOrigin, readReceived } from '../../../templates/runtime/protocol/json-rpc.ts';
import type { Revision } from '../../../templates/runtime/protocol/revisions.ts';

export interface ServerParts extends Partial<
  Pick<
    ServerSource,
    | 'env'
    | 'baseUrl'
    | 'filesRoot'
    | 'pageSize'
    | 'repairs'
    | 'confirms'
    | 'isReplaceable'
    | 'audit'
    | 'shared'
    | 'bus'
  >
> {
  catalog?: Partial<Catalog>;
  bindings?: Partial<Bindings>;
  handlers?: Handlers<object>;
  functions?: FunctionModules;
  auth?: AuthDefinition;
  limits?: Partial<Limits>;
  session?: Session;
  info?: ServerSource['definition']['info'];
  instructions?: string;
  meta?: ServerSource['definition']['meta'];
  /** The text of `skills.json`. */
  skills?: string;
}

export interface Reply {
  id?: unknown;
  result?: Record<string, unknown>;
  error?: { code: number; message: string; data?: unknown };
  origin?: ErrorOrigin;
}

export interface TestServer {
  /** The first. */
  server: ServerInstance;
  /** Puts another project in the place of the one that answers. */
  replace: (parts: ServerParts) => ChangedList[];
  session: Session;
  /** Messages sent before answers. */
  sent: { method: string; params?: object }[];
  /** Errors reported as faults of the runtime. */
  reported: unknown[];
  /** A message as it came, and its answer. */
  send: (message: unknown) => Promise<Reply | Reply[] | undefined>;
  /** A request under a fresh id. */
  ask: (method: string, params?: object) => Promise<Reply>;
  notify: (method: string, params?: object) => Promise<void>;
}

export function newCatalog(catalog: Partial<Catalog>): CatalogStore {
  const lists = { tools: [], resources: [], resourceTemplates: [], prompts: [] };
  return new CatalogStore(JSON.stringify({ ...lists, ...catalog }));
}

/** Whether the tables run on `templates/runtime-next`. */
export const isNext = process.env['MCPGEN_RUNTIME'] === 'next';

export function newServer(parts: ServerParts = {}): TestServer {
  const { session = new Session() } = parts;
  const reported: unknown[] = [];
  if (isNext) return newNextServer(parts, reported);
  const server = newProject(parts, reported);
  const live: LiveServer = { current: server };
  const core = createCheckedCore(live);
  const sent: TestServer['sent'] = [];
  const exchange = {
    channel: session,
    session,
    send: async (message: TestServer['sent'][number]) => {
      sent.push(message);
    },
  };
  const send: TestServer['send'] = async (message) => {
    const answer = await core(readReceived(message), exchange);
    if (Array.isArray(answer)) return answer.map(toReply);
    return answer && toReply(answer);
  };
  return {
    server,
    replace: (next) => replaceServer(live, newProject(next, reported, server)),
    session,
    sent,
    reported,
    ...makeAsker(send),
  };
}

function makeAsker(send: TestServer['send']): Pick<TestServer, 'send' | 'ask' | 'notify'> {
  let id = 0;
  return {
    send,
    ask: async (method, params) => {
      const reply = await send({
        jsonrpc: '2.0',
        id: ++id,
        method,
        ...(params === undefined ? {} : { params }),
      });
      if (reply === undefined || Array.isArray(reply))
        throw new Error(`${method} was not answered by one message`);
      return reply;
    },
    notify: async (method, params) => {
      const reply = await send({ jsonrpc: '2.0', method, ...(params === undefined ? {} : { params }) });
      if (reply !== undefined) throw new Error(`the notification ${method} was answered`);
    },
  };
}

/** Members that only tests of the runtime's inner parts read are absent. */
function newNextServer(parts: ServerParts, reported: unknown[]): TestServer {
  const sent: TestServer['sent'] = [];
  const server = makeServer(parts, reported);
  const { session, send } = makeClient(server, sent);
  const client = makeAsker(async (message) => send(message) as Promise<Reply | Reply[] | undefined>);
  return { server, session, sent, reported, ...client } as unknown as TestServer;
}

function newProject(parts: ServerParts, reported: unknown[], predecessor?: ServerInstance): ServerInstance {
  const {
    catalog = {},
    bindings = {},
    handlers,
    functions,
    auth,
    limits,
    info,
    instructions,
    meta,
    skills,
  } = parts;
  return createServer({
    definition: {
      info: info ?? { name: 'test', version: '1.2.3' },
      features: allFeatures,
      ...(handlers === undefined ? {} : { handlers }),
      ...(functions === undefined ? {} : { functions }),
      ...(auth === undefined ? {} : { auth }),
      ...(instructions === undefined ? {} : { instructions }),
      ...(meta === undefined ? {} : { meta }),
    },
    catalog: newCatalog(catalog),
    readBindings: () =>
      JSON.stringify({
        tools: {},
        resources: {},
        resourceTemplates: {},
        prompts: {},
        completions: [],
        ...bindings,
      }),
    env: planted(parts.env ?? {}),
    limits: { ...DEFAULT_LIMITS, ...limits },
    baseUrl: parts.baseUrl,
    filesRoot: parts.filesRoot,
    ...(skills === undefined ? {} : { readSkills: () => skills }),
    pageSize: parts.pageSize,
    repairs: parts.repairs ?? true,
    confirms: parts.confirms,
    audit: parts.audit,
    isReplaceable: parts.isReplaceable ?? predecessor !== undefined,
    report: (thrown) => reported.push(thrown),
    shared: predecessor?.shared ?? parts.shared,
    bus: parts.bus,
    ...(predecessor === undefined ? {} : { bus: predecessor.bus, state: predecessor.state }),
  });
}

function toReply(answer: Answer): Reply {
  return { ...answerToObject(answer), ...(answer.kind === 'error' ? { origin: answer.origin } : {}) };
}

/** A server whose session is open. */
export async function openServer(
  parts: ServerParts = {},
  revision: Revision = '2025-11-25',
): Promise<TestServer> {
  const server = newServer(parts);
  const { error } = await server.ask('initialize', hello(revision));
  if (error !== undefined) throw new Error(error.message);
  await server.notify('notifications/initialized');
  return server;
}

/** The parameters of `initialize`. */
export function hello(protocolVersion: string): object {
  return { protocolVersion, capabilities: {}, clientInfo: { name: 'client', version: '0' } };
}
