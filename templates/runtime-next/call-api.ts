// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Tools and resources that call an API: one call → one request → content. Also `context.api`. */
import { describeError, readAnswer, toOutcome, toResource } from './answer.ts';
import { Credentials, createRedactor, readFixedHeaders, secretsOfUrl } from './credentials.ts';
import type { BindingWork, Call, Feature } from './feature.ts';
import { isId, isRecord, ownMember, parseJson, writeJson } from './json-rpc.ts';
import { type ApiRequest, chooseServer, makeRequest, setHeader, type Writers } from './request.ts';
import type { ApiLimits, ApiResponse } from './send.ts';
import type { Server } from './server.ts';
import { getSetting, LIMITS, parseInteger, type Setting } from './settings.ts';
import { makeContext } from './context.ts';
import { errorResult, refusedArguments } from './tools.ts';
import {
  type ApiAnswer,
  type ApiBinding,
  type Args,
  type HttpBinding,
  type Outcome,
  type OutgoingRequest,
  ToolError,
  type ToolInfo,
  UsageError,
} from './types.ts';
import { compileSchema } from './validate.ts';

const SETTINGS: readonly Setting[] = [
  {
    flag: 'base-url',
    value: 'url',
    variable: 'API_BASE_URL',
    help: 'Base URL of the API.',
    default: 'the built-in one',
  },
  { variable: 'API_HEADERS', help: 'Headers of every request to the API, as lines "Name: value".' },
  {
    variable: 'API_TIMEOUT_MS',
    help: 'Milliseconds that a call of the API may take, retries included.',
    default: '50000',
  },
  { variable: 'API_RESPONSE_BYTES', help: 'Bytes read of one answer of the API.', default: '10485760' },
  {
    variable: 'API_RESULT_CHARACTERS',
    help: 'Characters of an answer handed to the client.',
    default: '60000',
  },
];

/** Sources by name, then operations by operationId. `src/generated/types.ts` declares them. */
// eslint-disable-next-line @typescript-eslint/no-empty-object-type
export interface DeclaredApis {}
export type Apis = keyof DeclaredApis extends never
  ? Readonly<Record<string, Readonly<Record<string, (args?: object) => Promise<unknown>>>>>
  : DeclaredApis;
declare module './types.ts' {
  interface Context {
    /** `context.api.<source>.<operationId>(args)` returns the body. @throws {ApiError} for an answer that is no success */
    readonly api: Apis;
  }
}

/** An API answered an operation that code called with another status than 2xx. */
export class ApiError extends ToolError {
  override name = 'ApiError';
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;

  constructor(message: string, { status, headers, body }: ApiAnswer) {
    super(message);
    this.status = status;
    this.headers = headers;
    this.body = valueOf(body);
  }
}

/** What code gets of a body: JSON, a text, bytes, or nothing. */
function valueOf(body: ApiAnswer['body']): unknown {
  if (body.kind === 'json') return body.value;
  return body.kind === 'text' ? body.text : body.kind === 'bytes' ? body.bytes : undefined;
}

/** Calls the API of `bindings.json`. */
export function api(): Feature {
  let caller: ApiCaller | undefined;
  const open = (call: Call): ApiCaller => (caller ??= new ApiCaller(call.request.server));
  const work: BindingWork = {
    tool: async (call, binding, args) => {
      const info = call.request.server.catalog.tools.get(call.name);
      return open(call).callTool(call, binding as HttpBinding, args, info);
    },
    resource: (call, binding, args, uri) => open(call).readResource(call, binding as HttpBinding, args, uri),
  };
  return {
    name: 'api',
    settings: SETTINGS,
    work: { http: work },
    context: (call) => ({
      get api() {
        return members((source) =>
          members((operation) => (args?: object) => open(call).callOperation(call, source, operation, args)),
        );
      },
    }),
    startLine: (server) => {
      const { upstream } = server.bindings;
      try {
        return `API: ${upstream && chooseServer(upstream, {}, readOptions(server)).origin}`;
      } catch {
        return 'API: no address, set API_BASE_URL';
      }
    },
  };
}

/** Any name is a member. A promise would be asked for `then`. */
function members(make: (name: string) => unknown): Apis {
  return new Proxy(
    {},
    { get: (_, name) => (typeof name === 'string' && name !== 'then' ? make(name) : undefined) },
  );
}

