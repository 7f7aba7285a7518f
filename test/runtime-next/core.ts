/** The server of `templates/runtime-next` behind the front door of the tables in `test/runtime`: a message in, a reply out. */
import { api } from '../../templates/runtime-next/call-api.ts';
import type { Feature, ServerDefinition } from '../../templates/runtime-next/feature.ts';
import {
  INVALID_PARAMS,
  INVALID_REQUEST,
  METHOD_NOT_FOUND,
  parseJson,
  readMessage,
  writeJson,
} from '../../templates/runtime-next/json-rpc.ts';
import { type Reply, Server } from '../../templates/runtime-next/server.ts';
import { type Exchange, Session } from '../../templates/runtime-next/session.ts';
import { type Flags, LIMITS } from '../../templates/runtime-next/settings.ts';
import type { Handlers } from '../../templates/runtime-next/types.ts';
import { planted } from '../support/canaries.ts';
import { judge } from '../support/complaints.ts';

/** What tables say of a server, in the words of both runtimes. */
export interface Parts {
  catalog?: object | undefined;
  bindings?: object | undefined;
  handlers?: object | undefined;
  features?: Feature[];
  env?: Readonly<Record<string, string | undefined>> | undefined;
  baseUrl?: string | undefined;
  pageSize?: number | undefined;
  repairs?: boolean | undefined;
  info?: ServerDefinition['info'] | undefined;
  instructions?: string | undefined;
  meta?: object | undefined;
  limits?: Readonly<Record<string, number | undefined>> | undefined;
  flags?: Flags;
}

const DEFAULTS = { ...LIMITS };

/** Files share a process, and so its limits. */
export function resetLimits(): void {
  Object.assign(LIMITS, DEFAULTS);
}

/** Limits that the two runtimes call by other names. */
const NAMES: Readonly<Record<string, keyof typeof LIMITS>> = {
  inFlightRequests: 'requestsInFlight',
  requestsPerAddress: 'requestsInFlight',
  writtenLineBytes: 'writtenBytes',
  streamBacklogBytes: 'streamBytes',
};

/** Sets limits until the next server is made. @throws {Error} for a limit that the runtime doesn't have */
export function setLimits(limits: Parts['limits'] = {}): void {
  for (const [name, limit] of Object.entries(limits)) {
    const known = NAMES[name] ?? name;
    if (!Object.hasOwn(LIMITS, known)) throw new Error(`templates/runtime-next has no limit ${name}`);
    if (limit !== undefined) LIMITS[known as keyof typeof LIMITS] = limit;
  }
}

export function makeServer(parts: Parts, reported: unknown[]): Server {
  const { catalog, bindings, handlers, features = [], env = {}, pageSize, repairs, baseUrl, flags } = parts;
  const { info = { name: 'test', version: '1.2.3' }, instructions, meta, limits } = parts;
  resetLimits();
  setLimits(limits);
  const lists = { tools: [], resources: [], resourceTemplates: [], prompts: [] };
  const bound = { tools: {}, resources: {}, resourceTemplates: {}, prompts: {}, completions: [] };
  const generated = {
    'catalog.json': JSON.stringify({ ...lists, ...catalog }),
    'bindings.json': JSON.stringify({ ...bound, ...bindings }),
  };
  const definition: ServerDefinition = {
    info,
    generated,
    features: [api(), ...features],
    ...(handlers !== undefined && { handlers: handlers as Handlers<object> }),
    ...(instructions !== undefined && { instructions }),
    ...(meta !== undefined && { meta: meta as Record<string, unknown> }),
  };
  return new Server(definition, {
    env: planted(env),
    flags: {
      ...(pageSize !== undefined && { 'page-size': String(pageSize) }),
      ...(repairs === false && { repair: 'off' }),
      ...(baseUrl !== undefined && { 'base-url': baseUrl }),
      ...flags,
    },
    report: (thrown) => reported.push(thrown),
  });
}

/** Every message that the server sends is judged, and a test that saw a wrong one fails. */
export function makeClient(server: Server, sent: object[], session = new Session()) {
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
    const exchange: Exchange = { session, send: (out) => take(out, message) };
    const reply: Reply | undefined = await (Array.isArray(message)
      ? server.receiveBatch(message, exchange)
      : server.receive(readMessage(message), exchange));
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

/** The refused part of a request, as the older runtime calls it. */
function originOf({ code, status }: { code: number; status: number }): string {
  if (status === 429) return 'rate';
  if (code === METHOD_NOT_FOUND) return 'method';
  if (code === INVALID_REQUEST && status === 400) return 'message';
  if (code === INVALID_PARAMS && status === 400) return 'metadata';
  return 'work';
}
