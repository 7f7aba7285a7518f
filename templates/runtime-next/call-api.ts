// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Tools and resources that call an API: one call → one request → content. Also `context.api`. */
import { answerOutcome, describeError, isSuccess, readAnswer, toResource } from './answer.ts';
import { Credentials, createRedactor, readFixedHeaders, secretsOfUrl } from './credentials.ts';
import type { BindingWork, Call, Feature } from './feature.ts';
import { isId, isRecord, ownMember, parseJson, RpcError, writeJson } from './json-rpc.ts';
import { type ApiRequest, type ApiSetup, chooseServer, makeRequest } from './request.ts';
import { serverVariable, setHeader } from './request.ts';
import type { ApiLimits, ApiResponse, SendError } from './send.ts';
import type { Server } from './server.ts';
import { getSetting, LIMITS, parseChoice, parseInteger, type Setting } from './settings.ts';
import { makeContext } from './context.ts';
import { describeThrown, errorResult, refusedArguments } from './tools.ts';
import { type ApiAnswer, type ApiBinding, ApiError, type Args, type HttpBinding } from './types.ts';
import { type Outcome, type OutgoingRequest, ToolError, type ToolResult, UsageError } from './types.ts';
import { compileSchema } from './validate.ts';

const SETTINGS: readonly Setting[] = [
  { flag: 'base-url', value: 'url', variable: 'API_BASE_URL', help: 'Base URL of the API.' },
  { variable: 'API_HEADERS', help: 'Headers of every request to the API, as lines "Name: value".' },
  { variable: 'API_TIMEOUT_MS', help: 'Milliseconds of a call, retries included.', default: '50000' },
  { variable: 'API_RESPONSE_BYTES', help: 'Bytes read of one answer of the API.', default: '10485760' },
  { variable: 'API_RESULT_CHARACTERS', help: 'Characters of an answer for the client.', default: '60000' },
];

/** Sources by name, then operations by operationId. `src/generated/types.ts` declares them. */
// eslint-disable-next-line @typescript-eslint/no-empty-object-type
export interface DeclaredApis {}
export type Apis = keyof DeclaredApis extends never
  ? Readonly<Record<string, Readonly<Record<string, (args?: object) => Promise<unknown>>>>>
  : DeclaredApis;
declare module './types.ts' {
  interface Context {
    /** `context.api.<source>.<operationId>(args)` returns the body. @throws {ApiError} for another status than 2xx */
    readonly api: Apis;
  }
}

/** What code gets of a body: JSON, a text, bytes, or nothing. */
function valueOf({ body }: ApiAnswer): unknown {
  if (body.kind === 'json') return body.value;
  return body.kind === 'text' ? body.text : body.kind === 'bytes' ? body.bytes : undefined;
}

/** Calls the API of `bindings.json`. */
export function api(): Feature {
  const callers = new WeakMap<Server, ApiCaller>();
  const open = (server: Server): ApiCaller => {
    const caller = callers.get(server) ?? new ApiCaller(server);
    callers.set(server, caller);
    return caller;
  };
  const callerOf = ({ request }: Call): ApiCaller => open(request.server);
  const work: BindingWork = {
    tool: async (call, binding, args) => {
      const http = binding as HttpBinding;
      const info = call.request.server.catalog.tools.get(call.name);
      const answer = callerOf(call).call(call, http, args);
      return answer.then((whole) => answerOutcome(whole, http, info, args)).catch(apiFailure);
    },
    resource: async (call, binding, args, uri) => {
      const answer = callerOf(call).call(call, binding as HttpBinding, args);
      return answer.then((whole) => resourceOutcome(whole, uri)).catch(apiFailure);
    },
  };
  return {
    name: 'api',
    settings: SETTINGS,
    variables: ({ upstream }) => (upstream === undefined ? [] : listVariables(upstream)),
    start: (server) => void open(server),
    work: { http: work },
    context: (call) => ({
      get api() {
        const caller = callerOf(call);
        return members((source) =>
          members((operation) => (args?: object) => caller.callOperation(call, source, operation, args)),
        );
      },
    }),
    startLine: (server) => {
      const { upstream } = server.bindings;
      try {
        return `API: ${upstream && chooseServer({ api: upstream, ...readOptions(server) }).origin}`;
      } catch {
        return 'API: no address, set API_BASE_URL';
      }
    },
  };
}