function readOptions({ flags, env }: Server): { env: Server['env']; baseUrl: string | undefined } {
  const { name, value } = getSetting(flags, env, 'base-url', 'API_BASE_URL');
  if (value !== undefined && !(URL.canParse(value) && /^https?:$/.test(new URL(value).protocol)))
    throw new UsageError(`${name} must be the base URL of the API, such as https://api.example.com/v1.`);
  return { env, baseUrl: value };
}

/** `node:https` costs a third of a start, and lists need no API. */
let sending: ReturnType<typeof importSend> | undefined;
const importSend = async () => import('./send.ts');

class ApiCaller {
  readonly #server: Server;
  readonly #api: ApiBinding;
  readonly #limits: ApiLimits;
  readonly #options: ReturnType<typeof readOptions> & { userAgent: string; writers: Writers };
  readonly #credentials: Credentials;

  constructor(server: Server) {
    const { env, features, definition, bindings } = server;
    const limit = (name: string, most: number, usual: number): number =>
      parseInteger({ name, value: env[name] || undefined }, 1, most) ?? usual;
    const partsOf = <T>(kind: string): Readonly<Record<string, T>> =>
      Object.assign({}, ...features.map(({ parts }) => parts?.[kind])) as Readonly<Record<string, T>>;
    this.#server = server;
    this.#api = bindings.upstream ?? { servers: [], securitySchemes: {} };
    this.#limits = {
      timeoutMs: limit('API_TIMEOUT_MS', 2_147_483_647, 50_000),
      responseBytes: limit('API_RESPONSE_BYTES', 256 * 1024 * 1024, 10 * 1024 * 1024),
    };
    this.#options = {
      ...readOptions(server),
      userAgent: `${definition.info.name}/${definition.info.version}`,
      writers: { parameters: partsOf('parameters'), bodies: partsOf('bodies') },
    };
    this.#credentials = new Credentials(this.#api, env, partsOf('credentials'));
  }

  async callTool(call: Call, binding: HttpBinding, args: Args, info: ToolInfo | undefined): Promise<Outcome> {
    try {
      const { answer, hint } = await this.#call(call, binding, args, call.name, false);
      return toOutcome(answer, binding, info, args, hint);
    } catch (thrown) {
      return apiFailure(thrown);
    }
  }

  async readResource(
    call: Call,
    binding: HttpBinding,
    args: Args,
    uri: string,
  ): Promise<Outcome | undefined> {
    try {
      const { answer, hint } = await this.#call(call, binding, args, undefined, false);
      const { status } = answer;
      if (status === 404 || status === 410) return undefined;
      if (status >= 200 && status < 300) return { result: { contents: toResource(answer, uri) } };
      const words = describeError(answer, undefined, hint === undefined ? [] : [hint]);
      return { result: errorResult(words), cause: 'api' };
    } catch (thrown) {
      return apiFailure(thrown);
    }
  }

  /** Code gets the whole answer. @throws {ToolError} if there is no such operation, or it may not be called */
  async callOperation(outer: Call, source: string, operation: string, given: object = {}): Promise<unknown> {
    const { bindings, catalog } = this.#server;
    const unlisted = ownMember(ownMember(bindings.operations, source), operation);
    const [name, item] = Object.entries(bindings.tools).find(
      ([tool, { do: work }]) => work.kind === 'http' && (work.operationId ?? tool) === operation,
    ) ?? [operation, undefined];
    const binding = (unlisted?.do ?? item?.do) as HttpBinding | undefined;
    const input = unlisted?.input ?? catalog.tools.get(name)?.inputSchema;
    if (binding === undefined)
      throw new ToolError(
        `Unknown operation: ${operation} (context.api.${source}). If the document has it, run \`mcpgen generate\`.`,
      );
    if (
      catalog.isReadOnly &&
      !catalog.tools.has(name) &&
      !/^(?:GET|HEAD|OPTIONS|QUERY)$/.test(binding.method)
    )
      throw new ToolError(
        `${operation} was not called: it may change data, and the server runs with --read-only.`,
      );
    const args = parseJson(writeJson(given)) as Args;
    const { request, work } = outer;
    const call: Call = { kind: 'tool', name, args, origin: 'code', parent: outer, request, work };
    let body: unknown;
    const outcome = await this.#server.around(call, async () => {
      const misfits = input === undefined ? [] : compileSchema(input)(args);
      if (misfits.length > 0) return refusedArguments(name, misfits);
      return this.#server.confirm(call, async () => {
        const { answer, hint } = await this.#call(call, binding, args, name, true);
        body = valueOf(answer.body);
        if (answer.status >= 200 && answer.status < 300) return toOutcome(answer, binding, undefined, args);
        const words = describeError(answer, binding, hint === undefined ? [] : [hint]);
        return { result: errorResult(words), cause: 'api', error: new ApiError(words, answer) };
      });
    });
    if (outcome.error !== undefined) throw outcome.error;
    const { result } = outcome;
    if ('isError' in result && result.isError === true)
      throw new ToolError(result.content.map((block) => ('text' in block ? block.text : '')).join('\n'));
    return body;
  }

  async #call(
    call: Call,
    binding: HttpBinding,
    args: Args,
    tool: string | undefined,
    isWhole: boolean,
  ): Promise<{ answer: ApiAnswer; hint?: string | undefined }> {
    const { env } = this.#server;
    const { beforeRequest, afterResponse } = this.#server.catalog.handlers;
    const request = makeRequest(this.#api, binding, args, this.#options);
    const url = request.url.href;
    const fixed = readFixedHeaders(this.#api, env);
    for (const [name, value] of fixed.headers) setHeader(request.headers, name, value);
    const requirement = this.#credentials.choose(binding);
    const secrets = await this.#credentials.add(request, requirement ?? {});
    const redact = createRedactor([
      ...secrets,
      ...fixed.secrets,
      ...secretsOfUrl(chooseServer(this.#api, binding, this.#options)),
    ]);
    const stopPings = this.#reportSeconds(call);
    try {
      const outgoing =
        beforeRequest === undefined && afterResponse === undefined ? undefined : toOutgoing(request, tool);
      if (outgoing !== undefined) await beforeRequest?.(outgoing);
      const isChanged = outgoing !== undefined && takeChanges(request, outgoing);
      // A hook may bring the credentials itself.
      if (requirement === undefined && !isChanged) throw this.#credentials.missing(binding);
      const response = await this.#send(call, request);
      let answer = readAnswer(response, url, redact, isWhole);
      if (outgoing !== undefined) answer = (await afterResponse?.(answer, outgoing)) ?? answer;
      const hint = this.#credentials.hintAfter(answer.status, binding, requirement ?? {});
      return { answer, hint };
    } catch (thrown) {
      if (thrown instanceof Error) thrown.message = redact(thrown.message);
      throw thrown;
    } finally {
      stopPings();
    }
  }

  async #send(call: Call, request: ApiRequest): Promise<ApiResponse> {
    const { send } = await (sending ??= importSend());
    let next = (): Promise<ApiResponse> => send(request, call.work, this.#limits);
    for (const { aroundSend } of this.#server.features.toReversed())
      if (aroundSend !== undefined) {
        const rest = next;
        next = () => aroundSend(call, request, rest);
      }
    return next();
  }

  /** A client that asked for progress hears every few seconds that the API is at work. */
  #reportSeconds(call: Call): () => void {
    const { _meta: meta } = call.request.params;
    if (!isRecord(meta) || !isId(meta['progressToken'])) return () => undefined;
    const started = Date.now();
    const context = makeContext(call);
    const timer = setInterval(() => {
      const seconds = Math.round((Date.now() - started) / 1000);
      void context.progress(seconds, undefined, `Waiting for the API: ${seconds} s`);
    }, LIMITS.progressIntervalMs).unref();
    return () => clearInterval(timer);
  }
}

function apiFailure(thrown: unknown): Outcome {
  if (thrown instanceof RangeError)
    return {
      result: errorResult("The API's answer is nested too deeply to be passed on. Ask for less of it."),
      cause: 'api',
    };
  const words = thrown instanceof Error ? thrown.message : String(thrown);
  const cause = (thrown as { outcome?: Outcome['cause'] }).outcome ?? 'api';
  return { result: errorResult(words || 'The work failed without saying why.'), cause };
}

function toOutgoing({ method, url, headers, body }: ApiRequest, tool: string | undefined): OutgoingRequest {
  return {
    ...(tool !== undefined && { tool: tool as never }),
    method,
    url: new URL(url),
    headers: new Headers([...headers]),
    body,
  };
}

/** Takes over what a hook changed. Returns whether it changed anything. */
function takeChanges(request: ApiRequest, { method, url, headers, body }: OutgoingRequest): boolean {
  const before = writeJson([request.method, request.url.href, [...request.headers].sort()]);
  Object.assign(request, { method, url, body });
  const after = writeJson([method, url.href, [...headers].sort()]);
  request.headers = new Map(headers);
  return before !== after;
}
