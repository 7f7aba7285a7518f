/** The server of `templates/runtime` behind the front door of the tables in `test/runtime`: a message in, a reply out. */
import { FEATURES } from '../../src/model/feature-table.ts';
import type { Feature, ServerDefinition } from '../../templates/runtime/feature.ts';
import {
  INVALID_PARAMS,
  INVALID_REQUEST,
  METHOD_NOT_FOUND,
  MISSING_CAPABILITY,
  parseJson,
  type RpcError,
  UNSUPPORTED_VERSION,
  writeJson,
} from '../../templates/runtime/json-rpc.ts';
import { Server } from '../../templates/runtime/server.ts';
import { ASK_LIMITS } from '../../templates/runtime/features/ask/index.ts';
import { CHANGE_LIMITS } from '../../templates/runtime/features/changes.ts';
import { ROUND_LIMITS } from '../../templates/runtime/features/ask/rounds.ts';
import { KEPT_LIMITS } from '../../templates/runtime/features/steps/kept-answers.ts';
import { STEP_LIMITS } from '../../templates/runtime/features/steps/program.ts';
import { TASK_LIMITS } from '../../templates/runtime/features/tasks/task.ts';
import { type Exchange, Session } from '../../templates/runtime/session.ts';
import { functions } from '../../templates/runtime/features/functions/index.ts';
import { type Flags, LIMITS } from '../../templates/runtime/settings.ts';
import type { Handlers } from '../../templates/runtime/types.ts';
import { planted } from '../support/canaries.ts';
import { judge } from '../support/complaints.ts';

/** What tables say of a server. */
export interface Parts {
  catalog?: object | undefined;
  bindings?: object | undefined;
  /** The text of `search.json`. */
  search?: string;
  handlers?: object | undefined;
  features?: Feature[];
  env?: Readonly<Record<string, string | undefined>> | undefined;
  baseUrl?: string | undefined;
  functions?: { modules: Readonly<Record<string, () => Promise<object>>> } | undefined;
  pageSize?: number | undefined;
  repairs?: boolean | undefined;
  info?: ServerDefinition['info'] | undefined;
  instructions?: string | undefined;
  meta?: object | undefined;
  limits?: Readonly<Record<string, number | undefined>> | undefined;
  flags?: Flags;
  /** Files of `src/generated/` as written, in place of `catalog` and `bindings`. */
  generated?: Record<string, string>;
  /** Further files of `src/generated`, by name. */
  data?: Readonly<Record<string, string>> | undefined;
  /** Names of features that are left out. */
  without?: string[];
  /** Whether the user is asked before a tool may destroy. */
  confirms?: boolean | undefined;
  /** Whether it lists the tools that run steps. */
  hasSteps?: boolean;
  /** The text of `skills.json`. */
  skills?: string | undefined;
  /** What several servers share. */
  shared?: { scope: string; takeOnce: (key: string, ttlMs: number) => Promise<boolean> } | undefined;
}

/** Every feature, as `mcpgen serve` has them. Those that a flag turns on are idle without it. */
const factories = await Promise.all(
  // These refuse everybody who has no token.
  FEATURES.filter(({ name }) => !['oauth', 'dpop', 'exchange'].includes(name)).map(({ load }) => load()),
);

/** Those of the core and of features. */
const LIMIT_TABLES: Record<string, number>[] = [
  ...[LIMITS, ASK_LIMITS, ROUND_LIMITS, TASK_LIMITS],
  ...[STEP_LIMITS, KEPT_LIMITS, CHANGE_LIMITS],
];
const DEFAULTS = LIMIT_TABLES.map((table) => ({ ...table }));

/** Files share a process, and so its limits. */
export function resetLimits(): void {
  for (const [index, table] of LIMIT_TABLES.entries()) Object.assign(table, DEFAULTS[index]);
}

/** Limits that tests call by other names. */
const NAMES: Readonly<Record<string, string>> = { askTimeoutMs: 'askMs', requestStateMs: 'stateMs' };

/** Sets limits until the next server is made. @throws {Error} for a limit that the runtime doesn't have */
export function setLimits(limits: Parts['limits'] = {}): void {
  for (const [name, limit] of Object.entries(limits)) {
    const known = NAMES[name] ?? name;
    const table = LIMIT_TABLES.find((limits) => Object.hasOwn(limits, known));
    if (table === undefined) throw new Error(`templates/runtime has no limit ${name}`);
    if (limit !== undefined) table[known] = limit;
  }
}