function resourceOutcome(answer: ApiAnswer, uri: string): Outcome | undefined {
  if (answer.status === 404 || answer.status === 410) return undefined;
  if (isSuccess(answer)) return { result: { contents: toResource(answer, uri) } };
  return { result: errorResult(describeError(answer)), cause: 'api' };
}

/** What only a document with credentials, several servers or variables in their URLs has. */
function listVariables({ servers, securitySchemes }: ApiBinding): Setting[] {
  const rows = Object.entries(securitySchemes).flatMap(([scheme, { env = {} }]) =>
    Object.entries(env).map(([part, variable]) => ({ variable, help: `Credential ${scheme}: ${part}.` })),
  );
  if (rows.length > 0)
    rows.push({ variable: 'API_CREDENTIALS', help: 'optional: those that are not set are not sent.' });
  const names = servers.map(({ name, url }) => name ?? url).join(', ');
  if (servers.length > 1) rows.push({ variable: 'API_SERVER', help: `The server of the API: ${names}.` });
  for (const name of new Set(servers.flatMap(({ variables = {} }) => Object.keys(variables))))
    rows.push({ variable: serverVariable(name), help: `The part {${name}} of the API's URL.` });
  return rows;
}

/** Any name is a member. A promise would be asked for `then`. */
function members(make: (name: string) => unknown): Apis {
  const get = (_: object, name: string | symbol): unknown =>
    typeof name === 'string' && name !== 'then' ? make(name) : undefined;
  return new Proxy({}, { get });
}

function readOptions({ flags, env }: Server): Pick<ApiSetup, 'env' | 'baseUrl'> {
  const { name, value } = getSetting(flags, env, 'base-url', 'API_BASE_URL');
  if (value !== undefined && !/^https?:/i.test(value))
    throw new UsageError(`${name} must be the base URL of the API, such as https://api.example.com/v1.`);
  return { env, baseUrl: value };
}

class ApiCaller {
  readonly #server: Server;
  readonly #limits: ApiLimits;
  readonly #setup: ApiSetup;
  readonly #credentials: Credentials;