export function makeServer(parts: Parts, reported: unknown[]): Server {
  const { catalog, bindings, handlers, features = [], env = {}, pageSize, repairs, baseUrl, flags } = parts;
  const { info = { name: 'test', version: '1.2.3' }, instructions, meta, limits, shared } = parts;
  resetLimits();
  setLimits(limits);
  const withProgram = (feature: Feature): Feature =>
    feature.name === 'functions' ? functions(parts.functions?.modules ?? {}) : feature;
  const lists = { tools: [], resources: [], resourceTemplates: [], prompts: [] };
  const bound = { tools: {}, resources: {}, resourceTemplates: {}, prompts: {}, completions: [] };
  const generated: Record<string, string> = parts.generated ?? {
    'catalog.json': JSON.stringify({ ...lists, ...catalog }),
    'bindings.json': JSON.stringify({ ...bound, ...bindings }),
    ...(parts.skills !== undefined && { 'skills.json': parts.skills }),
    ...(parts.search !== undefined && { 'search.json': parts.search }),
    ...parts.data,
  };
  // Skills and steps are there or not; other features are idle until a flag or a tool uses them.
  const isUsed = ({ name }: Feature): boolean =>
    (name !== 'skills' || parts.skills !== undefined) &&
    (name !== 'steps' || parts.hasSteps === true) &&
    parts.without?.includes(name) !== true;
  const definition: ServerDefinition = {
    info,
    generated,
    features: [
      ...features,
      ...factories
        .map((make) => make())
        .map(withProgram)
        .filter(isUsed),
      ...shareOnce(shared),
    ],
    ...(handlers !== undefined && { handlers: handlers as Handlers<object> }),
    ...(instructions !== undefined && { instructions }),
    ...(meta !== undefined && { meta: meta as Record<string, unknown> }),
  };
  return new Server(definition, {
    // Their servers would listen at one port.
    env: planted({ MCP_METRICS_PORT: 'off', ...env }),
    flags: {
      ...(pageSize !== undefined && { 'page-size': String(pageSize) }),
      ...(repairs === false && { repair: 'off' }),
      ...(baseUrl !== undefined && { 'base-url': baseUrl }),
      ...(parts.confirms === true && { confirm: 'destructive' }),
      ...flags,
    },
    report: (thrown) => reported.push(thrown),
  });
}

function shareOnce(shared: Parts['shared']): Feature[] {
  if (shared === undefined) return [];
  const take = (key: string, ttlMs: number): Promise<boolean> => shared.takeOnce(key, ttlMs);
  return [{ name: 'shared', services: { once: { scope: shared.scope, take } } }];
}

/** Every message that the server sends is judged, and a test that saw a wrong one fails. */
export function makeClient(
  server: Server,
  sent: object[],
  session = new Session(),
  sending: (message: object) => void | Promise<void> = () => undefined,
) {
  const revision = (message?: unknown): string | undefined =>
    /"io\.modelcontextprotocol\/protocolVersion"/.test((writeJson(message) as string | undefined) ?? '')
      ? '2026-07-28'
      : session.agreement?.revision;
  const take = (message: unknown, during?: unknown): void => {
    const text = writeJson(message);
    judge({ revision: revision(during), message: JSON.parse(text) });
    sent.push(parseJson(text) as object);
  };
  session.push = (message) => take(message);
  const send = async (message: unknown): Promise<unknown> => {
    const exchange: Exchange = {
      session,
      send: (out) => {
        take(out, message);
        return sending(out);
      },
    };
    const reply = await server.receive(message, exchange);
    if (reply === undefined) return undefined;
    const answer = parseJson(reply.text);
    for (const each of [answer].flat() as { id?: unknown }[]) {
      const requestMethod = ([message].flat() as ({ id?: unknown; method?: string } | null)[]).find(
        (request) => request?.id !== undefined && request.id === each.id,
      )?.method;
      judge({ revision: revision(message), message: JSON.parse(writeJson(each)), requestMethod });
    }
    return reply.error === undefined ? answer : { ...(answer as object), origin: originOf(reply.error) };
  };
  return { session, send };
}

/** The refused part of a request, in a word. */
function originOf({ code, status, message }: RpcError): string {
  if (status === 429) return 'rate';
  if (code === MISSING_CAPABILITY) return 'capability';
  if (code === UNSUPPORTED_VERSION) return 'version';
  if (message.startsWith('The session is ')) return 'session';
  if (code === METHOD_NOT_FOUND) return 'method';
  if (code === INVALID_REQUEST && status === 400) return 'message';
  if (code === INVALID_PARAMS && status === 400) return 'metadata';
  return 'work';
}