  constructor(server: Server) {
    const { env, features, definition, bindings } = server;
    const limit = (name: string, max: number): number | undefined =>
      parseInteger({ name, value: env[name] || undefined }, 1, max);
    const partsOf = <T>(kind: string): Readonly<Record<string, T>> =>
      Object.assign({}, ...features.map(({ parts }) => parts?.[kind])) as Readonly<Record<string, T>>;
    parseChoice({ name: 'API_CREDENTIALS', value: env['API_CREDENTIALS'] || undefined }, [
      'required',
      'optional',
    ]);
    this.#server = server;
    this.#limits = {
      timeoutMs: limit('API_TIMEOUT_MS', 2_147_483_647) ?? 50_000,
      responseBytes: limit('API_RESPONSE_BYTES', 256 * 1024 * 1024) ?? 10 * 1024 * 1024,
    };
    this.#setup = {
      ...readOptions(server),
      api: bindings.upstream ?? { servers: [], securitySchemes: {} },
      userAgent: `${definition.info.name}/${definition.info.version}`,
      parameters: partsOf('parameters'),
      bodies: partsOf('bodies'),
      credentials: partsOf('credentials'),
    };
    this.#credentials = new Credentials(this.#setup);
  }

  /** Code gets the whole answer. @throws {ToolError} if the operation is unknown or may not be called */
  async callOperation(outer: Call, source: string, operation: string, input: object = {}): Promise<unknown> {
    const { bindings, catalog } = this.#server;
    const { operations } = bindings;
    const toolless = ownMember(ownMember(operations, source), operation);
    const isSource = operations === undefined || Object.hasOwn(operations, source);
    const [name, tool] = Object.entries(bindings.tools).find(
      ([toolName, { do: work }]) => work.kind === 'http' && (work.operationId ?? toolName) === operation,
    ) ?? [operation, undefined];
    const binding = (isSource ? (toolless ?? tool)?.do : undefined) as HttpBinding | undefined;
    if (binding === undefined)
      throw new ToolError(
        `Unknown operation: ${operation} (context.api.${source}). Run \`mcpgen generate\`.`,
      );
    const isReading = catalog.tools.has(name) || /^(?:GET|HEAD|OPTIONS|QUERY)$/.test(binding.method);
    if (catalog.isReadOnly && !isReading)
      throw new ToolError(`${operation} was not called: it may change data, and the server is --read-only.`);
    const args = parseJson(writeJson(input)) as Args;
    const { request, work } = outer;
    const call: Call = { kind: 'tool', name, args, origin: 'code', parent: outer, request, work };
    const check = compileSchema(toolless?.input ?? catalog.tools.get(name)?.inputSchema ?? true);
    let body: unknown;
    const { result, error } = await this.#server.around(call, async () => {
      const misfits = check(args);
      if (misfits.length > 0) return refusedArguments(name, misfits);
      return this.#server.confirm(call, async () => {
        const answer = await this.call(call, binding, args);
        body = valueOf(answer);
        if (isSuccess(answer)) return answerOutcome(answer, binding, undefined, args);
        const message = describeError(answer, binding);
        return {
          result: errorResult(message),
          cause: 'api',
          error: new ApiError(message, { ...answer, body: valueOf(answer) }),
        };
      });
    });
    if (error !== undefined) throw error;
    const { isError, content } = result as ToolResult;
    if (isError === true)
      throw new ToolError(content.map((block) => ('text' in block ? block.text : '')).join('\n'));
    return body;
  }

  async call(call: Call, binding: HttpBinding, args: Args): Promise<ApiAnswer> {
    const { beforeRequest, afterResponse } = this.#server.catalog.handlers;
    const request = makeRequest(binding, args, this.#setup);
    const url = request.url.href;
    const fixedHeaders = readFixedHeaders(this.#setup);
    for (const [name, value] of fixedHeaders.headers) setHeader(request.headers, name, value);
    const requirement = this.#credentials.choose(binding);
    const redact = createRedactor([
      ...(await this.#credentials.add(request, requirement ?? {})),
      ...fixedHeaders.secrets,
      ...secretsOfUrl(chooseServer(this.#setup, binding.servers)),
    ]);
    const stopPings = reportSeconds(call);
    try {
      const outgoing: OutgoingRequest = {
        ...(call.kind === 'tool' && { tool: call.name as never }),
        method: request.method,
        url: request.url,
        headers: new Headers([...request.headers]),
        body: request.body,
      };
      const describe = (): string => writeJson([outgoing.method, outgoing.url, [...outgoing.headers]]);
      const before = describe();
      await beforeRequest?.(outgoing);
      // A hook may bring the credentials itself.
      if (requirement === undefined && describe() === before) throw this.#credentials.missing(binding);
      const { method, url: target, headers, body } = outgoing;
      const response = await this.#send(call, { method, url: target, headers: new Map(headers), body });
      const answer = readAnswer(response, url, redact, call.origin === 'code');
      const hint = this.#credentials.hintAfter(answer.status, binding, requirement ?? {});
      const notes = [answer.notes ?? [], hint ?? [], response.note ?? []].flat();
      if (notes.length > 0) answer.notes = notes;
      return (await afterResponse?.(answer, outgoing)) ?? answer;
    } catch (thrown) {
      if (thrown instanceof RpcError) throw thrown;
      const message = redact(describeThrown(thrown));
      if (thrown instanceof ToolError)
        throw Object.assign(new ToolError(message), { outcome: (thrown as Partial<SendError>).outcome });
      // A fault of a hook: its stack is for the log.
      const stack = thrown instanceof Error ? redact(thrown.stack ?? '') : '';
      throw Object.assign(new Error(message), stack === '' ? {} : { stack });
    } finally {
      stopPings();
    }
  }

  async #send(call: Call, request: ApiRequest): Promise<ApiResponse> {
    // `node:https` costs a third of a start, and lists need no API.
    const { send } = await import('./send.ts');
    let next = (): Promise<ApiResponse> => send(request, call.work, this.#limits);
    for (const { aroundSend } of this.#server.features.toReversed()) {
      const inner = next;
      if (aroundSend !== undefined) next = () => aroundSend(call, request, inner);
    }
    return next();
  }
}

/** A client that asked for progress hears every few seconds that it is waited for. Returns the end of it. */
function reportSeconds(call: Call): () => void {
  const { _meta: meta } = call.request.params;
  if (!isRecord(meta) || !isId(meta['progressToken'])) return () => undefined;
  const start = Date.now();
  const context = makeContext(call);
  const timer = setInterval(() => {
    const seconds = Math.round((Date.now() - start) / 1000);
    void context.progress(seconds, undefined, `Waiting for the API: ${seconds} s`);
  }, LIMITS.progressIntervalMs).unref();
  return () => clearInterval(timer);
}

function apiFailure(thrown: unknown): Outcome {
  if (!(thrown instanceof ToolError)) throw thrown;
  const { outcome = 'api' } = thrown as Partial<SendError>;
  return { result: errorResult(describeThrown(thrown)), cause: outcome };
}
